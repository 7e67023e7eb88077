import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import type { ServicePort } from '#src/server/operations/ports.ts';
import { LIMIT_MAX, type ListFilters, PATHS } from '#src/shared/contract/contract.ts';
import {
  type BalanceRow,
  balanceSchema,
  depositSchema,
  ledgerEntrySchema,
  withdrawalSchema,
} from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { segment } from '#src/shared/paths.ts';
import { ListBroken, ListRefused, type MonthReads, type ReadMonthPage } from '#src/shared/statement/monthReads.ts';
import { createObjectReader, createPageReader, type JobClock, JobStopped, type DatedListPage } from './pageReader.ts';

/** Longest work before it yields to other work of the server. */
const SLICE_MS = 12;
/** 10,000 assets. A longer list means that the service's paging doesn't end. */
const BALANCE_PAGES_MAX = 100;

interface MonthReadsParts extends Pick<MonthReads, 'lateEntriesIn' | 'closingVerdicts'> {
  service: Pick<ServicePort, 'read'>;
  apiKey: string;
  clock: JobClock;
  signal: AbortSignal;
  /** Called before a wait. `until`: by the server's clock, in ms. */
  onWait: (until: number) => Promise<void>;
}

/** The reads of a month close, with retries and waits for as long as a job allows. */
export function createMonthReads({ lateEntriesIn, closingVerdicts, ...parts }: MonthReadsParts): MonthReads {
  const list = <S extends v.GenericSchema>(path: string, schema: S) => {
    const read = createPageReader({ ...parts, path });
    let since = performance.now();
    return async (filters: ListFilters, cursor: string | null) => {
      const query = { limit: LIMIT_MAX, ...filters, starting_after: cursor ?? undefined };
      const page = await orRefused(read(query));
      // An embedded provider answers without ever yielding.
      if (performance.now() - since > SLICE_MS) {
        await nextTurn();
        since = performance.now();
      }
      return pageOf(schema, page);
    };
  };
  const deposits: ReadMonthPage = list(PATHS.deposits, depositSchema);
  const withdrawals: ReadMonthPage = list(PATHS.withdrawals, withdrawalSchema);
  const ledger: ReadMonthPage = list(PATHS.ledgerEntries, ledgerEntrySchema);
  const readBalances = list(PATHS.balances, balanceSchema);
  const readObject = createObjectReader(parts);
  return {
    deposits,
    withdrawals,
    ledger,
    lateEntriesIn,
    closingVerdicts,
    async balances() {
      const rows = new Map<string, BalanceRow>();
      let malformed = 0;
      let asOf: number | null = null;
      const end = await followPages(
        (cursor) => readBalances({}, cursor),
        (page) => {
          for (const row of page.data) rows.set(stringifyExact(row), row);
          malformed += page.malformed.length;
          asOf ??= page.date ?? page.readAt;
        },
        { signal: parts.signal, maxPages: BALANCE_PAGES_MAX },
      );
      // An asset missing here would be stated as if it had no balance.
      if (end.kind === 'broken') throw new ListBroken(end.reason);
      if (end.kind === 'more') throw new ListBroken('The list of balances does not end.');
      return { balances: [...rows.values()], malformed, asOf: asOf ?? Math.floor(parts.clock.wall() / 1_000) };
    },
    async withdrawal(id) {
      const row = await orRefused(readObject(`${PATHS.withdrawals}/${segment(id)}`));
      const parsed = v.safeParse(withdrawalSchema, row);
      if (parsed.success && parsed.output.id === id) return parsed.output;
      throw new JobStopped('not-contract', 'The provider’s response is not the withdrawal requested.');
    },
  };
}

function pageOf<S extends v.GenericSchema>(schema: S, { data: items, ...page }: DatedListPage) {
  const data: v.InferOutput<S>[] = [];
  const malformed: unknown[] = [];
  for (const item of items) {
    const row = v.safeParse(schema, item);
    if (row.success) data.push(row.output);
    else malformed.push(item);
  }
  return { ...page, data, malformed };
}

/** Throws a refusal as ListRefused. It may mean a missing list or an expired cursor, which readMonth tells apart. */
async function orRefused<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof JobStopped && error.refusal !== null) throw new ListRefused(error.refusal, error);
    throw error;
  }
}
