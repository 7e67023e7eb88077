import { expect, test } from 'vitest';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { paymentOf } from '#src/shared/overview/payment.ts';
import { attentionLine } from './attentionLine.tsx';

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
