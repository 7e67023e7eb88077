import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { BatchState } from '#src/shared/contract/batchContract.ts';
import type { WaitingBatch } from '#src/web/api/approvals.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import type { NoticesResponse } from '#src/shared/contract/noticesContract.ts';
import { noticeProblems } from '#src/web/api/notices.ts';
import { paymentOf } from '#src/shared/overview/payment.ts';
import { testView } from '#src/web/api/operations/testViews.ts';
import { approvalLines, attentionLine, noticeLines } from './attentionLine.tsx';

const context = { name: () => '', can: () => true, markHandled: () => undefined, amountsHidden: false };

test.each([
  ['no response', null, 'No response from the provider. Don’t pay'],
  ['a response that does not tell', 500, 'The response doesn’t say what became of it. Don’t pay'],
])('an unconfirmed payment with %s is described as unconfirmed', (_what, status, why) => {
  const operation = {
    key: testOperation.key,
    record: { ...testOperation, attempts: [{ ...attemptNote, status }] },
    waitsFor: 'outcome' as const,
    firstSentAt: 1,
  };
  expect(attentionLine({ kind: 'operation', operation }, context).why).toContain(why);
});

test('the name of a line’s buttons has its amount unless amounts are hidden', () => {
  const { key } = testOperation;
  const operation = { key, record: testOperation, waitsFor: 'outcome' as const, firstSentAt: 1 };
  const row = { id: 'wd_1', amount: '12', asset: 'USDT', status: 'failed' };
  const failed = paymentOf('withdrawal', row);
  const names = (amountsHidden: boolean) =>
    [
      { kind: 'operation' as const, operation },
      { kind: 'failed' as const, payment: failed, at: null },
    ].map((each) => attentionLine(each, { ...context, amountsHidden }).taking?.what);
  expect(names(false)).toEqual(['Withdrawal of 0.75 BTC', '12 USDT withdrawal']);
  expect(names(true)).toEqual(['Withdrawal of ••••• BTC', 'USDT withdrawal']);
});

test('a count of approvals says whether it may be more', () => {
  const approval = {
    view: testView({ state: 'awaiting' }, {}),
    clock: { databaseNow: 0, receivedMs: 0 },
    maker: { person: 'ada', name: 'Ada' },
    why: [],
    barred: null,
    unusual: [],
    listed: 'listed' as const,
    expires_at: 1,
    approvers: [],
    earlier: [],
  };
  const whatOf = (isWhole: boolean, count: number) =>
    approvalLines(
      { toApprove: Array.from({ length: count }, () => approval), toSend: [], batches: [], batchesToSend: [], isWhole },
      () => '',
    ).map(({ what }) => what);
  expect(whatOf(true, 2)).toEqual(['2 payments need your approval']);
  expect(whatOf(false, 2)).toEqual(['At least 2 payments need your approval']);
  expect(whatOf(true, 1)).toEqual(['1 payment needs your approval']);
  expect(whatOf(false, 1)).toEqual(['At least 1 payment needs your approval']);
  expect(whatOf(true, 0)).toEqual([]);
  expect(whatOf(false, 0)).toEqual(['Payments further down the list may need your approval']);
});

test('batches: what needs an approval again is not said to be unsent, and an approved one waits for its operator', () => {
  const batchIn = (state: BatchState) => ({
    batch: { id: 'batch_0001', at: 0, state, lines: 2, counts: {}, file_name: 'june.csv', totals: [] } as never,
    approval: { needs: 1, maker: 'ada', approved: [], expires_at: 1 },
    clock: { databaseNow: 0, receivedMs: 0 },
  });
  const textOf = (part: ReactNode) =>
    renderToStaticMarkup(createElement(Fragment, null, part)).replaceAll(/<[^>]*>/g, '');
  const linesOf = (needed: { batches?: WaitingBatch[]; batchesToSend?: WaitingBatch[] }) =>
    approvalLines(
      { toApprove: [], toSend: [], batches: [], batchesToSend: [], isWhole: true, ...needed },
      () => '',
    ).map(({ what, why, to }) => ({ what: textOf(what), why: textOf(why), to }));
  expect(linesOf({ batches: [batchIn('waiting')] })[0]?.why).toContain('Nothing of it has been sent.');
  expect(linesOf({ batches: [batchIn('paused')] })[0]?.why).not.toContain('sent');
  const [line] = linesOf({ batchesToSend: [batchIn('waiting')] });
  expect(line?.what).toMatch(/^Batch of 2 payments, .*june\.csv.*: approved, not sent yet$/);
  expect(line?.to).toBe('/batches/batch_0001');
});

const NOTHING: NoticesResponse = {
  channels: [],
  watch: null,
  counts: { dead: 0, waiting: 0, held: 0, sent: 0 },
  without_address: [],
  data: [],
};
/** The lines of Home about notices, at 100,000 s. */
const linesOf = (more: Partial<NoticesResponse>) =>
  noticeLines(noticeProblems({ ...NOTHING, ...more }, 100_000)).map(({ what, why }) => [what, why]);

test('a provider that can’t be read is named after a quarter of an hour', () => {
  const watchSince = (since: number) => linesOf({ watch: { failing_since: since, problem: 'No connection.' } });
  expect(watchSince(100_000 - 899)).toEqual([]);
  expect(watchSince(100_000 - 900)).toEqual([
    [
      'Not everything could be read from the provider, so some payments that fail or get stuck may not be reported',
      'No connection.',
    ],
  ]);
});

test('a channel is named once it is off or has failed for an hour', () => {
  const channel = {
    name: 'webhook',
    host: 'h.example',
    sent_at: 1,
    failed_at: 99_990,
    failing_since: null,
    off_at: null,
  };
  const channelWith = (more: Partial<NoticesResponse['channels'][number]>) =>
    linesOf({ channels: [{ ...channel, problem: 'The receiver responded 500.', ...more }] });
  expect(channelWith({})).toEqual([]);
  expect(channelWith({ failing_since: 100_000 - 3_599 })).toEqual([]);
  const what = 'Webhook notices aren’t delivered';
  expect(channelWith({ failing_since: 100_000 - 3_600 })).toEqual([
    [what, 'The receiver responded 500. The server keeps trying.'],
  ]);
  expect(channelWith({ failing_since: 99_990, off_at: 99_990 })).toEqual([
    [what, 'The receiver responded 500. Send a test to turn it on again.'],
  ]);
});
