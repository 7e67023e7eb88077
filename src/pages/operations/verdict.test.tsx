import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AttemptNote, OperationRecord } from '#src/operations/record.ts';
import { answerWords, mayHaveLeft } from './attemptWords.ts';
import { evidenceOf } from './evidence.ts';
import { Known } from './Known.tsx';
import { verdictOf } from './verdict.ts';

const attempt: AttemptNote = {
  id: 'at_1',
  start: 1_795_000_000_000,
  end: 1_795_000_000_400,
  date: 1_795_000_000,
  by: 'person',
  because: null,
  from: { state: 'ready' },
  outcome: 'no-answer',
  late: false,
  status: 502,
  requestId: null,
  replayed: false,
  lost: null,
  gatewayError: null,
  contentType: 'text/html',
  errorType: null,
  errorCode: null,
  errorMessage: null,
  resultId: null,
};
const record: OperationRecord = {
  schema: 2,
  id: 'op_1',
  kind: 'withdrawal',
  service: 'sandbox',
  account: 'a1',
  key: 'key-1',
  path: '/v1/withdrawals',
  body: '{"asset":"BTC","chain":"bitcoin","amount":"0.75","address":"bc1q"}',
  firstSentAt: 1_795_000_000,
  attempts: [attempt],
  state: 'unconfirmed',
  reason: 'no-answer',
  secondSendOf: [],
  revision: 2,
};

test('a web page in the place of the answer is said to be no answer of the service', () => {
  expect(answerWords(record, attempt)).toBe('502, a web page, not from the service');
  expect(verdictOf(record, false).meaning).toContain('not the payment service');
});

test('only a contradicted payment alarms; nothing unconfirmed claims to be sent, paid or refused', () => {
  for (const reason of ['no-answer', 'signed-out', 'stored-failure', 'key-conflict'] as const) {
    const { tone, chip, fact } = verdictOf({ ...record, reason }, false);
    expect([tone, chip]).toEqual(['open', 'Unconfirmed']);
    expect(fact).not.toMatch(/\b(accepted|paid|refused|failed to send)\b/i);
  }
  expect(verdictOf({ ...record, reason: 'mismatch' }, false).tone).toBe('alarm');
});

test('past 23 hours it says check only, whatever the reason; a ready one can only be discarded', () => {
  expect(verdictOf(record, true).meaning).toContain('check only');
  expect(verdictOf({ ...record, state: 'ready' }, true).meaning).toContain('only be discarded');
});

test('what the gateway did not forward is said so, and claims nothing of earlier attempts', () => {
  const kept = {
    ...attempt,
    outcome: 'not-forwarded',
    status: 403,
    gatewayError: 'read-only',
    contentType: null,
  } as const;
  expect(verdictOf({ ...record, attempts: [attempt, kept] }, false).meaning).toContain('read-only');
});

test('what never left the browser is nowhere said to be sent', () => {
  const kept = { ...attempt, outcome: 'not-forwarded', gatewayError: 'session' } as const;
  expect(mayHaveLeft({ ...record, attempts: [kept] })).toBe(false);
  expect(mayHaveLeft({ ...record, attempts: [{ ...attempt, outcome: null }, kept] })).toBe(true);
  expect(evidenceOf({ ...record, state: 'ready', attempts: [kept] })).toContain('Recorded, not sent');
});

test('a request id of the gateway’s own is not taken for the service’s', () => {
  const known = (gatewayError: string | null) =>
    renderToStaticMarkup(
      <Known record={{ ...record, attempts: [{ ...attempt, requestId: 'req_1', gatewayError }] }} />,
    );
  expect(known('upstream')).toContain('Whether the service received any attempt');
  expect(known(null)).toContain('Whether the service carried out any attempt');
});

test('the evidence holds key, exact body and every attempt', () => {
  const text = evidenceOf(record);
  for (const part of [record.key, record.body, 'POST /v1/withdrawals', '502, a web page', 'op_1']) {
    expect(text).toContain(part);
  }
});
