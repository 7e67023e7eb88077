import * as v from 'valibot';
import { afterEach, expect, test } from 'vitest';
import { allBalances } from '#src/shared/overview/balances.ts';
import { getBalance, listBalances } from './balances.ts';
import { listDeposits, getWithdrawal, listWithdrawals } from './listQueries.ts';
import { saysNotFound } from './errors.ts';
import { findRow } from './paging/findRow.ts';
import { listEnd, walkPages } from './paging/paging.ts';
import { setTransport } from './http.ts';

const requests: string[] = [];

/** Answers every request by its URL. */
function serve(answer: (url: URL) => unknown, status = 200): void {
  requests.length = 0;
  setTransport(async (path) => {
    requests.push(path);
    return Response.json(answer(new URL(path, 'http://service.test')), { status });
  });
}

/** Deposits, newest first, by the contract's paging: ids are cursors. */
function deposits(ids: string[]): (url: URL) => unknown {
  return ({ searchParams }) => {
    const ordered = searchParams.get('order') === 'asc' ? ids.toReversed() : ids;
    const after = searchParams.get('starting_after');
    const start = after === null ? 0 : ordered.indexOf(after) + 1;
    const end = start + Number(searchParams.get('limit') ?? 25);
    const data = ordered.slice(start, end).map((id) => ({ id, object: 'deposit' }));
    const has_more = end < ordered.length;
    return { object: 'list', data, has_more, next_cursor: has_more ? (data.at(-1)?.id ?? null) : null };
  };
}

const IDS = Array.from({ length: 300 }, (_, at) => `dep_${300 - at}`);
const find = (id: string) => findRow(id, (filters, cursor, limit) => listDeposits(filters, cursor, { limit }));

afterEach(() => setTransport(null));

/** The same, with `empty` empty pages before each page with rows. */
function sparse(served: (url: URL) => unknown, emptyPages: number): (url: URL) => unknown {
  return (url) => {
    const [, skipped = '0', cursor = ''] = /^e(\d+):(.*)$/.exec(url.searchParams.get('starting_after') ?? 'e0:') ?? [];
    const after = new URL(url);
    after.searchParams.delete('starting_after');
    const at = skipped === '' ? '' : cursor;
    if (Number(skipped) < emptyPages) {
      return { object: 'list', data: [], has_more: true, next_cursor: `e${Number(skipped) + 1}:${at}` };
    }
    if (at !== '') after.searchParams.set('starting_after', at);
    const { next_cursor, ...page } = v.parse(pageSchema, served(after));
    return { ...page, next_cursor: next_cursor === null ? null : `e0:${next_cursor}` };
  };
}
const pageSchema = v.looseObject({ next_cursor: v.nullable(v.string()) });

test('20 empty pages before a page with rows are skipped by every reader', async () => {
  serve(sparse(deposits(IDS), 20));
  const first = await listDeposits({}, null, { limit: 100 });
  expect([first.data.length, first.data[0]?.id, requests.length]).toEqual([100, 'dep_300', 21]);
  expect(await listDeposits({}, first.next_cursor, { limit: 100 })).toMatchObject({ data: { 0: { id: 'dep_200' } } });
});

test('after more than 20 empty pages in a row the list is reported as possibly longer', async () => {
  serve(sparse(deposits(IDS), 21));
  const page = await listDeposits({}, null, { limit: 100 });
  expect(requests).toHaveLength(21);
  expect(listEnd({ pages: [page], pageParams: [null] })).toMatchObject({ kind: 'broken' });
  const end = await walkPages(
    (cursor) => listDeposits({}, cursor, { limit: 100 }),
    () => undefined,
  );
  expect([end.kind, requests.length]).toEqual(['broken', 42]);
});

test('balances after an empty page are read', async () => {
  const rows = [{ asset: 'BTC' }, { asset: 'ETH' }];
  serve(({ searchParams }) => {
    const at = Number(searchParams.get('starting_after') ?? 0);
    return {
      data: at % 2 === 0 ? [] : [rows[(at - 1) / 2]],
      has_more: at < 3,
      next_cursor: at < 3 ? `${at + 1}` : null,
    };
  });
  expect(await listBalances()).toMatchObject({ balances: rows, complete: true, broken: null });
});

test('a balance of another asset than the one requested is an error', async () => {
  serve(() => ({ asset: 'USDT', total: '5' }));
  await expect(getBalance('usdt')).rejects.toThrow('another asset');
  expect(await getBalance('USDT')).toMatchObject({ balance: { total: '5' } });
});

test('a deposit is found by cursors alone: two reads for the newest, the oldest and any other', async () => {
  serve(deposits(IDS));
  for (const id of ['dep_300', 'dep_299', 'dep_150', 'dep_1']) {
    requests.length = 0;
    expect(await find(id)).toMatchObject({ found: true, row: { id } });
    expect(requests).toHaveLength(2);
  }
  expect(requests[0]).toBe('/v1/deposits?limit=1&order=asc&starting_after=dep_1');
  expect(requests[1]).toBe('/v1/deposits?limit=5&starting_after=dep_2');
});

test('an unknown id is not found after a full scan, also when the service refuses it as a cursor', async () => {
  serve(deposits(IDS));
  expect(await find('dep_none')).toMatchObject({ found: false, scanned: 300, complete: true });

  const served = deposits(IDS);
  setTransport(async (path) => {
    const url = new URL(path, 'http://service.test');
    if (url.searchParams.get('order') !== 'asc') return Response.json(served(url));
    return Response.json({ error: { code: 'invalid_request_error' } }, { status: 400 });
  });
  expect(await find('dep_150')).toMatchObject({ found: true, row: { id: 'dep_150' } });
});

test('rows without a readable ID are counted, because each may be the one that was not found', async () => {
  serve(() => ({ data: [{ id: 7 }, { id: 'dep_1' }, {}], has_more: false, next_cursor: null }));
  expect(await find('dep_7')).toMatchObject({ found: false, scanned: 3, malformed: 2, complete: true });
});

test('the scan is bounded and reported as incomplete', async () => {
  serve(deposits(Array.from({ length: 5000 }, (_, at) => `dep_${at}`)));
  expect(await find('dep_none')).toMatchObject({ found: false, scanned: 1000, complete: false });
});

test('a refused key is an error, not an absence', async () => {
  serve(() => ({ error: { code: 'authentication_error' } }), 401);
  await expect(find('dep_1')).rejects.toMatchObject({ status: 401 });
});

test('all balances are read, one per asset, with duplicates kept apart', async () => {
  const pages: Record<string, unknown> = {
    '': { data: [{ asset: 'BTC', available: '1' }, { asset: 'ETH' }, null], has_more: true, next_cursor: 'p2' },
    p2: { data: [{ asset: 'BTC', available: '2' }, { asset: 'SOL' }], has_more: false, next_cursor: null },
  };
  serve((url) => pages[url.searchParams.get('starting_after') ?? '']);
  const read = await listBalances();
  expect(read.balances.map(({ asset }) => asset)).toEqual(['BTC', 'ETH', 'SOL']);
  expect(read.balances[0]?.available).toBe('1');
  expect(allBalances(read).map(({ asset, available }) => [asset, available])).toEqual([
    ['BTC', '1'],
    ['BTC', '2'],
    ['ETH', undefined],
    ['SOL', undefined],
  ]);
  expect(read).toMatchObject({ complete: true, broken: null, malformed: [null] });
  expect(requests).toEqual(['/v1/balances?limit=100', '/v1/balances?limit=100&starting_after=p2']);
});

test('a balance with thousands of lists in lists hides no other', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const data = `[{"asset":"BTC","available":"1"},{"asset":"ETH","note":${deep}},{"asset":${deep}},{"asset":"SOL"}]`;
  setTransport(async () => new Response(`{"data":${data},"has_more":false,"next_cursor":null}`));
  const { balances, malformed } = await listBalances();
  expect([balances.map(({ asset }) => asset), malformed.length]).toEqual([['BTC', 'ETH', 'SOL'], 1]);
});

test('balances read before the paging broke are returned as incomplete', async () => {
  serve(() => ({ data: [{ asset: 'BTC' }], has_more: true, next_cursor: 'same' }));
  expect(await listBalances()).toMatchObject({ complete: false, balances: [{ asset: 'BTC' }] });
  expect(requests).toHaveLength(2);

  let cursor = 0;
  serve(() => ({ data: [{ asset: `A${cursor}` }], has_more: true, next_cursor: String((cursor += 1)) }));
  expect(await listBalances()).toMatchObject({ complete: false });
  expect(requests).toHaveLength(100);
});

test('a response with another withdrawal’s id is refused, and an id stays one path segment', async () => {
  serve(() => ({ id: 'wd_2' }));
  await expect(getWithdrawal('wd_1')).rejects.toMatchObject({ kind: 'not-contract' });
  serve(() => ({ id: 'wd/../1' }));
  expect(await getWithdrawal('wd/../1')).toMatchObject({ row: { id: 'wd/../1' } });
  expect(requests).toEqual(['/v1/withdrawals/wd%2F..%2F1']);
});

test('a missing list is distinguished from a failure', async () => {
  const own = { type: 'invalid_request_error', code: 'not_found', message: 'None.', request_id: 'req_1' };
  for (const [status, body, expected] of [
    [404, { error: own }, true],
    [404, '<h1>404 Not Found</h1>', false],
    [404, {}, false],
    [404, { error: { code: 'not_found' } }, false],
    [404, { error: { ...own, code: 'path_not_allowed' } }, false],
    [405, { error: own }, false],
    [403, { error: own }, false],
  ] as const) {
    serve(() => body, status);
    const error = await listWithdrawals({}, null).catch((thrown: unknown) => thrown);
    expect(saysNotFound(error)).toBe(expected);
  }
});
