import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import {
  type Overview,
  addressPaymentsSchema,
  assetOverviewSchema,
  knownAddressesSchema,
  overviewSchema,
} from '#src/shared/contract/overviewContract.ts';
import { NOW, testDeposit, testWithdrawal } from '#src/server/overview/testProvider.ts';
import type { StoredItem } from '#src/server/team/items.ts';
import type { Team } from '#src/server/team/team.ts';
import { KEY, NO_TEAM, refusalIn, signedIn } from './testGateway.ts';
import { sendToGateway } from './testRequest.ts';

const DAY = 86_400;
const BTC_ADDRESS = testWithdrawal(1).address;

const TRON = { chain: 'tron', address: 'TWiummto6eeTBsUoD6N2rgqYNTGvwTft86' };

const item = (id: string, value: object): StoredItem => ({
  id,
  value: JSON.stringify({ asset: '', reference: '', note: '', ...value }),
  revision: 1,
  who: null,
  person: null,
  createdAt: 0,
  updatedAt: 0,
  deleted: false,
});

/** One recipient with two addresses and another with one, a deposit address, and no closed period. */
const team: Team = {
  ...NO_TEAM,
  list: async () => ({
    items: [
      item('a', { name: 'Acme', ...TRON }),
      item('b', { name: 'Beta', chain: 'tron', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' }),
      item('c', { name: ' ACME', chain: 'bitcoin', address: BTC_ADDRESS }),
    ],
    next: null,
    position: '',
    complete: true,
  }),
  madeAddresses: {
    ...NO_TEAM.madeAddresses,
    find: async (_owner, id) =>
      id === 'made' ? { id, asset: 'USDT', ...TRON, along: [], who: null, person: null, at: NOW } : null,
  },
  statements: { ...NO_TEAM.statements, list: async () => [] },
};

/** A provider with these rows behind a gateway; the gateway's clock can be moved. */
async function setUp(rows: Record<string, object | readonly object[]>) {
  let now = NOW * 1_000;
  const { service, gateway, call } = await signedIn(
    (req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
      const status = searchParams.get('status');
      const found = rows[pathname] ?? [];
      res.setHeader('Content-Type', 'application/json');
      res.setHeader('Date', new Date(now).toUTCString());
      const data = Array.isArray(found)
        ? found.filter((row: { status?: unknown }) => status === null || row.status === status)
        : null;
      res.end(JSON.stringify(data ? { object: 'list', data, has_more: false, next_cursor: null } : found));
    },
    { now: () => now, team },
  );
  const get = (path: string, headers: Record<string, string> = {}) => gateway.get(path, { ...call, ...headers });
  const read = async (query = ''): Promise<Overview> => {
    const answer = await get(`/api/overview${query}`);
    expect(answer.status).toBe(200);
    return v.parse(overviewSchema, parseJson(answer.text));
  };
  return { service, gateway, call, get, read, pass: (ms: number) => (now += ms) };
}

describe('GET /api/overview', () => {
  test('returns the data that pages need, with unchanged amounts', async () => {
    const balance = { object: 'balance', asset: 'ETH', available: '1.50', pending: '0', locked: '0', total: '1.50' };
    const { read } = await setUp({
      '/v1/balances': [balance],
      '/v1/deposits': [
        testDeposit(1, { asset: 'ETH', received_amount: '0.100000000000000001' }),
        testDeposit(2, { asset: 'ETH', status: 'on_hold', created_at: NOW - DAY }),
      ],
      '/v1/withdrawals': [testWithdrawal(3, { status: 'failed' })],
      '/v1/ledger-entries': [{ id: 'le_1', asset: 'ETH', amount: '0.5', created_at: NOW - 60, book: 'available' }],
    });
    const overview = await read('?zone=Pacific%2FKiritimati');
    expect(overview).toMatchObject({
      balances: { balances: [balance], complete: true },
      deposits: {
        is_whole: true,
        reached: null,
        count: 2,
        recent_times: [NOW - 60, NOW - DAY],
        newest: [{ id: 'dep_1', amount: '0.100000000000000001' }, { id: 'dep_2' }],
        open: { count: 1, open: [{ id: 'dep_2' }], failed: [], partly: [] },
      },
      withdrawals: { open: { count: 0, failed: [{ id: 'wd_3' }] } },
      words: {
        pairs: [
          { asset: 'ETH', chain: 'bitcoin' },
          { asset: 'BTC', chain: 'bitcoin' },
        ],
        statuses: { deposit: ['completed', 'on_hold'], withdrawal: ['failed'] },
      },
    });
    const { flows } = overview.deposits;
    expect(flows['1']?.flows).toMatchObject([{ asset: 'ETH', sum: '0.100000000000000001', count: 1 }]);
    // 14:13 UTC is the next day on Kiritimati.
    expect(flows['30']?.days.at(-1)).toBe('2026-09-22');
    expect((await read()).deposits.flows['30']?.days.at(-1)).toBe('2026-09-21');
  });

  test('is sent again only if it changed', async () => {
    const rows = { '/v1/deposits': [testDeposit(1)] };
    const { get, read, pass } = await setUp(rows);
    await expect.poll(async () => (await read()).is_reading).toBe(false);
    const first = await get('/api/overview');
    const tag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('no-store');
    const same = await get('/api/overview', { 'If-None-Match': tag });
    expect([same.status, same.text]).toEqual([304, '']);
    rows['/v1/deposits'].unshift(testDeposit(0));
    pass(60_000);
    await expect.poll(async () => (await read()).deposits.count).toBe(2);
    expect((await get('/api/overview', { 'If-None-Match': tag })).status).toBe(200);
  });

  test('is compressed where that helps, and short for a busy account', async () => {
    const assets = ['BTC', 'ETH', 'USDT', 'USDC', 'TRX', 'SOL', 'LTC'];
    const statuses = ['completed', 'failed', 'pending'];
    const deposits = Array.from({ length: 2_000 }, (_, n) =>
      testDeposit(n, {
        asset: assets[n % 7] ?? '',
        status: statuses[n % 3] ?? '',
        received_amount: '12345.123456789012345678',
        created_at: NOW - n * 1_000,
      }),
    );
    const { get, read } = await setUp({
      '/v1/balances': assets.map((asset) => ({ asset, available: '1', pending: '0', locked: '0', total: '1' })),
      '/v1/deposits': deposits,
    });
    await expect.poll(async () => (await read()).is_reading).toBe(false);
    const whole = await get('/api/overview');
    expect(Buffer.byteLength(whole.text)).toBeLessThan(100_000);
    expect((await get('/api/overview', { 'Accept-Encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
  });

  test('takes a session that names its account, and nothing but GET', async () => {
    const { gateway, call, get } = await setUp({});
    expect(refusalIn(await sendToGateway(gateway.origin, '/api/overview')).code).toBe('session_required');
    expect(refusalIn(await gateway.get('/api/overview', { Cookie: call.Cookie })).code).toBe('account_mismatch');
    expect(refusalIn(await get('/api/overview/else')).code).toBe('not_permitted');
    expect((await get('/api/overview')).text).not.toContain(KEY);
  });
});

test('GET /api/overview/addresses returns the addresses that the latest withdrawals paid', async () => {
  const { get } = await setUp({
    '/v1/withdrawals': [
      testWithdrawal(1, { amount: '0.2' }),
      testWithdrawal(2),
      testWithdrawal(3, { address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' }),
    ],
  });
  const answer = await get('/api/overview/addresses');
  expect(v.parse(knownAddressesSchema, parseJson(answer.text))).toMatchObject({
    count: 3,
    is_complete: true,
    uses: [
      { id: 'wd_1', amount: '0.2', source: 'service' },
      { id: 'wd_2' },
      { id: 'wd_3', address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' },
    ],
  });
});

test('GET /api/overview/assets/:asset returns an asset’s history in the requested zone, or 304 if unchanged', async () => {
  const { get, pass } = await setUp({
    '/v1/balances/a%2Fb': { asset: 'a/b', available: '2.5', pending: '0', locked: '0', total: '2.5', updated_at: NOW },
    '/v1/deposits': [testDeposit(1, { asset: 'a/b', received_amount: '2.5' })],
    '/v1/ledger-entries': [
      { id: 'le_1', asset: 'a/b', amount: '2.5', created_at: NOW - 60, source: 'dep_1', book: 'available' },
    ],
  });
  const path = '/api/overview/assets/a%2Fb?zone=Pacific%2FKiritimati';
  const read = async () => v.parse(assetOverviewSchema, parseJson((await get(path)).text));
  await expect.poll(async () => (await read()).is_reading).toBe(false);
  const document = await read();
  expect(document).toMatchObject({
    total: '2.5',
    chains: ['bitcoin'],
    deposits: { newest: [{ id: 'dep_1', amount: '2.5' }], in_progress: { count: 0 } },
    ledger: { matches: true },
    months: [{ month: '2026-09', deposits: '2.5', is_closed: false }],
    month_zone: 'Pacific/Kiritimati',
  });
  // 14:13 UTC is the next day on Kiritimati.
  expect(document.days.at(-1)).toBe('2026-09-22');
  const tag = String((await get(path)).headers.etag);
  expect((await get(path, { 'If-None-Match': tag })).status).toBe(304);
  pass(60_000);
  await expect.poll(async () => (await get(path, { 'If-None-Match': tag })).status).toBe(200);
});

test('GET /api/overview/recipients/:id returns the withdrawals to all addresses of the recipient', async () => {
  const { get } = await setUp({
    '/v1/withdrawals': [testWithdrawal(1), testWithdrawal(2, TRON), testWithdrawal(3, { address: 'other' })],
  });
  const read = async (query = '') =>
    v.parse(addressPaymentsSchema, parseJson((await get(`/api/overview/recipients/a${query}`)).text));
  await expect.poll(async () => (await read()).is_reading).toBe(false);
  expect((await read('?more=true')).payments.map(({ id }) => id)).toEqual(['wd_1', 'wd_2']);
  const none = await get('/api/overview/recipients/nobody');
  expect([none.status, refusalIn(none).code]).toEqual([404, 'not_found']);
});

test('GET /api/overview/deposit-addresses/:id returns the deposits to an address that was created here', async () => {
  const { get } = await setUp({ '/v1/deposits': [testDeposit(1), testDeposit(2, TRON)] });
  const read = async () =>
    v.parse(addressPaymentsSchema, parseJson((await get('/api/overview/deposit-addresses/made')).text));
  await expect.poll(async () => (await read()).is_reading).toBe(false);
  expect((await read()).payments.map(({ id }) => id)).toEqual(['dep_2']);
  expect(refusalIn(await get('/api/overview/deposit-addresses/other')).code).toBe('not_found');
});
