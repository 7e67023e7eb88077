import { expect, test } from 'vitest';
import type { DepositRow } from '#src/api/schemas.ts';
import type { Carried } from '#src/api/statementContract.ts';
import { follow } from './follow.ts';
import type { Reads } from './reads.ts';

const T0 = 1_790_000_000;
const META = { requestId: null, date: T0, readAt: T0 };
const deposit = (n: number, status: string): DepositRow => ({
  id: `d${n}`,
  status,
  asset: 'BTC',
  chain: 'bitcoin',
  received_amount: '1',
  created_at: T0 - n,
});
const carried = (n: number, status = 'failed'): Carried => ({ id: `d${n}`, status, statement: 1, since: T0 - 60 });
const numbers = (length: number) => Array.from({ length }, (_, n) => n);

/** A service with these deposits, ten to a page; how often it was asked stands in `asked`. */
function serviceOf(deposits: readonly DepositRow[], { filters: keeps = true } = {}) {
  const asked = { pages: 0, finds: [] as string[] };
  const reads: Reads = {
    list: async ({ status }, cursor) => {
      asked.pages += 1;
      const rows = keeps ? deposits.filter((row) => row.status === status) : deposits;
      const from = cursor === null ? 0 : rows.findIndex(({ id }) => id === cursor) + 1;
      const data = rows.slice(from, from + 10);
      const more = rows.length > from + 10;
      return { data, malformed: [], has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null, ...META };
    },
    find: async (id) => {
      asked.finds.push(id);
      const found = deposits.find((row) => row.id === id);
      return found
        ? { found: true, row: found, ...META }
        : { found: false, scanned: deposits.length, complete: true, ...META };
    },
  };
  return { asked, reads };
}

const options = { asOf: T0, signal: new AbortController().signal, onProgress: () => undefined };

test('many of one status are read from its list, and only those that left it one by one', async () => {
  const deposits = numbers(45).map((n) => deposit(n, n === 7 ? 'completed' : 'failed'));
  const { asked, reads } = serviceOf(deposits);
  const result = await follow(
    numbers(45).map((n) => carried(n)),
    new Map(),
    reads,
    options,
  );
  expect(asked).toEqual({ pages: 5, finds: ['d7'] });
  expect(result.changed).toMatchObject([{ id: 'd7', was: 'failed', row: { status: 'completed' } }]);
  expect(result.carried).toHaveLength(44);
});

test('a list that does not keep to the status is not believed', async () => {
  const deposits = numbers(30).map((n) => deposit(n, n === 7 ? 'completed' : 'failed'));
  const { asked, reads } = serviceOf(deposits, { filters: false });
  const { changed } = await follow(
    numbers(30).map((n) => carried(n)),
    new Map(),
    reads,
    options,
  );
  expect(changed.map(({ id }) => id)).toEqual(['d7']);
  expect(asked).toMatchObject({ pages: 1, finds: { length: 30 } });
});

test('a list is read no further than the look-ups would cost, for one that left it is nowhere in it', async () => {
  const deposits = numbers(1000).map((n) => deposit(n, n === 7 ? 'completed' : 'failed'));
  const { asked, reads } = serviceOf(deposits);
  const { changed } = await follow(
    numbers(20).map((n) => carried(n)),
    new Map(),
    reads,
    options,
  );
  expect(changed.map(({ id }) => id)).toEqual(['d7']);
  expect(asked).toEqual({ pages: 40, finds: ['d7'] });
});

test('few are looked up one by one', async () => {
  const { asked, reads } = serviceOf(numbers(3).map((n) => deposit(n, 'failed')));
  await follow([carried(0), carried(2)], new Map(), reads, options);
  expect(asked).toEqual({ pages: 0, finds: ['d0', 'd2'] });
});
