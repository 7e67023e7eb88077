import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { listBalances } from '#src/api/balances.ts';
import { listDeposits } from '#src/api/deposits.ts';
import { useJob } from '#src/api/job.ts';
import { listLedgerEntries } from '#src/api/ledgerEntries.ts';
import type { Session } from '#src/api/session.ts';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { keepItem, showColleagues } from '#src/api/team.ts';
import { getWithdrawal, listWithdrawals } from '#src/api/withdrawals.ts';
import { add, subtract, sum } from '#src/lib/money.ts';
import { randomName } from '#src/lib/operations/random.ts';
import { check, type Checked, type Known, noneKnown, withAdjustments } from './known.ts';
import { emptyPart, type Month, type Progress, readMonth, type Reads } from './readMonth.ts';
import type { ListName } from './rows.ts';
import { type AssetSum, type Bounds, compared } from './sums.ts';

/** What is under way, and what came of it. */
interface Work {
  doing: 'reading' | 'finding' | 'checking' | 'closing';
  progress: Progress | null;
  /** With the adjustments that were found in its sums. */
  month: Month | null;
  /** What belongs to closed periods and is in none: null before anybody looked. */
  found: Checked | null;
  /** Everything before the period was looked through: it can be closed. */
  ready: Closable | null;
}

export interface Closable {
  month: Month;
  checked: Checked;
  /** Names the closing; the same one when an answer was lost and it is sent again. */
  closing: string;
}

const NOTHING: Work = { doing: 'reading', progress: null, month: null, found: null, ready: null };

function readsOf(account: string): Reads {
  return {
    deposits: (filters, cursor, options) => listDeposits(filters, cursor, { ...options, account }),
    withdrawals: (filters, cursor, options) => listWithdrawals(filters, cursor, { ...options, account }),
    ledger: (filters, cursor, options) => listLedgerEntries(filters, cursor, { ...options, account }),
    balances: (signal) => listBalances({ account, signal }),
    withdrawal: (id, signal) => getWithdrawal(id, { account, signal }),
  };
}

interface Books {
  session: Session;
  /** Oldest first. */
  closed: readonly ClosedPeriod[];
  bounds: Bounds;
}

/** Hashes and ZIP come when somebody closes or searches. */
const loadFiles = () =>
  Promise.all([import('#src/api/closedPeriods.ts'), import('./statement.ts'), import('./zip.ts')] as const);

/** Reads a period as soon as it is looked at; leaving the page gives up whatever is under way. */
export function useMonthClose({ session, closed, bounds }: Books) {
  const { account } = session;
  const { job, progress: work, running, error } = useJob<Work>(NOTHING);
  const client = useQueryClient();
  const reads = readsOf(account);
  const own = closed.find((period) => isSame(period, bounds)) ?? null;

  const month = work.month && isSame(work.month.bounds, bounds) ? work.month : null;

  const read = (): void => {
    // What was loaded stays in sight until it is loaded again, so that nothing moves.
    const kept = { ...NOTHING, month };
    job.reset(kept);
    void job.run(async (signal, show) => {
      const onProgress = (progress: Progress): void => show({ ...kept, progress });
      const base = own ?? closed.findLast(({ to }) => to <= bounds.from) ?? null;
      const loaded = await readMonth(reads, {
        bounds,
        base: baseOf(base),
        checkpoint: base?.to === bounds.from ? base.checkpoint : null,
        closed: own !== null,
        signal,
        onProgress,
      });
      show({ ...NOTHING, month: own === null ? loaded : frozen(loaded, own, closed) });
    });
  };

  const learn = async (signal: AbortSignal): Promise<Known> => {
    const known = noneKnown();
    const [{ readZip }, , { learnFrom }] = await loadFiles();
    for (const period of closed) await learnFrom(await readZip(period, { account, signal }), known);
    return known;
  };

  /** Looks for what was created up to the end of the period and is in no statement. */
  const find = (): void => {
    if (month === null) return;
    void job.run(async (signal, show) => {
      const kept = { ...NOTHING, month, doing: 'finding' as const };
      show(kept);
      const known = await learn(signal);
      for (const list of ['deposits', 'withdrawals', 'ledger'] as ListName[]) {
        for (const [id, state] of month.parts[list]?.states ?? []) known[list].set(id, state);
      }
      const isFirst = closed.length === 0;
      const range = { from: isFirst ? bounds.from : null, to: bounds.to };
      const onProgress = (progress: Progress): void => show({ ...kept, progress });
      const found = await check(reads, month, { known, range, isFirst, signal, onProgress });
      show({ ...kept, found, month: own === null ? withAdjustments(month, found) : month });
    });
  };

  /** Looks through everything before the period: what is in no statement goes into this one. */
  const prepare = (): void => {
    if (month === null) return;
    void job.run(async (signal, show) => {
      const kept = { ...NOTHING, month, doing: 'checking' as const };
      show(kept);
      const isFirst = closed.length === 0;
      const range = { from: null, to: bounds.from };
      const onProgress = (progress: Progress): void => show({ ...kept, progress });
      const unadjusted = withoutAdjustments(month);
      const checked = await check(reads, unadjusted, {
        known: await learn(signal),
        range,
        isFirst,
        signal,
        onProgress,
      });
      const whole = withAdjustments(unadjusted, checked);
      const ready = { month: whole, checked, closing: randomName('closing_') };
      show({ ...kept, month: whole, found: isFirst ? null : checked, ready });
    });
  };

  const close = (name: string): void => {
    const { ready } = work;
    if (ready === null || running) return;
    void job.run(async (_signal, show) => {
      show({ ...work, doing: 'closing', progress: null });
      try {
        const [{ closePeriod }, { freeze }] = await loadFiles();
        const { period, bytes } = await freeze({ ...ready, name, number: closed.length + 1, session });
        const item = await closePeriod(account, period, bytes);
        await keepItem(client, account, 'closed-periods', item);
        show({ ...work, doing: 'closing', ready: null });
      } catch (failure) {
        await showColleagues(client, account, 'closed-periods', failure);
        throw failure;
      }
    });
  };

  const { from, to } = bounds;
  const begin = useEffectEvent((_period: { from: number; to: number; isClosed: boolean }) => read());
  const isClosed = own !== null;
  useEffect(() => begin({ from, to, isClosed }), [from, to, isClosed]);

  return {
    ...work,
    month,
    own,
    running,
    error,
    read,
    find,
    prepare,
    close,
    cancel: job.cancel,
    /** Back to the period, unclosed. */
    stay: () => {
      if (work.ready && !running) job.reset({ ...work, ready: null });
    },
  };
}

function isSame(one: Bounds, other: Bounds): boolean {
  return one.from === other.from && one.to === other.to;
}

function baseOf(base: ClosedPeriod | null) {
  const closing = new Map(base?.sums?.map((each) => [each.asset, each.closing]));
  // A period closed without a ledger froze no balances: its beginning is that of the ledger.
  return base?.sums ? { at: base.to, closing } : { at: null, closing };
}

/** A closed period as it was closed, and what moved since; what later ones took over of it counts as moved. */
function frozen(month: Month, own: ClosedPeriod, closed: readonly ClosedPeriod[]): Month {
  const live = new Map(month.sums?.map((each) => [each.asset, each]));
  const later = closed.filter(({ number }) => number > own.number).flatMap(({ sums }) => sums ?? []);
  const assets = new Map((own.sums ?? []).map((each) => [each.asset, each]));
  const sums =
    own.sums && month.sums
      ? [...new Set([...assets.keys(), ...live.keys()])].map((asset): AssetSum => {
          const now = live.get(asset);
          const adjusted = sum(later.filter((each) => each.asset === asset).map((each) => each.adjustments));
          const kept = assets.get(asset) ?? { ...EMPTY_SUM, asset };
          const since = add(now?.since ?? '0', adjusted);
          const { balance = null, sinceEntries = 0, newest = [] } = now ?? {};
          return compared({ ...kept, since, sinceEntries, balance, newest, swapped: [] });
        })
      : null;
  const parts = { ...month.parts, withdrawals: own.rows.withdrawals === null ? null : emptyPart() };
  return { ...month, parts, sums };
}

const EMPTY_SUM = {
  opening: '0',
  deposits: '0',
  withdrawals: '0',
  fees: '0',
  swaps: '0',
  other: '0',
  adjustments: '0',
  closing: '0',
  counts: { deposits: 0, withdrawals: 0, fees: 0, swaps: 0, other: 0, entries: 0 },
};

/** The period as it was read: what was found before may have become more since. */
function withoutAdjustments(month: Month): Month {
  const sums = month.sums?.map((each) =>
    compared({ ...each, adjustments: '0', closing: subtract(each.closing, each.adjustments) }),
  );
  return { ...month, sums: sums ?? null };
}

export type MonthClose = ReturnType<typeof useMonthClose>;
