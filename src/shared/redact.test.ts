import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEFT_OUT, redact, redactId } from './redact.ts';

const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const TON = 'EQD4FPq-PRDieyQKkizFTRtSDyucUIqrj0v_zXJmqaDp6_0t';

describe('amounts in free text are left out', () => {
  test.each([
    ['Sent 1,250 USDT by hand', 'Sent [left out] USDT by hand'],
    ['Insufficient funds: 5000 available', 'Insufficient funds: [left out] available'],
    ['Only 12.5 BTC', 'Only [left out] BTC'],
    ['-0.25 and −12 ETH', '-[left out] and −[left out] ETH'],
    ['5 BTC, 7USDT, 3 C98', '[left out] BTC, [left out]USDT, [left out] C98'],
    ['1 250,50 or 1.250.000 or 5’000 or 1_000', '[left out] or [left out] or [left out] or [left out]'],
    ['1000-2000, 5000usd, BTC-12.5, $4999', '[left out]-[left out], [left out]usd, BTC-[left out], $[left out]'],
    ['0.12345678901234567890123', '[left out]'],
    ['2000 USDT in 2026-11-21', '[left out] USDT in 2026-11-21'],
    [
      '250 usdt, 3 Btc, 7 bitcoins, 5 Dollars',
      '[left out] usdt, [left out] Btc, [left out] bitcoins, [left out] Dollars',
    ],
    [
      'USDT 250, usd: -3, EUR=5, BTC-12, USDT250',
      'USDT [left out], usd: -[left out], EUR=[left out], BTC-[left out], USDT[left out]',
    ],
    ['$250, € 3, 250 €, 7£', '$[left out], € [left out], [left out] €, [left out]£'],
    ['5 (BTC), #1000 USDT, #7 eth', '[left out] (BTC), #[left out] USDT, #[left out] eth'],
    ['amount: 999, Fee=2, an amount of 5', 'amount: [left out], Fee=[left out], an amount of [left out]'],
    ['{"amount":"5","asset":"BTC"}', '{"amount":"[left out]","asset":"BTC"}'],
    [String.raw`{\"feeAmount\":\"5\"}`, String.raw`{\"feeAmount\":\"[left out]\"}`],
    ['1e18, 2.5e2 USDT, 1E+6', '[left out], [left out] USDT, [left out]'],
    ['２５０ USDT, ٥٠٠ USDT, ١٬٢٥٠٫٥', '[left out] USDT, [left out] USDT, [left out]'],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

test.each([
  '404 not_found; HTTP 500, 429 Too Many Requests, 200 OK, HTTP 503 GONE',
  'stored for 24 hours, attempt 3 of 12, 30 s, 1–5 min',
  '2026-11-21T13:58:22.123Z, 2026-11-21 13:58:22 UTC, 2026-11-21',
  'Sat 21 Nov 2026 13:58:22 UTC, November 21, 2026, 21.11.2026, 9:05 AM',
  'req_7dKq-29_x12345678901234567890, wd_9fK2, dep_2026, whd_12345, le_1795000000',
  'INV-2026-0042, T-48211, #48211, Invoice 2026-117, RE 2026/0042',
  'Idempotency-Key, invalid_request_error, insufficient_funds_for_withdrawal, WEBHOOK_DELIVERY_IN_PROGRESS',
  '/v1/webhook-deliveries, Amounts/addresses',
  'X-RateLimit-Remaining, insufficientFundsError, idempotency_key_in_use, api_error',
  'The key cannot be used, the token has expired, Bearer authentication, Idempotency-Key op_12345678',
  'v2.3.4, took 1200ms, 1500 ms, 1.5s, 4096 bytes, 2048kB, 100%',
  '11/20/2026, 20/11/2026, 12:30 USDT',
  'They have been sent back with ab12 over here',
  'bc1qxy2kg…0wlh',
  'x'.repeat(24),
])('text that is not about money stays: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  BITCOIN,
  TON,
  `0x${'ab'.repeat(32)}`,
  'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
  'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer',
  '6f1c2a44-9d1e-4c55-8f0b-0c8f4d8e7a10',
  'sk_live_abcdef1234',
  'ck_live_12ab34cd56',
  'sk_12345',
  'whsec_9f8e7d6c5b',
  'op_sk_live_abcdefghij123456',
  'dep_0x52908400098527886E0F7030069857D2E4169EE7',
  'DdzFFzCqrhsjLWVXm',
  'bc1q xy2k gdyg jrsq tzq2 n0yr',
  '0x52 9084 0009 8527',
  'x'.repeat(25),
])('an address, hash or key is removed completely: %s', (secret) => {
  for (const [before, after] of [
    ['', ''],
    ['to ', ', again'],
    ['(', ')'],
    ['address=', '&x=1'],
    ['“', '”.'],
    ['12.', ' ok'],
  ])
    expect(redact(`${before}${secret}${after}`)).toBe(`${before}${LEFT_OUT}${after}`);
});

test.each([
  ['api_key: A1b2C3d4E5f6G7h8', 'api_key: [left out]'],
  ['secret: hunter2hunter2, again', 'secret: [left out], again'],
  ['Authorization: Bearer A1b2C3d4E5f6G7h8', 'Authorization: Bearer [left out]'],
  ['token: Bearer A1b2C3, key password hunter22', 'token: Bearer [left out], key password [left out]'],
  ['secret: api_key: hunter22', 'secret: api_key: [left out]'],
  ['?token=abcdef&x=1', '?token=[left out]&x=1'],
  ['{"password": "p@ss!word"}', '{"password": "[left out]"}'],
  ['Sent from 2026 with bc1q xy2k gdyg jrsq, again', 'Sent from [left out], again'],
])('a word named as a secret, or grouped like an address, is removed: %s', (text, redacted) => {
  expect(redact(text)).toBe(redacted);
});

test('text is redacted before it is clipped', () => {
  for (let length = 260; length <= 300; length += 1) {
    const redacted = redact(`${'a '.repeat(150).slice(0, length)} ${TON}`);
    expect(redacted).not.toContain(TON.slice(0, 4));
    expect(redacted.length).toBeLessThanOrEqual(301);
  }
});

test('an id of digits alone and a UUID stay', () => {
  for (const id of ['48211', '6f1c2a44-9d1e-4c55-8f0b-0c8f4d8e7a10', 'T-42']) expect(redactId(id)).toBe(id);
  expect(redactId(`48211 for ${BITCOIN}`)).toBe('[left out] for [left out]');
  expect(redactId('1795.5')).toBe(LEFT_OUT);
});

/** Ids and words of plain letters are not redacted on purpose. */
function isKept(word: string): boolean {
  if (/^(?:acct|ch|cur|dep|le|lt|op|req|swp|wd|whd)_/.test(word)) return true;
  return word.split(/[_-]/).every((part) => /^(?:[A-Z]?[a-z]*(?:[A-Z][a-z]{2,})*|[A-Z]*)$/.test(part));
}

const LETTERS = Array.from('ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789_-');
const MIXED = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 20, maxLength: 70 })
  .filter((word) => /[A-Za-z]/.test(word) && !isKept(word));
const AROUND = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...Array.from('aB1_- .,:/?=#\n5BTCé')), maxLength: 60 }),
  fc.constantFrom('key_', '2026-11-21T', '1,250.', '#', 'HTTP 200', 'xreq_', 'Nov ', '12:30'),
);

test('no long word of letters and digits survives, not even its end, whatever surrounds it', () => {
  fc.assert(
    fc.property(AROUND, MIXED, AROUND, (before, word, after) => {
      const text = before + word + after;
      const redacted = redact(text);
      for (const left of redacted.match(/[\w-]{20,}/g) ?? []) expect(isKept(left)).toBe(true);
      if (text.match(/[\w-]+/g)?.some((joined) => joined.includes(word) && isKept(joined))) return;
      const around = redact(before) + redact(after);
      const ends = [word.slice(0, 10), word.slice(-10)];
      expect(ends.filter((end) => redacted.includes(end) && !around.includes(end))).toEqual([]);
    }),
  );
});

test('no amount survives before an asset code or with four digits, whatever surrounds it', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: 1000n, max: 10n ** 18n }).map(String),
    fc.bigInt({ min: 1000n, max: 10n ** 12n }).map((whole) => whole.toLocaleString('en')),
    fc.nat({ max: 999 }).map((whole) => `${whole} USDT`),
    fc.tuple(fc.nat(), fc.nat()).map(([whole, rest]) => `${whole}.${rest} BTC`),
  );
  const words = fc.string({ unit: fc.constantFrom(...Array.from('abc ($€:;"é')), maxLength: 30 });
  fc.assert(
    fc.property(words, amount, words, (before, text, after) => {
      const redacted = redact(`${before} ${text} ${after}`);
      expect(redacted).not.toMatch(/\d/);
      expect(redacted).toContain(LEFT_OUT);
    }),
  );
});

// Matching that grows with the square of the length would run into the time-out.
test('a long hostile text is redacted', { timeout: 60_000 }, () => {
  const parts = ['1 ', '1.1 111', '1,', 'a-', '111 ', 'aA1_', '[', 'a.1', '12:', 'Nov 2', '2026-'];
  const named = [
    '1',
    ' ',
    '(',
    '"',
    'key ',
    'key=',
    'usdt ',
    'amount:',
    'bc1q ',
    'sk_',
    'aA',
    'Aaa',
    '1e',
    '1 (',
    'v1.',
  ];
  for (const part of [...parts, ...named]) {
    expect(redact(part.repeat(30_000))).not.toBe('');
    for (const start of ['#', '1', 'key', 'usdt', 'v1']) redact(`${start}${part.repeat(1_000)}5 `);
  }
});
