import { expect, test } from 'vitest';
import { readEnvelope } from '#src/shared/answers.ts';
import { loggedBody, type RequestRecord } from '#src/web/api/requestLog.ts';
import { supportText } from './CopyForSupport.tsx';
import { callsOf } from './apiCalls.ts';
import { redact } from '#src/shared/redact.ts';

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const HASH = `0x${'ab'.repeat(32)}`;
const WITHDRAWAL = {
  id: 'wd_nT6M8kt7L5bUUWn5kTWrZPnT6M8kt7L5b',
  status: 'broadcasted',
  asset: 'BTC',
  amount: '12.345',
  address: ADDRESS,
  tx_hash: HASH,
  metadata: { 'jane@example.com': 'order 7' },
  created_at: 1_795_228_907,
};
const ENVELOPE = {
  error: {
    type: 'invalid_request_error',
    code: 'insufficient_funds',
    message: `Only 12.5 BTC for ${ADDRESS}, key sk_live_abcdef1234`,
    request_id: 'req_nT6M8kt7L5bUUWn5kTWrZP',
    hint: 'secret',
  },
};

function record(of: Partial<RequestRecord>, response: unknown): RequestRecord {
  return {
    call: 7,
    attempt: 'a1',
    at: Date.UTC(2026, 10, 21, 13, 58, 22, 123),
    method: 'POST',
    path: '/v1/withdrawals',
    key: 'key-of-the-call-1',
    headers: [],
    body: loggedBody(JSON.stringify(WITHDRAWAL)),
    outcome: 'answer',
    ms: 412,
    status: 400,
    requestId: 'req_1',
    replayed: true,
    answer: {
      gatewayError: null,
      retryAfter: null,
      date: 1_795_228_907,
      contentType: 'application/json',
      complete: true,
      body: loggedBody(JSON.stringify(response)),
      error: readEnvelope(JSON.stringify(response)),
    },
    ...of,
  };
}

const SECRETS = new RegExp([ADDRESS, HASH, '12\\.345', '12\\.5', 'jane', 'order 7', 'sk_live', '"secret"'].join('|'));

test('a bundle has ids, times in UTC, statuses and keys, but no amounts or recipients', () => {
  const calls = callsOf([
    record({ attempt: 'a0', outcome: 'network', status: null, requestId: null, answer: null }, null),
    record({}, ENVELOPE),
  ]);
  const text = supportText({ calls, scope: 'method POST' }, 'https://pay.example.com');
  expect(text).not.toMatch(SECRETS);
  expect(text).toContain('7. POST /v1/withdrawals\n  Idempotency-Key: key-of-the-call-1\n');
  expect(text).toContain(
    '2026-11-21T13:58:22.123Z, 412 ms: 400; request ID req_1; replayed; insufficient_funds: "Only',
  );
});

test('error texts keep ids and lose amounts, addresses, hashes and keys', () => {
  expect(redact(`req_${'a'.repeat(40)} at ${ADDRESS}: 1,000.50 ${HASH}`)).toBe(
    `req_${'a'.repeat(40)} at [left out]: [left out] [left out]`,
  );
  expect(redact('x'.repeat(24))).toBe('x'.repeat(24));
});

test('a hostile call cannot add lines', () => {
  const hostile = record({ path: '/v1/balances/a\nb', key: '\u202Ekey\nX', requestId: 'req_\r\n' }, '\u0000');
  const text = supportText({ calls: callsOf([hostile]), scope: '' }, 'sandbox');
  expect(text.trimEnd().split('\n')).toHaveLength(6);
  expect(text).not.toMatch(/[\u202E\r\0]/);
});
