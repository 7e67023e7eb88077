import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { statusMeaning } from './statusMeaning.ts';

const UNSAID = 'The interface does not say what this status means.';

test('only what the contract states has a meaning, with its section', () => {
  expect(statusMeaning('withdrawal', 'broadcasted')).toBe(
    '“Returned for a withdrawal that has a transaction hash.” (interface, section 3)',
  );
  expect(statusMeaning('deposit', 'completed')).toContain('(interface, section 3)');
  // Stated for the other resource, in other letters, or not at all.
  const others = fc.oneof(
    fc.constantFrom('completed', 'pending', 'failed', 'Broadcasted', ' broadcasted', '__proto__', ''),
    fc.string(),
  );
  fc.assert(
    fc.property(others, (status) => {
      fc.pre(status !== 'broadcasted');
      expect(statusMeaning('withdrawal', status)).toBe(UNSAID);
    }),
  );
  expect(statusMeaning('deposit', 'broadcasted')).toBe(UNSAID);
  expect(statusMeaning('deposit', null)).toBe('The answer has no status.');
});
