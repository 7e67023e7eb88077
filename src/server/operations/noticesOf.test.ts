import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { noticesOf } from './noticesOf.ts';
import { attemptWith, operationRecord, START } from './testAnswers.ts';

const sending = operationRecord({ state: 'sending' });
const resultWith = (status: string): OperationRecord['result'] => ({
  id: 'wd_1',
  text: JSON.stringify({ id: 'wd_1', status }),
  requestId: null,
  by: 'check',
  confirmed: ['asset', 'chain', 'amount', 'address'],
});
const OTHER = { id: 'wd_2', text: '{}', requestId: null, by: 'answer' as const };
const unconfirmed = operationRecord({ state: 'unconfirmed', reason: 'no-answer' });
const accepted = operationRecord({ state: 'succeeded', result: resultWith('pending') });

const waiting = operationRecord({
  state: 'awaiting',
  recorded: START,
  approval: { needs: 1, policy: null, hours: 72 },
});
const endingBy = (by: 'reject' | 'lapse' | 'discard') => ({
  by,
  words: '',
  who: null,
  person: null,
  at: 0,
  requestId: null,
});

describe('a notice is raised for a withdrawal', () => {
  test.each<[string, OperationRecord, OperationRecord, string[]]>([
    ['that becomes unconfirmed', unconfirmed, sending, ['operation.unconfirmed']],
    ['once its automatic retries are used up', unconfirmed, { ...unconfirmed, retryAt: 5 }, ['operation.unconfirmed']],
    [
      'whose response names another payment',
      operationRecord({ state: 'unconfirmed', reason: 'mismatch', contradiction: OTHER }),
      sending,
      ['operation.mismatch'],
    ],
    ['that another payment came under later', { ...accepted, contradiction: OTHER }, accepted, ['operation.mismatch']],
    [
      'that was made although it had ended as not sent',
      operationRecord({ state: 'not-sent', result: resultWith('pending') }),
      operationRecord({ state: 'not-sent' }),
      ['operation.executed'],
    ],
    ['that failed after it was accepted', { ...accepted, result: resultWith('failed') }, accepted, ['payment.failed']],
    [
      'that was rejected',
      { ...waiting, state: 'not-sent', ending: endingBy('reject') },
      waiting,
      ['operation.rejected'],
    ],
    [
      'that nobody approved in time',
      { ...waiting, state: 'not-sent', ending: endingBy('lapse') },
      waiting,
      ['operation.lapsed'],
    ],
    ['that needs approval now', waiting, { ...waiting, state: 'ready' }, ['operation.awaiting']],
    [
      'that was approved and begins to be sent',
      { ...waiting, state: 'sending', attempts: [attemptWith({ from: { state: 'awaiting' } })] },
      waiting,
      ['operation.approved'],
    ],
    [
      'that an automatic attempt found refused',
      operationRecord({ state: 'refused', attempts: [attemptWith({}), attemptWith({})] }),
      sending,
      ['operation.refused'],
    ],
  ])('%s', (_, next, before, events) => {
    expect(noticesOf(next, before).map(({ event }) => event)).toEqual(events);
  });
});

describe('no notice is raised for a withdrawal', () => {
  test.each<[string, OperationRecord, OperationRecord]>([
    ['that is accepted', accepted, sending],
    ['that moves on', { ...accepted, result: resultWith('completed') }, accepted],
    [
      'that stays failed',
      { ...accepted, result: resultWith('failed') },
      { ...accepted, result: resultWith('expired') },
    ],
    ['that is about to be sent again automatically', { ...unconfirmed, retryAt: 5 }, sending],
    ['that stays unconfirmed', { ...unconfirmed, asleepUntil: 9 }, unconfirmed],
    [
      'whose first attempt is refused, as the person who pressed Send sees it',
      operationRecord({ state: 'refused', attempts: [attemptWith({})] }),
      sending,
    ],
    ['that its maker withdrew', { ...waiting, state: 'not-sent', ending: endingBy('discard') }, waiting],
    ['that no connection was made for', { ...waiting, attempts: [attemptWith({ outcome: 'not-made' })] }, waiting],
    ['that somebody closed', operationRecord({ state: 'closed' }), unconfirmed],
  ])('%s', (_, next, before) => {
    expect(noticesOf(next, before)).toEqual([]);
  });
});

describe('a payment of a batch', () => {
  const batch = { id: 'batch_0001', line: 2, reference: null, recipient: null };
  const mismatched = operationRecord({ state: 'unconfirmed', reason: 'mismatch', contradiction: OTHER, batch });

  test.each([
    ['unconfirmed', { ...unconfirmed, batch }, sending],
    ['unconfirmed once its automatic retries are used up', { ...unconfirmed, batch }, { ...unconfirmed, retryAt: 5 }],
    ['another payment than was sent', mismatched, sending],
    ['refused', operationRecord({ state: 'refused', attempts: [attemptWith({}), attemptWith({})], batch }), sending],
  ])('raises no notice for its outcome while the batch is sent: %s', (_, next, before) => {
    expect(noticesOf(next, before)).toEqual([]);
  });

  test.each([
    [
      'that it was made after all',
      operationRecord({ state: 'not-sent', result: resultWith('pending'), batch }),
      operationRecord({ state: 'not-sent' }),
      ['operation.executed'],
    ],
    ['that its response names another', mismatched, unconfirmed, ['operation.mismatch']],
    ['that it failed', { ...accepted, result: resultWith('failed'), batch }, accepted, ['payment.failed']],
  ])('raises a notice for what comes to light later: %s', (_, next, before, events) => {
    expect(noticesOf(next, before).map(({ event }) => event)).toEqual(events);
  });
});

test('a failed withdrawal raises the same notice as the watcher, so that it is delivered once', () => {
  expect(noticesOf({ ...accepted, result: resultWith('failed') }, accepted)).toEqual([
    { event: 'payment.failed', subject: 'withdrawal wd_1', episode: 'failed failed' },
  ]);
});

test('an operation that moves no money raises no notice', () => {
  const charge = { kind: 'charge' as const };
  expect(noticesOf({ ...unconfirmed, ...charge }, { ...sending, ...charge })).toEqual([]);
});
