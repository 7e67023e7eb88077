import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { WaitingRole } from '#src/shared/contract/peopleContract.ts';
import { confirmReason, WaitingRoleLines } from './WaitingRoles.tsx';

const ROLE: WaitingRole = {
  id: 'role',
  permission: 'approve',
  given_by: { person: 'ada', name: 'Ada' },
  given_at: 1_790_000_000,
  counts_from: 1_790_259_200,
  is_told: true,
  confirmers: [],
};

const textOf = (more: Partial<WaitingRole>): string =>
  renderToStaticMarkup(<WaitingRoleLines waiting={[{ ...ROLE, ...more }]} />)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

test('a waiting role says from when it counts, and that nobody who could refuse it has seen it yet', () => {
  expect(textOf({})).toMatch(/^Approver: counts from .+ unless somebody refuses it$/);
  expect(textOf({})).not.toContain('earliest');
  expect(textOf({ is_told: false })).toMatch(
    /counts from .+ at the earliest, a day after an approver or admin has seen it on Home, unless somebody refuses it$/,
  );
  expect(textOf({ counts_from: null, is_told: false })).toBe('Approver: waits for another admin');
});

test('Confirm is enabled for whom the server names, even if they aren’t an admin, and for no other', () => {
  const role = { ...ROLE, permission: 'admin' as const, given_by: null, confirmers: [{ person: 'fay', name: 'Fay' }] };
  const eve = { person: { id: 'eve', name: 'Eve' }, role };
  const refusal = 'Only an admin can manage people.';
  expect(confirmReason(eve, { refusal, self: 'fay' })).toBeUndefined();
  expect(confirmReason(eve, { refusal, self: 'gus' })).toBe(refusal);
  expect(confirmReason(eve, { refusal: undefined, self: 'eve' })).toBe('Nobody confirms their own role.');
});
