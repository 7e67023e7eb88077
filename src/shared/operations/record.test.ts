import { expect, test } from 'vitest';
import { withdrawalIdOf } from './record.ts';
import { attempt, record } from './testRecords.ts';

test('only of a withdrawal an id is the id of one', () => {
  const answered = { ...record, attempts: [{ ...attempt, resultId: 'wd_1' }] };
  expect(withdrawalIdOf(answered)).toBe('wd_1');
  expect(withdrawalIdOf(record)).toBeNull();
  for (const kind of ['deposit-address', 'charge', 'webhook-replay'] as const)
    expect(withdrawalIdOf({ ...answered, kind })).toBeNull();
});
