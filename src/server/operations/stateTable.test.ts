import { expect, test } from 'vitest';
import { OPERATION_STATES, STATES } from '#src/shared/operations/states.ts';
import { JOURNAL_MIGRATIONS } from './sqlRows.ts';

test('the unique index on duplicate keys excludes exactly the states that hold none', () => {
  const indexes = JOURNAL_MIGRATIONS.join('').match(/create unique index operations_place [^;]*;/g) ?? [];
  const listed = [...(indexes.at(-1) ?? '').matchAll(/'([^']+)'/g)].map(([, state]) => state);
  expect(listed).toEqual(OPERATION_STATES.filter((state) => !STATES[state].holdsDuplicateKey));
});

test('every unresolved operation holds its duplicate key', () => {
  for (const state of OPERATION_STATES) expect(STATES[state].holdsDuplicateKey).toBe(STATES[state].isUnresolved);
});
