import { READ_ONLY_RIGHTS } from '#src/server/people/testRights.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EarlierSends, StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { chargeRequest } from '#src/shared/operations/charge.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { HOUR, SENT, answer, created, envelope, lost, listBody } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld } from './testWorld.ts';

// Look-alikes of every kind: which block, and which must be confirmed.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const ETHER = { ...SENT, asset: 'ETH', chain: 'ethereum', address: '0x52908400098527886E0F7030069857D2E4169EE7' };
const TRON = { ...SENT, asset: 'USDT', chain: 'tron', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' };
const TONCOIN = {
  ...SENT,
  asset: 'TON',
  chain: 'ton',
  address: '0:906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1',
};
const TON_SPELLINGS = [
  'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
  'UQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18b12',
];
const other = { actor: { account: 'b'.repeat(32), apiKey: 'sk_b' } };
const MINUTES = 60_000;
const FOUND = { source: 'journal', count: null, amount: SENT.amount, status: 'pending' };

type Answer = Awaited<ReturnType<Server['put']>>;
const inTheWay = ({ body }: Answer): EarlierSends | null =>
  'look_alikes' in body ? (body.look_alikes as EarlierSends) : null;
const idsIn = (came: Answer) => inTheWay(came)?.of.map(({ id }) => id);

/** Starts it under a new key, waits until it is final, and returns whether it was sent. */
let keys = 0;
async function start(request: Partial<StartRequest>, asked?: { actor: object }): Promise<Answer> {
  keys += 1;
  const came = await server.put(`k-${keys}`, request, asked);
  await server.settled();
  return came;
}

describe.each<[string, Partial<StartRequest>, Partial<StartRequest>[], Partial<StartRequest>[], number]>([
  [
    'a withdrawal: asset, chain and address, each in its normal form',
    withdrawalRequest(SENT),
    [
      { amount: '9' },
      { asset: 'btc' },
      { chain: 'Bitcoin (mainnet)' },
      { chain: 'BTC' },
      { address: SENT.address.toUpperCase() },
    ].map((more) => withdrawalRequest({ ...SENT, ...more })),
    [{ address: 'bc1q9h6yzs' }, { asset: 'LTC' }, { chain: 'litecoin' }].map((more) =>
      withdrawalRequest({ ...SENT, ...more }),
    ),
    24 * HOUR,
  ],
  [
    'a withdrawal to hex, in either case',
    withdrawalRequest(ETHER),
    [withdrawalRequest({ ...ETHER, address: ETHER.address.toLowerCase() })],
    [withdrawalRequest({ ...ETHER, address: `${ETHER.address.slice(0, -1)}8` })],
    24 * HOUR,
  ],
  [
    'a withdrawal to base58: exactly',
    withdrawalRequest(TRON),
    [withdrawalRequest({ ...TRON, amount: '1' })],
    [withdrawalRequest({ ...TRON, address: TRON.address.toLowerCase() })],
    24 * HOUR,
  ],
  [
    'a withdrawal to TON: the account, in any of its spellings',
    withdrawalRequest(TONCOIN),
    TON_SPELLINGS.map((address) => withdrawalRequest({ ...TONCOIN, address })),
    [withdrawalRequest({ ...TONCOIN, address: TONCOIN.address.replace('0:90', '0:91') })],
    24 * HOUR,
  ],
  [
    'a charge: the body’s normal form',
    chargeRequest('{"amount":"1","to":{"a":1,"b":[2]}}'),
    [chargeRequest('{ "to" : {"b":[2],"a":1}, "amount":"1" }')],
    [chargeRequest('{"amount":"1.0","to":{"a":1,"b":[2]}}'), chargeRequest('{"amount":"1"}')],
    10 * MINUTES,
  ],
  [
    'a deposit address: asset and chain',
    depositAddressRequest({ asset: 'USDT', chain: 'TRC20' }),
    [depositAddressRequest({ asset: 'usdt', chain: 'Tron' })],
    [depositAddressRequest({ asset: 'USDT', chain: 'ethereum' })],
    10 * MINUTES,
  ],
  [
    'a replay: the delivery',
    webhookReplayRequest('whd_1'),
    [webhookReplayRequest('whd_1')],
    [webhookReplayRequest('WHD_1')],
    Number.POSITIVE_INFINITY,
  ],
])('%s', (_what, first, same, different, within) => {
  beforeEach(() => {
    let ids = 0;
    // A missing field doesn't count as different.
    world.post = () => answer(201, { id: `wd_x${(ids += 1)}` }, { date: world.date() });
  });

  it('an unresolved operation blocks its duplicate key and no other', async () => {
    world.post = () => lost();
    await start(first);
    const key = `k-${keys}`;
    for (const one of same) expect(inTheWay(await start(one))).toEqual({ existing: key, of: [] });
    for (const one of different) expect((await start(one)).status).toBe(201);
    expect(world.posts).toHaveLength(1 + different.length);
  });

  it('a finished operation must be confirmed, and then doesn’t block', async () => {
    await start(first);
    const key = `k-${keys}`;
    for (const one of same) {
      expect(idsIn(await start(one))).toContain(key);
      expect(idsIn(await start({ ...one, second_send_of: ['k-0'] }))).toContain(key);
    }
    const [again = first] = same;
    expect((await start({ ...again, second_send_of: [key] })).status).toBe(201);
    expect(world.posts).toHaveLength(2);
  });

  it('must be confirmed until its time has passed by all three clocks', async () => {
    await start(first);
    const [again = first] = same;
    world.sleep(Math.min(within, 1_000 * HOUR) - 1_000);
    expect((await start(again)).status).toBe(409);
    world.sleep(1_000);
    for (const clock of ['service', 'server', 'database'] as const) {
      world.skew[clock] = clock === 'service' ? -1 : -1_000;
      expect((await start(again)).status).toBe(409);
      world.skew[clock] = 0;
    }
    expect((await start(again)).status).toBe(Number.isFinite(within) ? 201 : 409);
  });
});

describe('which ended operations must be confirmed', () => {
  it.each<[Partial<OperationRecord>, boolean]>([
    [{ state: 'succeeded' }, true],
    [{ state: 'closed' }, true],
    [{ state: 'refused' }, false],
    [{ state: 'not-sent' }, false],
  ])('%j: %s', async ({ state = 'ready' }, asksAgain) => {
    await start({});
    const entry = world.journal.entries.get(`k-${keys}`);
    if (!entry) throw new Error('Nothing is recorded.');
    const { result: _, attempts, ...rest } = entry.record;
    const noted = attempts.map((note) => ({ ...note, resultId: null, outcome: 'no-answer' as const }));
    world.journal.entries.set(`k-${keys}`, { ...entry, record: { ...rest, attempts: noted, state } });
    expect((await start({})).status).toBe(asksAgain ? 409 : 201);
  });

  it.each<[string, Partial<StartRequest>, number]>([
    ['withdrawal', {}, 35 * 24 * HOUR],
    ['charge', chargeRequest('{"amount":"1"}'), 10 * MINUTES],
  ])('a %s that a person closed, because nobody knows its outcome, for longer', async (_what, request, within) => {
    world.post = () => lost();
    await start(request);
    const key = `k-${keys}`;
    await world.pass(10 * MINUTES);
    expect((await server.end('close', key)).status).toBe(200);
    world.post = () => answer(201, created(), { date: world.date() });
    world.sleep(within - 1_000);
    expect(idsIn(await start(request))).toEqual([key]);
    expect((await server.review(request)).body).toMatchObject({ of: [{ id: key, status: 'closed' }] });
    world.sleep(1_000);
    expect((await start(request)).status).toBe(201);
  });

  it.each<[string, object, { complete?: boolean }]>([
    ['as it was sent', created(), {}],
    ['with another amount', created({ amount: '9' }), {}],
    ['cut short', created(), { complete: false }],
  ])('a refused operation that was executed after all, as a late 2xx %s shows', async (_what, body, more) => {
    const first = world.held();
    await server.put('k-a');
    await world.pass(41_000);
    world.post = () => answer(400, envelope('x'), { replayed: true });
    await server.call('GET', '/k-a');
    await server.send('k-a');
    await world.pass(0);
    expect(world.recorded('k-a').state).toBe('refused');
    first.answer(answer(201, body, { date: world.date(), ...more }));
    await server.settled();
    expect(world.recorded('k-a').state).toBe('refused');
    expect(idsIn(await start({}))).toEqual(['k-a']);
  });
});

describe('other accounts', () => {
  it('are only counted, unresolved or finished, under an id that changes with each', async () => {
    world.post = () => lost();
    await start({}, other);
    const one = await start({});
    const [counted] = inTheWay(one)?.of ?? [];
    expect(counted).toEqual({
      source: 'others',
      id: expect.stringMatching(/^others_[0-9a-f]{32}$/),
      count: 1,
      amount: null,
      createdAt: null,
      status: null,
    });
    await start({}, { actor: { account: 'c'.repeat(32), apiKey: 'sk_c' } });
    await start({ second_send_of: [counted?.id ?? ''] }, { actor: { account: 'c'.repeat(32), apiKey: 'sk_c' } });
    const two = await start({ second_send_of: [counted?.id ?? ''] });
    expect(inTheWay(two)).toMatchObject({ existing: null, of: [{ source: 'others', count: 2 }] });
    expect((await start({ second_send_of: idsIn(two) ?? [] })).status).toBe(201);
  });

  it('under another spelling of the host are counted, too', async () => {
    await start({});
    const moved = world.server({ service: { ...server.operations.ports.service, name: 'https://pay.example:8443' } });
    const came = await moved.put('key-9');
    expect(inTheWay(came)).toMatchObject({ existing: null, of: [{ source: 'others', count: 1 }] });
  });

  it('are not counted if accounts are separate', async () => {
    world.post = () => lost();
    server = world.server({ separateAccounts: true });
    await start({}, other);
    expect((await start({})).status).toBe(201);
    expect(inTheWay(await start({}))?.existing).toBe(`k-${keys - 1}`);
  });
});

describe('two people', () => {
  it('who send at once with one duplicate key cause one POST, and the second gets a 409', async () => {
    const both = await Promise.all([server.put('key-1'), world.server().put('key-2')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(world.posts).toHaveLength(1);
  });

  it('who reviewed at the same time: the second must confirm, though the first just succeeded', async () => {
    const reviewed = await server.review();
    expect(reviewed.body).toMatchObject({ existing: null, of: [], now: world.database(), listed: 'not-offered' });
    await start({});
    expect(inTheWay(await start({}))).toMatchObject({ existing: null, of: [FOUND] });
    expect(world.posts).toHaveLength(1);
  });
});

describe('review', () => {
  it('writes nothing, and returns look-alikes from the journal and the service’s list', async () => {
    const listed = [created({ id: 'wd_9' }), created({ id: 'wd_8', address: 'x' }), created({ id: 'wd_1' })];
    const { get } = world;
    world.get = (target) => (target.startsWith('/v1/withdrawals') ? answer(200, listBody(listed)) : get(target));
    await start({});
    const reviewed = await server.review();
    expect(reviewed).toMatchObject({ status: 200, body: { existing: null, listed: 'listed' } });
    expect(reviewed.body).toMatchObject({
      of: [FOUND, { source: 'service', id: 'wd_9', amount: SENT.amount, status: 'pending' }],
    });
    expect(world.records()).toHaveLength(1);
  });

  it('shows the failed status of the service’s list for an operation that succeeded here', async () => {
    const { get } = world;
    const listed = [created({ id: 'wd_1', status: 'failed' })];
    world.get = (target) => (target.startsWith('/v1/withdrawals') ? answer(200, listBody(listed)) : get(target));
    await start({});
    expect((await server.review()).body).toMatchObject({ of: [{ ...FOUND, status: 'failed' }] });
  });

  it('ignores a listed withdrawal older than 24 h', async () => {
    const listed = [created({ id: 'wd_9', created_at: world.date() - 86_401 })];
    const { get } = world;
    world.get = (target) => (target.startsWith('/v1/withdrawals') ? answer(200, listBody(listed)) : get(target));
    expect((await server.review()).body).toMatchObject({ of: [] });
  });

  it('refuses a request that may not be sent', async () => {
    expect(await server.review({ body: '{}' })).toMatchObject({ status: 422 });
    expect(await server.call('POST', '/review', {})).toMatchObject({ status: 400 });
    expect(await server.review({}, { actor: { rights: READ_ONLY_RIGHTS } })).toMatchObject({ status: 403 });
  });

  it('reads the service’s list only for withdrawals', async () => {
    expect((await server.review(depositAddressRequest(SENT))).body).toMatchObject({ listed: 'not-asked' });
    expect(world.reads.some((target) => target.startsWith('/v1/withdrawals'))).toBe(false);
  });
});
