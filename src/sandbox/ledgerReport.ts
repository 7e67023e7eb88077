import type { Queries, SqlRow } from '#src/server/database/sql.ts';
import { DEPOSIT_LIST } from './deposits.ts';
import type { ListSource } from './page.ts';
import { WITHDRAWAL_LIST } from './withdrawals.ts';

type BookRow = { asset: string; book: string; sum: string; entries: number };
const EXECUTED = { withdrawals: 0, deposit_addresses: 0, charges: 0, webhook_replays: 0 };

export type LedgerReport = Awaited<ReturnType<typeof ledgerReport>>;

/** A summary of an account's whole ledger, including the counter accounts. Tests use it to verify what was executed. */
export async function ledgerReport(q: Queries, account: string, address: string | null) {
  const rows = await q.query<BookRow>(
    `select asset, book, sum(amount)::text as sum, count(*)::int as entries from ledger_entries where account = $1
     group by asset, book order by asset, book`,
    [account],
  );
  const sums = await q.query<{ asset: string; sum: string }>(
    `select asset, case when sum(amount) = 0 then '0' else sum(amount)::text end as sum from ledger_entries
     where account = $1 group by asset order by asset`,
    [account],
  );
  const drifted = await q.query<{ asset: string }>(
    `select b.asset from balances b left join (
       select asset, coalesce(sum(amount) filter (where book = 'available'), 0) as available,
         coalesce(sum(amount) filter (where book = 'pending'), 0) as pending,
         coalesce(sum(amount) filter (where book = 'locked'), 0) as locked
       from ledger_entries where account = $1 group by asset) e on e.asset = b.asset
     where b.account = $1 and (b.available, b.pending, b.locked) is distinct from
       (coalesce(e.available, 0), coalesce(e.pending, 0), coalesce(e.locked, 0)) order by b.asset`,
    [account],
  );
  const [counts] = await q.query<{ transactions: number; unbalanced: number } & typeof EXECUTED>(
    `select (select count(distinct transaction_id)::int from ledger_entries where account = $1) as transactions,
       (select count(*)::int from (select 1 from ledger_entries where account = $1
          group by transaction_id having sum(amount) <> 0) u) as unbalanced,
       (select count(*)::int from withdrawals where account = $1) as withdrawals,
       (select count(*)::int from deposit_addresses where account = $1) as deposit_addresses,
       (select count(*)::int from charges where account = $1) as charges,
       (select count(*)::int from webhook_replays where account = $1) as webhook_replays`,
    [account],
  );
  const [paid] =
    address === null || address.includes('\0')
      ? []
      : await q.query<{ count: number }>(
          'select count(*)::int as count from withdrawals where account = $1 and address = $2',
          [account, address],
        );
  const books: Record<string, Record<string, string>> = {};
  for (const { asset, book, sum } of rows) books[asset] = { ...books[asset], [book]: sum };
  const { transactions = 0, unbalanced = 0, ...executed } = counts ?? {};
  return {
    account,
    entries: rows.reduce((total, row) => total + row.entries, 0),
    transactions,
    /** Per asset; anything but zero means that the ledger is broken. */
    sums: Object.fromEntries(sums.map(({ asset, sum }) => [asset, sum])),
    /** Number of transactions that don't sum to zero. */
    unbalanced,
    books,
    /** Assets whose running balances differ from their entries. */
    drifted: drifted.map((row) => row.asset),
    executed: { ...EXECUTED, ...executed },
    ...(paid && { to_address: paid.count }),
  };
}

const MOST = 100;

/** The account's payments that have neither completed nor failed, newest first, at most 100 of each kind. */
export async function inFlight(q: Queries, account: string) {
  const rows = async <R extends SqlRow, T>({ table, columns, toObject }: ListSource<R, T>): Promise<T[]> => {
    const found = await q.query<R>(
      `select ${columns} from ${table} where account = $1 and status not in ('completed', 'failed')
       order by ${table}.created_at desc, seq desc limit ${MOST}`,
      [account],
    );
    return found.map(toObject);
  };
  return { deposits: await rows(DEPOSIT_LIST), withdrawals: await rows(WITHDRAWAL_LIST) };
}
