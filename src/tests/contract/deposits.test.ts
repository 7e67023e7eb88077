import { beforeAll, describe, expect, test } from 'vitest';
import { depositExample, expectError, expectList } from './examples.ts';
import { bodyOf, type Client, type Item } from './http.ts';
import { anyAccount } from './service.ts';
import { all, distinctIds, pages } from './walk.ts';

describe('deposits (2.3, 4.4, 4.5)', () => {
  let client: Client;
  let everything: Item[];
  beforeAll(async () => {
    client = await anyAccount();
    everything = await all(client, '/v1/deposits');
  });

  test('the list is an envelope of deposits, 25 unless a limit is given', async () => {
    const answer = await client.get('/v1/deposits');
    expectList(answer, depositExample);
    expect(bodyOf<{ data: unknown[] }>(answer).data).toHaveLength(Math.min(25, everything.length));
  });

  test.each([1, 2, 100])('limit=%i is the size of a page', async (limit) => {
    const { data, has_more } = await client.page(`/v1/deposits?limit=${limit}`);
    expect(data).toHaveLength(Math.min(limit, everything.length));
    expect(has_more).toBe(everything.length > limit);
  });

  test('newest first by default, and order=asc is the exact reverse', async () => {
    const ids = distinctIds(everything);
    const times = everything.map((deposit) => deposit.created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(distinctIds(await all(client, '/v1/deposits', { order: 'asc' }))).toEqual(ids.toReversed());
  });

  test('small pages give the same list as large ones, has_more false only at the end', async () => {
    const read = await pages(client, '/v1/deposits', { limit: '7' });
    expect(read.flatMap((page) => page.data)).toEqual(everything);
    for (const page of read.slice(0, -1)) expect(page).toMatchObject({ has_more: true });
  });

  test('a list whose length is a multiple of the limit ends without an empty page', async () => {
    const { created_at } = everything[Math.min(9, everything.length - 1)] ?? { created_at: 0 };
    const newest = await all(client, '/v1/deposits', { created_after: String(created_at - 1) });
    const read = await pages(client, '/v1/deposits', {
      created_after: String(created_at - 1),
      limit: String(newest.length),
    });
    expect(read.map((page) => page.data.length)).toEqual([newest.length]);
  });

  test('ending_before returns the objects next to the cursor, in the order of the list', async () => {
    for (const filters of ['', '&order=asc']) {
      const first = await client.page(`/v1/deposits?limit=4${filters}`);
      const second = await client.page(
        `/v1/deposits?limit=4&starting_after=${encodeURIComponent(first.next_cursor ?? '')}${filters}`,
      );
      const last = second.data.at(-1)?.id ?? '';
      const before = await client.page(`/v1/deposits?limit=3&ending_before=${encodeURIComponent(last)}${filters}`);
      expect(before.data).toEqual(second.data.slice(0, 3));
    }
  });

  test('next_cursor is the same place in both directions', async () => {
    const first = await client.page('/v1/deposits?limit=5');
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    const after = await client.page(`/v1/deposits?limit=5&starting_after=${cursor}`);
    expect(after.data).toEqual(everything.slice(5, 10));
    const before = await client.page(`/v1/deposits?limit=100&ending_before=${cursor}`);
    expect(before.data.every((deposit) => first.data.some((known) => known.id === deposit.id))).toBe(true);
  });

  test('an id is a cursor: a worker that stored the last id goes on from there (4.5 rule 5)', async () => {
    const oldestFirst = everything.toReversed();
    const seen: Item[] = [];
    for (let last: string | undefined; ;) {
      const after = last === undefined ? '' : `&starting_after=${encodeURIComponent(last)}`;
      const page = await client.page(`/v1/deposits?order=asc&limit=50${after}`);
      seen.push(...page.data);
      last = page.data.at(-1)?.id;
      if (!page.has_more || last === undefined) break;
    }
    expect(seen).toEqual(oldestFirst);
    const end = await client.page(`/v1/deposits?order=asc&starting_after=${oldestFirst.at(-1)?.id}`);
    expect(end).toMatchObject({ data: [], has_more: false, next_cursor: null });
  });

  test('filters compose with paging', async () => {
    const { asset, status } = everything[0] ?? { asset: '', status: '' };
    const filtered = everything.filter((deposit) => deposit.asset === asset && deposit.status === status);
    expect(await all(client, '/v1/deposits', { asset, status, limit: '2' })).toEqual(filtered);
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
