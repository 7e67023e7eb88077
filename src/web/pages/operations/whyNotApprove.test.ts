import { expect, test } from 'vitest';
import { testView } from '#src/web/api/operations/testViews.ts';
import { approveLabel, isApprovable, whyNotApprove } from './whyNotApprove.ts';

const person = (name: string) => ({ person: name.toLowerCase(), name });
const maker = person('Ada');

function approval(approved: string[], approvers: string[], needs = 2) {
  const by = approved.map((name) => ({ ...person(name), at: 1 }));
  const view = testView({ state: 'awaiting', approval: { needs, policy: 1, hours: 72 } }, { approved: by });
  return { view, maker, approvers: approvers.map(person), barred: null };
}

test('an approver who hasn’t approved a payment yet can', () => {
  expect(whyNotApprove(approval([], ['Bo', 'Cy']), { person: 'bo', refusal: undefined })).toBeUndefined();
});

test('everyone else sees why they can’t, and who can', () => {
  const refusal = 'Only an approver can approve payments.';
  expect(whyNotApprove(approval([], ['Bo', 'Cy']), { person: 'di', refusal })).toBe(`${refusal} Ask Bo or Cy.`);
  expect(whyNotApprove(approval([], []), { person: 'di', refusal })).toBe(`${refusal} Nobody else can now.`);
  expect(whyNotApprove(approval(['Bo'], ['Cy']), { person: 'bo', refusal: undefined })).toBe(
    'You have approved it. Ask Cy.',
  );
  expect(whyNotApprove(approval([], ['Bo']), { person: 'ada', refusal: undefined })).toBe(
    'You prepared it yourself, so somebody else has to approve it. Ask Bo.',
  );
});

test('nobody can while its recipient is blocked', () => {
  const barred = 'This recipient is blocked: “Invoice was forged”';
  const blocked = { ...approval([], ['Bo', 'Cy']), barred };
  expect(whyNotApprove(blocked, { person: 'bo', refusal: undefined })).toBe(barred);
});

test('an approval of a payment that was sent is called another one only if it had enough', () => {
  const label = (approved: string[], state: 'awaiting' | 'unconfirmed', needs = 2) => {
    const { view } = approval(approved, [], needs);
    return approveLabel({ ...view, operation: { ...view.operation, state } }, 'di');
  };
  expect(label([], 'awaiting', 1)).toBe('Approve and send');
  expect(label([], 'awaiting')).toBe('Approve (1 of 2)');
  expect(label([], 'unconfirmed', 1)).toBe('Approve');
  expect(label(['Bo'], 'unconfirmed')).toBe('Approve');
  expect(label(['Bo', 'Cy'], 'unconfirmed')).toBe('Approve again');
});

test('a payment that can’t be sent again needs no approval', () => {
  const stopped = { name: 'Bo', at: 1, reason: 'Paid otherwise' };
  expect(isApprovable(testView())).toBe(true);
  expect(isApprovable(testView({ state: 'awaiting', attempts: [] }))).toBe(true);
  expect(isApprovable(testView({}, { stopped }))).toBe(false);
  // It waited when the database was restored.
  expect(isApprovable(testView({ attempts: [] }))).toBe(false);
});
