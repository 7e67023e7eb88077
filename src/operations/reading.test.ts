import { describe, expect, it } from 'vitest';
import type { Attempt } from '#src/api/http.ts';
import { allowedActions } from './allowed.ts';
import { step } from './engine.ts';
import { chargeRequest, depositAddressRequest, webhookReplayRequest } from './kinds.ts';
import type { OperationRecord } from './record.ts';
import { SENT, T0, answer, created, envelope, lost, record } from './testWorld.ts';

// "Reading an answer, in this order" of operations.md, row by row, for every kind: what the record becomes.

const NOW = T0 * 1_000;
const WITHDRAWAL = record();
const OTHERS: OperationRecord[] = [
  record({ ...depositAddressRequest('key-1', { asset: 'BTC', chain: 'bitcoin' }) }),
  record({ ...chargeRequest('key-1', '{"amount":"1"}') }),
  record({ ...webhookReplayRequest('key-1', 'whd_1', []) }),
];

const HTML = '<html>Bad gateway</html>';
const REPLAYED = { replayed: true };
const OPEN = 'unconfirmed';

/** `state`, `state reason`, or with `, waits` where an automatic retry is due, or `, rests` where Resend sleeps. */
type Becomes = string;

const ROWS: [what: string, came: Attempt, withdrawal: Becomes, other: Becomes][] = [
  ['session', answer(401, envelope('x'), { gatewayError: 'session' }), 'ready', 'ready'],
  ['account', answer(409, envelope('x'), { gatewayError: 'account' }), 'ready', 'ready'],
  ['read-only', answer(403, envelope('x'), { gatewayError: 'read-only' }), 'ready', 'ready'],
  ['not-allowed', answer(404, envelope('x'), { gatewayError: 'not-allowed' }), 'ready', 'ready'],
  ['a clean 201 with the id', answer(201, created()), 'succeeded', 'succeeded'],
  ['a clean 200 with the id alone', answer(200, { id: 'wd_1' }), 'succeeded', 'succeeded'],
  ['a field that differs', answer(201, created({ amount: '1' })), `${OPEN} mismatch`, 'succeeded'],
  ['204', answer(204, ''), `${OPEN} no-answer, waits`, 'succeeded'],
  ['JSON without an id', answer(200, { ok: true }), `${OPEN} no-answer, waits`, 'succeeded'],
  ['JSON that is no object', answer(200, 'null'), `${OPEN} no-answer, waits`, 'succeeded'],
  ['an id of another kind', answer(201, { id: 'dep_1' }), `${OPEN} no-answer, waits`, 'succeeded'],
  [
    'a 200 of the gateway’s own',
    answer(200, { id: 'wd_1' }, { gatewayError: 'upstream' }),
    `${OPEN} no-answer, waits`,
    `${OPEN} no-answer, waits`,
  ],
  ['an empty 200', answer(200, ''), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['HTML with 200', answer(200, HTML), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  [
    'a 201 cut short',
    answer(201, created(), { complete: false }),
    `${OPEN} no-answer, waits`,
    `${OPEN} no-answer, waits`,
  ],
  ['a 204 cut short', answer(204, '', { complete: false }), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['invalid JSON with 201', answer(201, '{"id":'), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['409 of the key', answer(409, envelope('idempotency_key_reused')), `${OPEN} key-conflict`, `${OPEN} key-conflict`],
  [
    'the same replayed',
    answer(409, envelope('idempotency_key_reused'), REPLAYED),
    `${OPEN} key-conflict`,
    `${OPEN} key-conflict`,
  ],
  ['500 replayed', answer(500, envelope('x'), REPLAYED), `${OPEN} stored-failure`, `${OPEN} stored-failure`],
  ['400 replayed', answer(400, envelope('x'), REPLAYED), 'refused', 'refused'],
  ['401', answer(401, envelope('authentication_error')), `${OPEN} signed-out`, `${OPEN} signed-out`],
  ['403', answer(403, HTML), `${OPEN} signed-out`, `${OPEN} signed-out`],
  ['425', answer(425, envelope('x')), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['429', answer(429, envelope('x')), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['503', answer(503, HTML), `${OPEN} no-answer, waits`, `${OPEN} no-answer, waits`],
  ['503 that asks for 99999 s', answer(503, '', { retryAfter: '99999' }), `${OPEN} no-answer`, `${OPEN} no-answer`],
  [
    '503 that asks for nonsense',
    answer(503, '', { retryAfter: 'abc' }),
    `${OPEN} no-answer, waits`,
    `${OPEN} no-answer, waits`,
  ],
  [
    '503 that asks for less than nothing',
    answer(503, '', { retryAfter: '-1' }),
    `${OPEN} no-answer, waits`,
    `${OPEN} no-answer, waits`,
  ],
  [
    'another 409',
    answer(409, envelope('x'), { retryAfter: '1' }),
    `${OPEN} no-answer, waits`,
    `${OPEN} no-answer, waits`,
  ],
  ['408', answer(408, envelope('x')), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  [
    'upstream',
    answer(502, envelope('x'), { gatewayError: 'upstream' }),
    `${OPEN} no-answer, rests`,
    `${OPEN} no-answer, rests`,
  ],
  ['a 400 that is HTML', answer(400, HTML), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['a 404 without the envelope', answer(404, { error: 'x' }), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['500', answer(500, envelope('x')), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['502 that is HTML', answer(502, HTML), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['a redirect', lost('redirect'), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['a time-out', lost('timeout'), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['no answer', lost('network'), `${OPEN} no-answer, rests`, `${OPEN} no-answer, rests`],
  ['400 with the envelope, the only attempt', answer(400, envelope('x')), 'refused', 'refused'],
  ['offline, so that nothing left', lost('offline'), 'ready', 'ready'],
];

function become({ state, reason, retryAt, asleepUntil }: OperationRecord): Becomes {
  const pause = retryAt !== undefined ? ', waits' : asleepUntil !== undefined ? ', rests' : '';
  return `${state}${reason === undefined ? '' : ` ${reason}`}${pause}`;
}

function send(from: OperationRecord, came: Attempt, attemptId: string, at: number): OperationRecord {
  const sending = step(from, { type: 'send', attemptId, at, date: T0 }).record;
  const next = sending && step(sending, { type: 'answer', attemptId, at: at + 1_000, attempt: came, jitter: 0 }).record;
  if (!next) throw new Error('It was not sent.');
  return next;
}

describe('the first answer', () => {
  it.each(ROWS)('%s', (_what, came, withdrawal, other) => {
    expect(become(send(WITHDRAWAL, came, 'at_1', NOW))).toBe(withdrawal);
    for (const record of OTHERS)
      expect([record.kind, become(send(record, came, 'at_1', NOW))]).toEqual([record.kind, other]);
  });

  it('of another kind is kept as it came', () => {
    const [address, charge, replay] = OTHERS.map((record) =>
      send(record, answer(201, '{"id": "x", "n": 1.50}'), 'at_1', NOW),
    );
    for (const done of [address, charge, replay]) {
      expect(done?.result).toEqual({
        id: 'x',
        text: '{"id": "x", "n": 1.50}',
        requestId: 'req_1',
        by: 'answer',
        confirmed: [],
      });
    }
    expect(OTHERS.map((record) => send(record, answer(204, ''), 'at_1', NOW).result?.text)).toEqual(['', '', '']);
  });
});

describe('after a lost attempt', () => {
  const after = (record: OperationRecord, came: Attempt): OperationRecord =>
    send(send(record, lost('timeout'), 'at_1', NOW), came, 'at_2', NOW + 60_000);

  it.each([WITHDRAWAL, ...OTHERS])('$kind: a refusal is believed only when it is replayed', (record) => {
    const no = envelope('invalid_request_error');
    expect(become(after(record, answer(400, no)))).toBe(`${OPEN} no-answer, waits`);
    expect(become(after(record, answer(400, no, REPLAYED)))).toBe('refused');
  });

  it.each([WITHDRAWAL, ...OTHERS])('$kind: what was not forwarded leaves it as it was', (record) => {
    const none = answer(401, envelope('x'), { gatewayError: 'session' });
    expect(become(after(record, none))).toBe(`${OPEN} no-answer`);
    const signedOut = send(record, answer(403, envelope('x')), 'at_1', NOW);
    expect(become(send(signedOut, none, 'at_2', NOW + 60_000))).toBe(`${OPEN} signed-out`);
  });

  it.each([WITHDRAWAL, ...OTHERS])('$kind: a replayed success is a success', (record) => {
    expect(become(after(record, answer(201, created(), REPLAYED)))).toBe('succeeded');
  });
});

describe('what a person may do', () => {
  const may = (record: OperationRecord, serviceNow: number | null = T0 + 60, now = NOW + 60_000) => {
    const expired = serviceNow === null ? null : serviceNow - T0 >= 23 * 3_600;
    const circumstances = { now, serviceNow, expired, readOnly: false, checkOnly: false };
    const { allowed, disabled } = allowedActions(record, circumstances);
    return allowed.map((action) => (disabled[action] === undefined ? action : `(${action})`)).join(' ');
  };
  const open = lost('timeout');
  const TABLE: [what: string, came: Attempt, serviceNow: number | null, withdrawal: string, other: string][] = [
    ['no answer', open, T0 + 60, 'check resend close', 'resend close'],
    ['no answer, clock unknown', open, null, 'check resend close', 'resend close'],
    ['23 h', open, T0 + 23 * 3_600, 'check (resend) close', '(resend) close'],
    ['26 h', open, T0 + 26 * 3_600, 'check (resend) confirm-not-sent close', '(resend) close'],
    ['signed out', answer(401, envelope('x')), T0 + 60, 'check resend close', 'resend close'],
    ['stored failure', answer(500, envelope('x'), REPLAYED), T0 + 60, 'check close', 'close'],
    ['key conflict', answer(409, envelope('idempotency_key_reused')), T0 + 60, 'check close', 'close'],
    ['mismatch at 26 h', answer(201, created({ amount: '1' })), T0 + 26 * 3_600, 'check close', 'start-another'],
    ['a success', answer(201, created()), T0 + 60, 'check start-another', 'start-another'],
    ['a final no', answer(400, envelope('x')), T0 + 60, 'edit-as-new', 'edit-as-new'],
    ['not forwarded', answer(401, envelope('x'), { gatewayError: 'session' }), T0 + 60, 'send discard', 'send discard'],
    [
      'not forwarded, 23 h',
      answer(401, '', { gatewayError: 'session' }),
      T0 + 23 * 3_600,
      '(send) discard',
      '(send) discard',
    ],
  ];

  it.each(TABLE)('%s', (_what, came, serviceNow, withdrawal, other) => {
    expect(may(send(WITHDRAWAL, came, 'at_1', NOW), serviceNow)).toBe(withdrawal);
    for (const record of OTHERS) expect(may(send(record, came, 'at_1', NOW), serviceNow)).toBe(other);
  });

  it('waits while an automatic retry is due, and while the last attempt may still finish', () => {
    const waiting = send(WITHDRAWAL, answer(503, '', { retryAfter: '5' }), 'at_1', NOW);
    expect(may(waiting, T0 + 2, NOW + 2_000)).toBe('check (resend) (close)');
    expect(may(waiting, T0 + 7, NOW + 7_000)).toBe('check resend close');
    const resting = send(WITHDRAWAL, open, 'at_1', NOW);
    expect(may(resting, T0 + 2, NOW + 2_000)).toBe('check (resend) close');
  });

  it('never a proof of absence after a 2xx that was cut short', () => {
    const cut = send(WITHDRAWAL, answer(201, '{"id":"wd_1', { complete: false, retryAfter: '61' }), 'at_1', NOW);
    expect(become(cut)).toBe(`${OPEN} no-answer`);
    expect(may(cut, T0 + 26 * 3_600)).toBe('check (resend) close');
    const portal = send(WITHDRAWAL, answer(200, HTML, { contentType: 'text/html', retryAfter: '61' }), 'at_1', NOW);
    expect(may(portal, T0 + 26 * 3_600)).toBe('check (resend) confirm-not-sent close');
  });

  it('under another key of the account only checks and closes', () => {
    const circumstances = { now: NOW + 60_000, serviceNow: T0 + 60, expired: false, readOnly: false, checkOnly: true };
    const open = send(WITHDRAWAL, lost('timeout'), 'at_1', NOW);
    expect(allowedActions(open, circumstances)).toEqual({ allowed: ['check', 'close'], disabled: {} });
    expect(allowedActions(WITHDRAWAL, circumstances)).toEqual({ allowed: ['discard'], disabled: {} });
  });

  it('edits nothing: key and bytes are those of the first attempt', () => {
    const again = send(send(WITHDRAWAL, open, 'at_1', NOW), open, 'at_2', NOW + 60_000);
    expect([again.key, again.body]).toEqual(['key-1', JSON.stringify(SENT)]);
  });
});
