import { expect, test } from 'vitest';
import type { PolicyAnswer, PolicyVersion } from '#src/shared/contract/policyContract.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { undoableUntil } from './undoableUntil.ts';

const ada = { person: 'ada', name: 'Ada' };
const strict = { ...NO_APPROVALS, other_assets: 2 };

const version = (number: number, more: Partial<PolicyVersion>): PolicyVersion => ({
  number,
  state: 'replaced',
  proposed_by: ada,
  proposed_at: 0,
  confirmed_by: null,
  counts_from: number * 1_000,
  policy: NO_APPROVALS,
  ...more,
});

const state = (versions: PolicyVersion[]): PolicyAnswer => ({
  newest: versions[0]?.number ?? 0,
  in_force: { ...version(3, { state: 'in-force' }), policy: strict },
  is_broken: false,
  pending: null,
  versions,
  approvers: [],
  approvers_who_prepare: [],
  is_first: false,
  confirmers: [],
  wait_hours: 72,
});

test('an admin can undo their own change of the rules for ten minutes', () => {
  const changed = state([
    version(3, { state: 'in-force', policy: strict }),
    version(2, { state: 'ended' }),
    version(1, {}),
  ]);
  expect(undoableUntil(NO_APPROVALS, changed, 'ada')).toBe(3_600);
  expect(undoableUntil(NO_APPROVALS, changed, 'bo')).toBeNull();
  // Looser rules that were never in force before.
  expect(undoableUntil({ ...strict, other_assets: 1 }, changed, 'ada')).toBeNull();
  // Those before were other ones.
  const twice = state([
    version(3, { state: 'in-force', policy: strict }),
    version(2, { policy: strict }),
    version(1, {}),
  ]);
  expect(undoableUntil(NO_APPROVALS, twice, 'ada')).toBeNull();
});
