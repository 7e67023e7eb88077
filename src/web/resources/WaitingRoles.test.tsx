import { expect, test } from 'vitest';
import type { WaitingRole } from '#src/shared/contract/peopleContract.ts';
import { confirmReason } from './WaitingRoles.tsx';

const role: WaitingRole = {
  id: 'role',
  permission: 'admin',
  given_by: null,
  given_at: 0,
  counts_from: 1,
  confirmers: [{ person: 'fay', name: 'Fay' }],
};
const eve = { person: { id: 'eve', name: 'Eve' }, role };

test('Confirm is enabled for whom the server names, even if they aren’t an admin, and for no other', () => {
  const refusal = 'Only an admin can manage people.';
  expect(confirmReason(eve, { refusal, self: 'fay' })).toBeUndefined();
  expect(confirmReason(eve, { refusal, self: 'gus' })).toBe(refusal);
  expect(confirmReason(eve, { refusal: undefined, self: 'eve' })).toBe('Nobody confirms their own role.');
});
