import { expect, test } from 'vitest';
import { testView } from '#src/web/api/operations/testViews.ts';
import { operationStatus } from '#src/shared/operations/operationStatus.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { stateMarkOf, shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';

const waiting: Operation = {
  ...testOperation,
  state: 'awaiting',
  reason: undefined,
  attempts: [],
  approval: { needs: 2, policy: 1, hours: 72 },
};
const bo = { person: 'bo', name: 'Bo', at: 1 };
const cy = { person: 'cy', name: 'Cy', at: 2 };

test('a payment waits for approval until it has enough, and is then only not sent', () => {
  expect(stateMarkOf(waiting).chip).toBe('Waiting for approval');
  expect(stateMarkOf(waiting, { approvals: 1 }).chip).toBe('Waiting for approval');
  expect(shortStateMarkOf(waiting, { approvals: 2 }).chip).toBe('Approved, not sent');
  const batch = { id: 'b', line: 1, reference: null, recipient: null };
  expect(stateMarkOf({ ...waiting, batch }).chip).toBe('Waits in a batch');
});

test('a payment that waits for approval says how many people are missing, and never that it was sent', () => {
  const wordsBy = (...approved: { person: string; name: string; at: number }[]) => {
    const { fact, meaning } = operationStatus(waiting, testView({}, { approved }));
    return `${fact} ${meaning}`;
  };
  expect(wordsBy()).toBe('Nothing has been sent. It is sent once 2 people have approved it.');
  expect(wordsBy(bo)).toBe('Nothing has been sent. It is sent once one more person has approved it.');
  expect(wordsBy(bo, cy)).toMatch(/^Nothing has been sent\. It has its approvals, but couldn’t be sent then\./);
});

test('a payment that ended says whether it was withdrawn, rejected or expired', () => {
  const factOf = (by: 'discard' | 'reject' | 'lapse') => {
    const ending = { by, words: 'w', who: 'Bo', person: null, at: 0, requestId: null };
    return operationStatus({ ...waiting, state: 'not-sent', ending }, testView()).fact;
  };
  expect(factOf('discard')).toBe('It was withdrawn before anything was sent.');
  expect(factOf('reject')).toBe('It was rejected. Nothing was sent.');
  expect(factOf('lapse')).toBe('It expired before it was approved and sent. Nothing was sent.');
});
