import { expect, test } from 'vitest';
import { withdrawalIdOf } from './record.ts';
import { attempt, record } from './testRecords.ts';

test('only a withdrawal’s result id counts as a withdrawal id', () => {
  const answered = { ...record, attempts: [{ ...attempt, resultId: 'wd_1' }] };
  expect(withdrawalIdOf(answered)).toBe('wd_1');
  expect(withdrawalIdOf(record)).toBeNull();
  for (const kind of ['deposit-address', 'charge', 'webhook-replay'] as const)
    expect(withdrawalIdOf({ ...answered, kind })).toBeNull();
});
