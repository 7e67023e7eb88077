import { randomUUID } from 'node:crypto';
import type { Database, Queries } from '#src/server/database/sql.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import type { Statements } from '#src/server/team/statements.ts';
import type { MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { isOpenStatus } from '#src/shared/paymentStatus.ts';
import { type Bounds, monthOf, nextPeriod } from '#src/shared/statement/period.ts';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import { dateOf } from '#src/shared/time.ts';
import { dropJob, findReading, insertJob, isUnended, type JobActor, type MonthRow, SERVER_SESSION } from './jobRows.ts';

/** Preparing and reminding start on these days of the month, in the account's zone. */
const PREPARED_FROM_DAY = 3;
const REMINDED_FROM_DAY = 10;
/** Time between two readings. */
const APART_MS = 3_600_000;
/** The time doubles up to this while the month can't be prepared: each reading takes a request per 100 rows. */
const APART_MAX_MS = 24 * 3_600_000;
/** Time to the next reading of a prepared month, which looks for late rows. */
const AGAIN_MS = 6 * 3_600_000;

export interface PreparedMonth extends AccountOwner, Bounds {}

/** Called in the transaction that records the event. */
export interface MonthEvents {
  onPrepared: (transaction: Queries, month: PreparedMonth) => Promise<void>;
  onReminder: (transaction: Queries, month: PreparedMonth) => Promise<void>;
}

interface PreparingParts {
  database: Database;
  statements: Pick<Statements, 'list'>;
  events: MonthEvents;
  /** Milliseconds. */
  wall: () => number;
}

type PreparedRow = {
  job: string | null;
  sha256: string | null;
  next_at: string;
  prepared_at: string | null;
  reminded_at: string | null;
};

/**
 * Prepares the next month that an account can close, if it is over. It is prepared when two complete readings an hour
 * apart are equal and nothing is unresolved. Call step() from time to time, on any number of servers.
 */
export function createPreparing({ database, statements, events, wall }: PreparingParts) {
  /** The time after the last reading, for months that couldn't be prepared. In memory: a restarted server begins with an hour. */
  const waits = new Map<string, number>();
  return async function step(owner: AccountOwner): Promise<void> {
    const closed = await statements.list(owner);
    const zone = seriesZone(closed);
    const now = wall();
    const unix = Math.floor(now / 1_000);
    const bounds = dueMonth(closed, unix);
    const day = Number(dateOf(unix, zone).slice(8));
    if (bounds === null || day < PREPARED_FROM_DAY) return;
    const { service, account } = owner;
    const month: PreparedMonth = { service, account, ...bounds };
    const key = JSON.stringify([service, account, bounds.from]);
    await database.transaction(async (tx) => {
      const row = await lockRow(tx, month);
      // Once in each month until it is closed, even while it is being read.
      if (day >= REMINDED_FROM_DAY && Number(row.reminded_at ?? 0) < monthOf(unix, zone).from * 1_000) {
        await events.onReminder(tx, month);
        await noteReminder(tx, month, now);
      }
      const ended = row.job === null ? null : await endedReading(tx, owner, row.job);
      if (ended === 'unended') return;
      let { sha256, prepared_at: preparedAt, next_at: nextAt } = row;
      if (ended !== null) {
        const before = sha256;
        sha256 = ended === 'failed' || isUnresolved(ended) ? null : ended.sha256;
        const isEqual = sha256 !== null && sha256 === before;
        if (isEqual && preparedAt === null) await events.onPrepared(tx, month);
        const isReady = sha256 !== null && (before === null || preparedAt !== null);
        const waitMs = isEqual || isReady ? APART_MS : Math.min(2 * (waits.get(key) ?? APART_MS / 2), APART_MAX_MS);
        if (isEqual) waits.delete(key);
        else waits.set(key, waitMs);
        preparedAt = isEqual ? (preparedAt ?? String(now)) : ended === 'failed' ? preparedAt : null;
        nextAt = String(now + (isEqual ? AGAIN_MS : waitMs));
        // A failed reading proves nothing: compare the next one with the last that succeeded.
        if (ended === 'failed') sha256 = before;
      }
      const isDue = Number(nextAt) <= now;
      const job = isDue ? await startReading(tx, month, closed.length) : null;
      if (ended !== null && row.job !== null) await dropJob(tx, row.job);
      await tx.query(
        `update jobs.prepared set job = $4, sha256 = $5, next_at = $6::bigint, prepared_at = $7::bigint
         where service = $1 and account = $2 and period_from = $3::bigint`,
        [service, account, String(bounds.from), job, sha256, nextAt, preparedAt],
      );
    });
  };
}

/** The next month to close, if it is over: months are closed in order. Null if last month is closed already. */
function dueMonth(closed: readonly ClosedPeriod[], unix: number): Bounds | null {
  const zone = seriesZone(closed);
  const lastMonth = monthOf(unix, zone, 1);
  const last = closed.at(-1);
  if (last === undefined) return lastMonth;
  const next = nextPeriod(last, zone);
  return next.to <= lastMonth.to ? next : null;
}

async function lockRow(tx: Queries, { service, account, from, to }: PreparedMonth): Promise<PreparedRow> {
  const [row] = await tx.query<PreparedRow>(
    `insert into jobs.prepared (service, account, period_from, period_to, next_at) values ($1, $2, $3::bigint, $4::bigint, 0)
     on conflict (service, account, period_from) do update set period_to = excluded.period_to
     returning job, sha256, next_at::text, prepared_at::text, reminded_at::text`,
    [service, account, String(from), String(to)],
  );
  if (row === undefined) throw new Error('The database returned no row.');
  return row;
}

async function noteReminder(tx: Queries, { service, account, from }: PreparedMonth, now: number): Promise<void> {
  await tx.query(
    'update jobs.prepared set reminded_at = $4 where service = $1 and account = $2 and period_from = $3::bigint',
    [service, account, String(from), String(now)],
  );
}

async function endedReading(tx: Queries, owner: AccountOwner, id: string): Promise<MonthRow | 'unended' | 'failed'> {
  if (await isUnended(tx, id)) return 'unended';
  return (await findReading(tx, owner, id)) ?? 'failed';
}

async function startReading(
  tx: Queries,
  { service, account, from, to }: PreparedMonth,
  closed: number,
): Promise<string> {
  const request: MonthRequest = { kind: 'month-close', task: 'prepare', from, to, closed, reading: null };
  const id = randomUUID();
  const rights = { permissions: [], readOnly: false, keyRefused: false };
  const server: JobActor = { service, account, session: SERVER_SESSION, who: null, person: null, rights };
  await insertJob(tx, server, { id, request, server: null });
  return id;
}

/** Whether something in the month may still change or doesn't add up. */
function isUnresolved({ progress: { month } }: MonthRow): boolean {
  if (month === null) return true;
  const { sums, totals, unplaced, malformed } = month;
  return (
    unplaced.count > 0 ||
    malformed > 0 ||
    totals.some(({ status }) => status !== null && isOpenStatus(status)) ||
    (sums ?? []).some(({ verdict }) => verdict === 'unexplained')
  );
}

/** When a month was prepared, ms; null if it isn't. */
export async function preparedAt(
  queries: Queries,
  { service, account }: AccountOwner,
  { from, to }: Bounds,
): Promise<number | null> {
  const [row] = await queries.query<{ prepared_at: string | null }>(
    `select prepared_at::text from jobs.prepared
     where service = $1 and account = $2 and period_from = $3::bigint and period_to = $4::bigint`,
    [service, account, String(from), String(to)],
  );
  return row?.prepared_at == null ? null : Number(row.prepared_at);
}
