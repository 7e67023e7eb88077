import { expect, test } from 'vitest';
import { DEPOSITS, visibleFields } from './listColumns.ts';

const namesOf = (chosen?: readonly string[]) => visibleFields(DEPOSITS, chosen).fields.map(({ name }) => name);

test('deposits show their reference or label, and columns that a person chose before stay', () => {
  expect(namesOf()).toEqual(['created_at', 'status', 'chain', 'team_note', 'received_amount']);
  expect(namesOf(['created_at', 'status', 'chain', 'id', 'received_amount'])).toEqual([
    'created_at',
    'status',
    'chain',
    'id',
    'received_amount',
  ]);
});
