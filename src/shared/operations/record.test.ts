import { expect, test } from 'vitest';
import { withdrawalIdOf } from './record.ts';
import { attemptNote, testOperation } from './testRecords.ts';

test('only a withdrawal’s result id counts as a withdrawal id', () => {
  const answered = { ...testOperation, attempts: [{ ...attemptNote, resultId: 'wd_1' }] };
  expect(withdrawalIdOf(answered)).toBe('wd_1');
  expect(withdrawalIdOf(testOperation)).toBeNull();
  for (const kind of ['deposit-address', 'charge', 'webhook-replay'] as const)
    expect(withdrawalIdOf({ ...answered, kind })).toBeNull();
});
