import { beforeAll, describe, expect, test } from 'vitest';
import { depositExample, expectError, expectList } from './examples.ts';
import { bodyOf, type Client, type Item } from './http.ts';
import { anyAccount, stillDeposits } from './service.ts';
import { all, distinctIds, pages } from './walk.ts';

describe('deposits (2.3, 4.4, 4.5)', () => {
  let client: Client;
  let everything: Item[];
  let filters: Record<string, string>;
  /** A list's query with the filters that every page of these deposits needs. */
  const query = (parameters: Record<string, string | number | undefined>): string => {
    const given = Object.entries({ ...filters, ...parameters }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return `/v1/deposits?${new URLSearchParams(given)}`;
  };
  beforeAll(async () => {
    client = await anyAccount();
    ({ filters, deposits: everything } = await stillDeposits(client));
  });

  test('the list is an envelope of deposits, 25 unless a limit is given', async () => {
    const answer = await client.get(query({}));
    expectList(answer, depositExample);
    expect(bodyOf<{ data: unknown[] }>(answer).data).toEqual(everything.slice(0, 25));
  });

  test.each([1, 2, 100])('limit=%i is the size of a page', async (limit) => {
    const { data, has_more } = await client.page(query({ limit }));
    expect(data).toEqual(everything.slice(0, limit));
    expect(has_more).toBe(everything.length > limit);
  });

  test('newest first by default, and order=asc is the exact reverse', async () => {
    const times = everything.map((deposit) => deposit.created_at);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    distinctIds(everything);
    expect(await all(client, '/v1/deposits', { ...filters, order: 'asc' })).toEqual(everything.toReversed());
  });

  test('small pages give the same list as large ones, has_more false only at the end', async () => {
    const read = await pages(client, '/v1/deposits', { ...filters, limit: '7' });
    expect(read.flatMap((page) => page.data)).toEqual(everything);
  });

  test('a list whose length is the limit ends without an empty page', async () => {
    const created_after = String((everything[9]?.created_at ?? 1) - 1);
    const newest = await all(client, '/v1/deposits', { ...filters, created_after });
    const read = await pages(client, '/v1/deposits', { ...filters, created_after, limit: String(newest.length) });
    expect(read.map((page) => page.data.length)).toEqual([newest.length]);
  });

  test.each([undefined, 'asc'])(
    'ending_before: the objects next to the cursor, in the order of the list (%s)',
    async (order) => {
      const first = await client.page(query({ limit: 4, order }));
      const second = await client.page(query({ limit: 4, order, starting_after: first.next_cursor ?? '' }));
      const before = await client.page(query({ limit: 3, order, ending_before: second.data.at(-1)?.id }));
      expect(before.data).toEqual(second.data.slice(0, 3));
    },
  );

  test('next_cursor is the same place in both directions', async () => {
    const { data, next_cursor } = await client.page(query({ limit: 5 }));
    const after = await client.page(query({ limit: 5, starting_after: next_cursor ?? '' }));
    expect(after.data).toEqual(everything.slice(5, 10));
    const before = await client.page(query({ limit: 100, ending_before: next_cursor ?? '' }));
    const known = new Set(distinctIds(data));
    expect(before.data.filter((deposit) => !known.has(deposit.id))).toEqual([]);
  });

  test('an id is a cursor: a worker that stored the last id goes on from there (4.5 rule 5)', async () => {
    const seen: Item[] = [];
    for (let more = true; more;) {
      const page = await client.page(query({ order: 'asc', limit: 50, starting_after: seen.at(-1)?.id }));
      seen.push(...page.data);
      more = page.has_more;
    }
    expect(seen).toEqual(everything.toReversed());
    const end = await client.page(query({ order: 'asc', starting_after: everything[0]?.id }));
    expect(end).toMatchObject({ data: [], has_more: false, next_cursor: null });
  });

  test('filters compose with paging', async () => {
    const { asset = '', status = '' } = everything[0] ?? {};
    const filtered = everything.filter((deposit) => deposit.asset === asset && deposit.status === status);
    expect(await all(client, '/v1/deposits', { ...filters, asset, status, limit: '2' })).toEqual(filtered);
  });

  test.each(['asset=NEVERHELD', 'status=no-such-status', 'created_before=1', 'created_after=9999999999'])(
    '%s matches nothing, and that is no error',
    async (filter) => {
      const page = await client.page(`/v1/deposits?${filter}`);
      expect(page).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
    },
  );

  test.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=abc', 'limit=1e1', 'limit=9999999999999999999'])(
    '%s is a 400 that names it',
    async (query) => {
      expectError(await client.get(`/v1/deposits?${query}`), 400, 'invalid_request_error', 'limit');
    },
  );
});
