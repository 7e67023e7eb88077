import { expect, it } from 'vitest';
import { chargeRequest } from './charge.ts';
import { depositAddressRequest } from './depositAddress.ts';
import { KINDS } from './kind.ts';
import { KIND, faultIn } from './kinds.ts';
import { deliveryOf, webhookReplayRequest } from './webhookReplay.ts';
import { withdrawalRequest } from './withdrawal.ts';

const SENT = { asset: 'BTC', chain: 'bitcoin', amount: '0.75', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };
const withdrawal = withdrawalRequest(SENT);
const SPACED = JSON.stringify(SENT, null, 1);
const MORE = JSON.stringify({ ...SENT, memo: '1' });

it.each([
  withdrawal,
  depositAddressRequest({ asset: 'BTC', chain: 'bitcoin' }),
  chargeRequest('{ "amount" : "1" }'),
  webhookReplayRequest('whd_1'),
])('$kind: what is made here is of its kind, and of no other', (request) => {
  expect(faultIn(request)).toBeNull();
  for (const kind of KINDS) {
    expect([kind, faultIn({ ...request, kind }) === null]).toEqual([kind, kind === request.kind]);
  }
});

it.each([SPACED, MORE, JSON.stringify({ ...SENT, amount: '1e-8' }), JSON.stringify({ ...SENT, amount: 1 }), '{}', ''])(
  'nothing is recorded that no person reviewed: %j',
  (body) => expect(faultIn({ ...withdrawal, body })).toEqual(expect.any(String)),
);

it.each([
  ['twice the same member', '{"amount":"1","amount":"2"}'],
  ['twice, one of them escaped', '{"amount":"1","\\u0061mount":"2"}'],
  ['twice, deeper', '{"a":[{"b":1,"b":2}]}'],
  ['NUL', '{"a":"\\u0000"}'],
  ['half of a character', '{"a":"\\ud800"}'],
  ['a body that is too long', `{"a":"${'x'.repeat(16_000)}"}`],
])('a charge with %s is not sent', (_what, body) => {
  expect(faultIn(chargeRequest(body))).toEqual(expect.any(String));
});

it.each(['{"a":{"b":1},"c":{"b":1}}', '{"a":"\\ud83d\\ude00"}'])('a charge may be %s', (body) =>
  expect(faultIn(chargeRequest(body))).toBeNull(),
);

it.each([SPACED, MORE])('what another build recorded is read, and holds its place: %j', (body) => {
  expect(KIND.withdrawal.placeOf({ ...withdrawal, body })).toBe(KIND.withdrawal.placeOf(withdrawal));
});

it.each(['whd_1', 'a/b', '50%', 'ä ?#'])('a delivery’s id is one segment of the path: %s', (id) => {
  const request = webhookReplayRequest(id);
  expect(faultIn(request)).toBeNull();
  expect(deliveryOf(request)).toBe(id);
});
