import { expect, test } from 'vitest';
import { unconfirmedApprovalWords, wasApproved } from './approvalWords.ts';
import type { Operation } from './record.ts';
import { testOperation } from './testRecords.ts';

const sent: Operation = { ...testOperation, approval: { needs: 2, policy: 1, hours: 72 } };
const restored: Operation = { ...sent, attempts: [] };

test('an unconfirmed payment is called approved only if enough people approved it', () => {
  expect(unconfirmedApprovalWords(sent, 2)).toMatch(/^It was approved and sent, and its outcome is unknown\./);
  expect(unconfirmedApprovalWords(sent, 0)).toBe(
    'It was sent before it needed approval, and its outcome is unknown. It can be resent only after 2 more approvals.',
  );
  expect(unconfirmedApprovalWords(sent, 1)).toBe(
    'It was sent when it needed fewer approvals, and its outcome is unknown. It can be resent only after 1 more approval.',
  );
});

test('an unconfirmed payment that waited when the database was restored is not said to be sent', () => {
  for (const approvals of [0, 2])
    expect(unconfirmedApprovalWords(restored, approvals)).toBe(
      'It waited to be sent when the database was restored. It can’t be sent now, so it needs no approval.',
    );
});

test('a payment counts as approved only if somebody approved it, and enough did before it was sent', () => {
  expect([wasApproved(sent, 0), wasApproved(sent, 1), wasApproved(sent, 2)]).toEqual([false, true, true]);
  expect([wasApproved(restored, 0), wasApproved(restored, 1), wasApproved(restored, 2)]).toEqual([false, false, true]);
});
