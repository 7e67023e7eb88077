import { type Queries, retryOnDeadlock } from '#src/server/database/sql.ts';
import type { Balance } from '#src/shared/contract/contract.ts';
import { scaleOf } from './assets.ts';
import { newId } from './ids.ts';
import { findObject, type ListSource, objectOf, unixSecondsOf } from './page.ts';
import {
  notFound,
  insufficientFunds,
  invalid,
  readAmountField,
  decimalsOf,
  stringField,
  type JsonObject,
} from './outcome.ts';
import type { SandboxAccount } from './accounts.ts';

/** The first three are the merchant's and have a running balance; the others are the counter accounts of double entry. */
export type Book = 'available' | 'pending' | 'locked' | 'network' | 'fees' | 'swaps';

export type EntryType = 'opening' | 'deposit' | 'withdrawal' | 'swap';

/** How long a published balance lags behind the ledger, in ms of the account's time. */
export const SNAPSHOT_LAG_MS = 2000;

export interface LedgerMove {
  account: string;
  asset: string;
  type: EntryType;
  /** Id of the deposit, withdrawal or swap. */
  source: string;
  /** Milliseconds of the account's time. */
  at: number;
  from: Book;
  /** The destinations; their sum is taken from `from`, so the ledger sums to zero by construction. */
  to: readonly { book: Book; amount: string }[];
}

/** Creates the asset's books with zeros of the asset's scale, which every later sum keeps. */
export async function openBooks(q: Queries, account: string, asset: string, chain: string, at: number): Promise<void> {
  await q.query(
    `insert into balances (account, asset, created_at, available, pending, locked,
       shown_available, shown_pending, shown_locked, shown_at)
     select $1, $2, $3, z, z, z, z, z, z, $3 from (select round(0::numeric, $4::int) as z) zero
     on conflict do nothing`,
    [account, asset, at, scaleOf(asset)],
  );
  await q.query('insert into asset_chains (account, asset, chain) values ($1, $2, $3) on conflict do nothing', [
    account,
    asset,
    chain,
  ]);
}

export async function postEntries(q: Queries, move: LedgerMove): Promise<void> {
  const transaction = newId('lt_');
  const { account, asset, type, source, at } = move;
  const parts = JSON.stringify(move.to.map((part) => ({ ...part, id: newId('le_') })));
  await q.query(
    `with parts as (select * from json_to_recordset($1::text::json) as p(id text, book text, amount numeric)),
     entries as (
       select $2::text as id, $3::text as book, -sum(amount) as amount, 0 as place from parts
       union all select id, book, amount, 1 from parts where amount <> 0)
     insert into ledger_entries (id, account, transaction_id, asset, book, amount, type, source, created_at)
     select id, $4, $5, $6, book, amount, $7, $8, $9::bigint from entries order by place`,
    [parts, newId('le_'), move.from, account, transaction, asset, type, source, at],
  );
  await q.query(
    `update balances b set
       available = b.available + s.available, pending = b.pending + s.pending, locked = b.locked + s.locked,
       publish_at = coalesce(b.publish_at, $4::bigint)
     from (select coalesce(sum(amount) filter (where book = 'available'), 0) as available,
         coalesce(sum(amount) filter (where book = 'pending'), 0) as pending,
         coalesce(sum(amount) filter (where book = 'locked'), 0) as locked
       from (select book, amount from json_to_recordset($3::text::json) as p(book text, amount numeric)
         union all
         select $5::text, -sum(amount) from json_to_recordset($3::text::json) as p(book text, amount numeric)) e) s
     where b.account = $1 and b.asset = $2`,
    [account, asset, parts, at + SNAPSHOT_LAG_MS, move.from],
  );
}

/**
 * Publishes the snapshots due at that time of the account, or all that lag. Ledger balance and snapshot are in one row, so a
 * concurrent payment is never half published.
 */
export async function publish(q: Queries, which: 'due' | 'all', account: string, now: number): Promise<void> {
  await q.query(
    `update balances set shown_available = available, shown_pending = pending, shown_locked = locked,
       shown_at = $2, publish_at = null
     where account = $1 and ${which === 'due' ? 'publish_at <= $2' : 'publish_at is not null'}`,
    [account, now],
  );
}

/** As publish(), for a read: retries on a deadlock with a settlement, which locks the rows in another order. */
export function publishForReading(q: Queries, account: string, now: number): Promise<void> {
  return retryOnDeadlock(() => publish(q, 'due', account, now));
}

type BalanceRow = Omit<Balance, 'object' | 'updated_at'> & { updated_at: string };

/** Contract 4.3 */
export const BALANCE_LIST: ListSource<BalanceRow, Balance> = {
  table: 'balances',
  columns: `asset, shown_available::text as available, shown_pending::text as pending, shown_locked::text as locked,
    (shown_available + shown_pending + shown_locked)::text as total, shown_at::text as updated_at`,
  idColumn: 'asset',
  filters: ['asset'],
  timed: false,
  toObject: ({ updated_at, ...row }) => ({ object: 'balance', ...row, updated_at: unixSecondsOf(updated_at) }),
};

/** Contract 4.2 */
export async function findBalance(q: Queries, account: string, asset: string): Promise<Balance> {
  const found = await findObject(q, BALANCE_LIST, account, asset);
  if (found === null) throw notFound('This account has never held that asset.');
  return found;
}

type EntryRow = Record<'id' | 'transaction' | 'type' | 'asset' | 'book' | 'amount' | 'source' | 'created_at', string>;

/** A signed movement of a book. The contract doesn't show this object (2.6). Entries of one transaction are created together. */
export type LedgerEntry = Omit<EntryRow, 'created_at'> & { object: 'ledger_entry'; created_at: number };

/** Not in the contract. Only the merchant's books, of which an asset's three add up to its balance. */
export const LEDGER_ENTRY_LIST: ListSource<EntryRow, LedgerEntry> = {
  table: 'ledger_entries',
  columns: 'id, transaction_id as transaction, type, asset, book, amount::text, source, created_at::text',
  idColumn: 'id',
  filters: ['asset', 'source'],
  timed: true,
  always: "book in ('available', 'pending', 'locked')",
  toObject: objectOf('ledger_entry'),
};

type Books = { asset: string; available: string; decimals: number; enough: boolean };

/**
 * Moves value between two balances without a transaction on a chain (contract 1): one entry each, with the same source. The
 * contract doesn't show the response (2.6). The caller locks the account's row.
 */
export async function swap(tx: Queries, account: SandboxAccount, at: number, body: JsonObject) {
  const side = (name: 'from' | 'to') => ({
    asset: stringField(body, name, 64),
    amount: readAmountField(body, `${name}_amount`),
  });
  const [from, to] = [side('from'), side('to')];
  if (from.asset === to.asset) throw invalid('to', 'must be another asset.');
  const books = await tx.query<Books>(
    `select asset, available::text, scale(available) as decimals, available >= $3::numeric as enough
     from balances where account = $1 and asset in ($2, $4) order by asset for update`,
    [account.id, from.asset, from.amount, to.asset],
  );
  for (const [name, { asset, amount }] of Object.entries({ from, to })) {
    const held = books.find((one) => one.asset === asset);
    if (held === undefined) throw invalid(name, `this account never held ${asset}.`);
    if (decimalsOf(amount) > held.decimals) throw invalid(`${name}_amount`, `${asset} has ${held.decimals} decimals.`);
    if (name === 'from' && !held.enough) {
      throw insufficientFunds(`from_amount: insufficient funds, ${held.available} ${asset} is available for a swap.`);
    }
  }
  const id = newId('swp_');
  const move = { account: account.id, type: 'swap' as const, source: id, at };
  await postEntries(tx, {
    ...move,
    asset: from.asset,
    from: 'available',
    to: [{ book: 'swaps', amount: from.amount }],
  });
  await postEntries(tx, { ...move, asset: to.asset, from: 'swaps', to: [{ book: 'available', amount: to.amount }] });
  return { id, object: 'swap', from, to };
}
