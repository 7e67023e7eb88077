import { describe, expect, it } from 'vitest';
import { chargeRequest } from './charge.ts';
import { depositAddressRequest } from './depositAddress.ts';
import { KINDS } from './kind.ts';
import { faultIn } from './faultIn.ts';
import { duplicateKeyOf, titleOf } from './kinds.ts';
import { deliveryOf, webhookReplayRequest } from './webhookReplay.ts';
import { withdrawalRequest } from './withdrawal.ts';

const SENT = { asset: 'BTC', chain: 'bitcoin', amount: '0.75', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
const withdrawal = withdrawalRequest(SENT);
const SPACED = JSON.stringify(SENT, null, 1);
const MORE = JSON.stringify({ ...SENT, memo: '1' });
const placeOf = (sent: typeof withdrawal): string | null => duplicateKeyOf(sent);
const charge = (body: string) => faultIn(chargeRequest(body));

it.each([
  withdrawal,
  depositAddressRequest({ asset: 'BTC', chain: 'bitcoin' }),
  chargeRequest('{ "amount" : "1" }'),
  webhookReplayRequest('whd_1'),
])('$kind: a request built here is valid for its kind and for no other', (request) => {
  for (const kind of KINDS) {
    const isOwn = kind === request.kind;
    expect([kind, faultIn({ ...request, kind }) === null]).toEqual([kind, isOwn]);
    expect([kind, duplicateKeyOf({ ...request, kind }) !== null]).toEqual([kind, isOwn]);
  }
});

describe('a withdrawal', () => {
  it.each([
    SPACED,
    MORE,
    JSON.stringify({ ...SENT, amount: '1e-8' }),
    JSON.stringify({ ...SENT, amount: 1 }),
    JSON.stringify([SENT]),
    '{}',
    '',
  ])('a body that differs from what review shows is refused: %j', (body) => {
    expect(faultIn({ ...withdrawal, body })).toEqual(expect.any(String));
  });

  it.each([SPACED, MORE])('a body recorded by another version is read and has a duplicate key: %j', (body) => {
    expect(placeOf({ ...withdrawal, body })).toBe(placeOf(withdrawal));
  });

  it.each(['{}', '[]', 'null', 'garbage'])('an unreadable body has no duplicate key: %s', (body) => {
    expect(placeOf({ ...withdrawal, body })).toBeNull();
  });
});

describe('a replay', () => {
  it.each(['whd_1', 'a/b', '50%', 'ä ?#'])('a delivery’s id is one segment of the path: %s', (id) => {
    const request = webhookReplayRequest(id);
    expect(faultIn(request)).toBeNull();
    expect(deliveryOf(request)).toBe(id);
  });

  it.each(['..;/admin', 'a/../b', '%2e', 'a\n', 'x'.repeat(201)])(
    'an id that could be another path is refused: %j',
    (id) => {
      expect(faultIn(webhookReplayRequest(id))).toEqual(expect.any(String));
    },
  );

  it.each(['a/b', '%61', '.', '..', '%2e%2e', '%zz', ''])('a path with the segment %j is not a replay', (segment) => {
    const path = `/v1/webhook-deliveries/${segment}/replay`;
    expect(faultIn({ kind: 'webhook-replay', path, body: '{}' })).toEqual(expect.any(String));
  });
});

describe('the body of a charge', () => {
  it.each([
    ['longer than 16 kB', JSON.stringify({ note: 'x'.repeat(16_000) })],
    ['longer than 16 kB in bytes', JSON.stringify({ note: 'é'.repeat(8_000) })],
    ['with NUL', '{"note":"\0"}'],
    ['with NUL in an escape', '{"note":"\\u0000"}'],
    ['with half of a character', '{"note":"\uD83D"}'],
    ['with half of a character in an escape', '{"note":"\\ud83d"}'],
    ['with half of a character in a name', '{"\\uDE00":1}'],
    ['with the halves in the wrong order', '{"note":"\\ude00\\ud83d"}'],
    ['with a member named twice', '{"a":1,"a":2}'],
    ['with a member named twice further in', '{"a":[{"b":1,"b":1}]}'],
    ['nested too deep', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
    ['nested so deep that walking it fails', `{"a":${'['.repeat(7_900)}${']'.repeat(7_900)}}`],
    ['that is a list', '[]'],
    ['that is no JSON', '{'],
  ])('is refused: %s', (_what, body) => expect(charge(body)).toEqual(expect.any(String)));

  it.each([
    '{}',
    '{"note":"😀 \\ud83d\\ude00 \\\\ud83d"}',
    '{"a":{"b":1},"b":1,"c":[{"b":1},{"b":2}]}',
    `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
    JSON.stringify({ n: 'x'.repeat(15_992) }),
  ])('is accepted: %s', (body) => expect(charge(body)).toBeNull());
});

it('a title says what the operation is about, without amounts on a shared screen', () => {
  expect(titleOf(withdrawal, false)).toBe('Withdrawal of 0.75 BTC');
  expect(titleOf(withdrawal, true)).toBe('Withdrawal of ••••• BTC');
  expect(titleOf(depositAddressRequest(SENT), true)).toBe('Deposit address, BTC on Bitcoin');
  expect(titleOf(chargeRequest('{}'), false)).toBe('Charge');
});
