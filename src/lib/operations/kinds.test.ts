import { expect, it } from 'vitest';
import {
  chargeRequest,
  deliveryOf,
  depositAddressRequest,
  faultIn,
  isOfKind,
  placeOf,
  webhookReplayRequest,
  withdrawalRequest,
} from './kinds.ts';
import { SENT } from './testWorld.ts';

const withdrawal = withdrawalRequest('key-1', SENT, []);
const SPACED = JSON.stringify(SENT, null, 1);
const MORE = JSON.stringify({ ...SENT, memo: '1' });

it.each([
  withdrawal,
  depositAddressRequest('key-1', { asset: 'BTC', chain: 'bitcoin' }),
  chargeRequest('key-1', '{ "amount" : "1" }'),
  webhookReplayRequest('key-1', 'whd_1', []),
])('$kind: what is made here is of its kind, and of no other', (request) => {
  expect(faultIn(request)).toBeNull();
  for (const kind of ['withdrawal', 'deposit-address', 'charge', 'webhook-replay'] as const) {
    expect([kind, isOfKind({ ...request, kind })]).toEqual([kind, kind === request.kind]);
  }
});

it.each([SPACED, MORE, JSON.stringify({ ...SENT, amount: '1e-8' }), JSON.stringify({ ...SENT, amount: 1 }), '{}', ''])(
  'nothing is recorded that no person reviewed: %j',
  (body) => expect(faultIn({ ...withdrawal, body })).toEqual(expect.any(String)),
);

it.each([SPACED, MORE])('what another build recorded is read, and holds its place: %j', (body) => {
  expect(isOfKind({ ...withdrawal, body })).toBe(true);
  expect(placeOf({ ...withdrawal, body })).toBe(placeOf(withdrawal));
});

it.each(['whd_1', 'a/b', '50%', 'ä ?#'])('a delivery’s id is one segment of the path: %s', (id) => {
  const request = webhookReplayRequest('key-1', id, []);
  expect(faultIn(request)).toBeNull();
  expect(deliveryOf(request)).toBe(id);
});
