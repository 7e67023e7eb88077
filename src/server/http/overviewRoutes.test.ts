import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { type Overview, knownAddressesSchema, overviewSchema } from '#src/shared/contract/overviewContract.ts';
import { NOW, testDeposit, testWithdrawal } from '#src/server/overview/testProvider.ts';
import { KEY, refusal, sendToGateway, signedIn } from './testGateway.ts';

const DAY = 86_400;

/** A provider with these rows behind a gateway; the gateway's clock can be moved. */
async function setUp(rows: Record<string, readonly object[]>) {
  let now = NOW * 1_000;
  const { service, gateway, call } = await signedIn(
    (req, res) => {
      const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
      const status = searchParams.get('status');
      const data = (rows[pathname] ?? []).filter(
        (row) => status === null || ('status' in row && row.status === status),
      );
      res.setHeader('Content-Type', 'application/json');
      res.setHeader('Date', new Date(now).toUTCString());
      res.end(JSON.stringify({ object: 'list', data, has_more: false, next_cursor: null }));
    },
    { now: () => now },
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
  test('has what pages need, amounts as they came', async () => {
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
    expect(refusal(await sendToGateway(gateway.origin, '/api/overview')).code).toBe('session_required');
    expect(refusal(await gateway.get('/api/overview', { Cookie: call.Cookie })).code).toBe('account_mismatch');
    expect(refusal(await get('/api/overview/else')).code).toBe('not_permitted');
    expect((await get('/api/overview')).text).not.toContain(KEY);
  });
});

test('GET /api/overview/addresses has whom the latest withdrawals paid', async () => {
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
