import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListFilters } from '#src/api/contract.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import type { Page } from '#src/api/paging.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import type { WholeStatement } from '#src/api/statements.ts';
import type { Book } from '#src/api/statementContract.ts';
import { baseOf } from './base.ts';
import type { Reads } from './reads.ts';
import { type Found, run, RunStopped } from './run.ts';
import { isEmpty, statementOf } from './statement.ts';

const T0 = 1_790_000_000;

interface Deposit {
  id: string;
  status: string;
  created_at: number;
}

/** A service with a clock; deposits are listed by time, then by id. */
function createService() {
  const service = {
    now: T0,
    deposits: [] as Deposit[],
    finds: 0,
    add: (id: string, created_at: number, status = 'completed') => {
      service.deposits.push({ id, status, created_at });
      service.deposits.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
    },
    list: async (filters: ListFilters, cursor: string | null, _options: PageOptions): Promise<Page<DepositRow>> => {
      const { created_after: after } = filters;
      const rows = service.deposits.filter(({ created_at }) => after === undefined || created_at > after);
      const at = cursor === null ? -1 : rows.findIndex(({ id }) => id === cursor);
      if (cursor !== null && at === -1) throw new Error('400');
      const data = rows.slice(at + 1, at + 4).map(rowOf);
      const more = rows.length > at + 4;
      const next_cursor = more ? (data.at(-1)?.id ?? null) : null;
      return {
        data,
        malformed: [],
        has_more: more,
        next_cursor,
        requestId: 'r',
        date: service.now,
        readAt: service.now,
      };
    },
    find: async (id: string) => {
      service.finds += 1;
      const meta = { requestId: 'r', date: service.now, readAt: service.now };
      const found = service.deposits.find((deposit) => deposit.id === id);
      return found
        ? { found: true as const, row: rowOf(found), ...meta }
        : { found: false as const, scanned: 0, complete: true, ...meta };
    },
  };
  return service;
}

function rowOf({ id, status, created_at }: Deposit): DepositRow {
  return { id, object: 'deposit', status, asset: 'BTC', chain: 'bitcoin', received_amount: '0.1', created_at };
}

/** The books as the server would keep them. */
function createBooks(service: Reads, since: number | null = null) {
  let book: Book = { name: 'Books', since, statements: 0, last: null, followed: 0, ledger: null };
  const statements: WholeStatement[] = [];
  async function* fromLast() {
    yield* statements.toReversed();
  }
  const read = async (): Promise<Found> =>
    run(book, await baseOf(book, fromLast()), service, new AbortController().signal, () => undefined);
  return {
    statements,
    read,
    state: async (): Promise<Found> => {
      const found = await read();
      if (isEmpty(found)) return found;
      const whole = statementOf({ id: 'b', value: book }, found, 'closing_1');
      const { number, last, counts } = whole.statement;
      book = { ...book, statements: number, last, followed: counts.carried };
      statements.push(whole);
      return found;
    },
    ids: () => statements.flatMap(({ fresh, late }) => [...fresh, ...late].map(({ id }) => id)),
  };
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1));
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('a run', () => {
  test('states what is old enough, then only what is new since', async () => {
    const service = createService();
    const books = createBooks(service);
    service.add('d1', T0 - 7200);
    service.add('d2', T0 - 600);
    service.add('young', T0 - 60);
    const first = await books.state();
    expect(first).toMatchObject({ young: 1, asOf: T0, last: { id: 'd2' } });
    expect(ids(first.fresh)).toEqual(['d1', 'd2']);
    expect(first.totals).toEqual([{ asset: 'BTC', status: 'completed', rows: 2, sum: '0.2', unreadable: 0 }]);
    service.now += 600;
    service.add('d3', T0 + 100);
    const second = await books.state();
    expect(ids(second.fresh)).toEqual(['young', 'd3']);
    expect(second).toMatchObject({ late: [], missing: [], young: 0 });
    expect(isEmpty(await books.read())).toBe(true);
  });

  test('lists one that came late, in the hour before the checkpoint, as late and once', async () => {
    const service = createService();
    const books = createBooks(service);
    service.add('d1', T0 - 9000);
    service.add('d2', T0 - 200);
    await books.state();
    service.add('late', T0 - 1800);
    service.now += 300;
    expect(ids((await books.state()).late)).toEqual(['late']);
    expect(isEmpty(await books.state())).toBe(true);
    expect(sorted(books.ids())).toEqual(['d1', 'd2', 'late']);
  });

  test('tells once that a carried deposit changed, however old it is', async () => {
    const service = createService();
    const books = createBooks(service);
    service.add('p1', T0 - 20_000, 'pending');
    service.add('d2', T0 - 7000);
    service.add('d3', T0 - 300);
    await books.state();
    expect((await books.state()).changed).toEqual([]);
    const pending = service.deposits.find(({ id }) => id === 'p1');
    if (pending) pending.status = 'completed';
    const { changed } = await books.state();
    expect(changed).toMatchObject([{ id: 'p1', was: 'pending', statement: 1, row: { status: 'completed' } }]);
    expect(isEmpty(await books.state())).toBe(true);
  });

  test('gives up following after 30 days, and says so', async () => {
    const service = createService();
    const books = createBooks(service);
    service.add('f1', T0 - 300, 'failed');
    await books.state();
    service.now += 31 * 86_400;
    service.add('d2', service.now - 500);
    expect(ids((await books.state()).givenUp)).toEqual(['f1']);
    service.finds = 0;
    await books.state();
    expect(service.finds).toBe(0);
  });

  test('stops where the last deposit stated is gone, and where a cursor is refused', async () => {
    const service = createService();
    const books = createBooks(service);
    service.add('d1', T0 - 9000);
    service.add('d2', T0 - 200);
    await books.state();
    const [d1, d2] = service.deposits;
    service.deposits = [d1 ?? { id: '', status: '', created_at: 0 }];
    await expect(books.read()).rejects.toBeInstanceOf(RunStopped);
    service.deposits = [d2 ?? { id: '', status: '', created_at: 0 }];
    await expect(books.read()).rejects.toThrow('400');
  });

  test('stops where the service begins elsewhere than it was asked to', async () => {
    const service = createService();
    const books = createBooks({
      ...service,
      list: (filters, _cursor, options) => service.list(filters, null, options),
    });
    service.add('d1', T0 - 9000);
    service.add('d2', T0 - 200);
    await books.state();
    await expect(books.read()).rejects.toThrow('did not begin after');
  });

  test('names what was stated and is not found again', async () => {
    const service = createService();
    const books = createBooks(service);
    for (const [id, age] of [
      ['d1', 9000],
      ['d2', 1000],
      ['d3', 200],
    ] as const)
      service.add(id, T0 - age);
    await books.state();
    service.deposits = service.deposits.filter(({ id }) => id !== 'd2');
    expect(ids((await books.read()).missing)).toEqual(['d2']);
  });

  test('begins at a day, whatever the service makes of the bound', async () => {
    const service = createService();
    const books = createBooks(service, T0 - 1000);
    service.add('before', T0 - 1001);
    service.add('on', T0 - 1000);
    service.add('after', T0 - 500);
    expect(ids((await books.state()).fresh)).toEqual(['on', 'after']);
  });

  test('a service without a clock is not reconciled', async () => {
    const service = createService();
    service.add('d1', T0 - 900);
    const list: Reads['list'] = async (...asked) => ({ ...(await service.list(...asked)), date: null });
    await expect(createBooks({ ...service, list }).read()).rejects.toThrow('states no time');
  });
});

test('whatever arrives when, every deposit stands in exactly one statement', async () => {
  const arrival = fc.record({
    /** Seconds until the next thing happens. */
    passes: fc.integer({ min: 0, max: 5000 }),
    /** How much later than its own time it becomes visible. */
    delay: fc.integer({ min: 0, max: 3400 }),
    status: fc.constantFrom('completed', 'pending', 'failed'),
    stateNow: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { minLength: 1, maxLength: 40 }), async (events) => {
      const service = createService();
      const books = createBooks(service);
      for (const [index, { passes, delay, status, stateNow }] of events.entries()) {
        service.now += passes;
        service.add(`d${String(index).padStart(2, '0')}`, service.now - delay, status);
        if (stateNow) await books.state();
      }
      service.now += 200;
      await books.state();
      const stated = books.ids();
      expect(sorted(stated)).toEqual(sorted(ids(service.deposits)));
      expect(isEmpty(await books.read())).toBe(true);
    }),
    { numRuns: 300 },
  );
});
