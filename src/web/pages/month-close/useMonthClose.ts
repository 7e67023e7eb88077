import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { listBalances } from '#src/web/api/balances.ts';
import { listDeposits, getWithdrawal, listWithdrawals, listLedgerEntries } from '#src/web/api/listQueries.ts';
import { useJob } from '#src/web/api/paging/job.ts';
import type { Session } from '#src/web/api/session.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { keepItem, showColleagues } from '#src/web/api/team.ts';
import { checkMonth, type Checked, noReportedRows, withAdjustments } from './reportedRows.ts';
import { type Month, type Progress, readMonth, type MonthReads } from './readMonth.ts';
import { type Bounds, isSamePeriod } from './period.ts';
import { announce } from '#src/web/ui/announce.tsx';
import type { Zone } from '#src/shared/time.ts';
import type { RateFile } from './statement.ts';
import { afterFailure, type Closable, newClosable, nextAttempt } from './closingAttempt.ts';
import { loadTeamRecords } from './teamRecords.ts';

interface Work {
  doing: 'reading' | 'finding' | 'checking' | 'closing';
  progress: Progress | null;
  /** Its sums include the adjustments found. */
  month: Month | null;
  /** Late and changed rows of closed periods; null before the check. */
  lateRows: Checked | null;
  /** Set once everything before the period was checked, so that it can be closed. */
  ready: Closable | null;
  /** The closing whose dialog was open when closed periods changed. */
  interrupted: string | null;
  /** How many periods were closed when `month` was read; with another number its opening may be wrong. */
  closedCount: number;
}

const IDLE: Work = {
  doing: 'reading',
  progress: null,
  month: null,
  lateRows: null,
  ready: null,
  interrupted: null,
  closedCount: 0,
};

function readsOf(account: string): MonthReads {
  return {
    deposits: (filters, cursor, options) => listDeposits(filters, cursor, { ...options, account }),
    withdrawals: (filters, cursor, options) => listWithdrawals(filters, cursor, { ...options, account }),
    ledger: (filters, cursor, options) => listLedgerEntries(filters, cursor, { ...options, account }),
    balances: (signal) => listBalances({ account, signal }),
    withdrawal: (id, signal) => getWithdrawal(id, { account, signal }),
    takenOver: async (period, signal) => {
      const [{ readZip, takenOverIn }] = await loadFiles();
      return takenOverIn(await readZip(period, { account, signal }));
    },
    closingVerdicts: async (period, signal) => {
      const [{ readZip, closingVerdictsIn }] = await loadFiles();
      return closingVerdictsIn(await readZip(period, { account, signal }));
    },
  };
}

interface MonthCloseInput {
  session: Session;
  zone: Zone;
  closed: readonly ClosedPeriod[];
  bounds: Bounds;
}

/** Loaded only to close or to check. */
const loadFiles = () => Promise.all([import('./archive.ts'), import('./statement.ts')] as const);

interface RunningWork {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Shows a part of the result before the rest is there. */
  show: (part: Partial<Work>) => void;
}

/** Reads the period on screen. Leaving the page cancels reads, but not a close that was sent. */
export function useMonthClose({ session, zone, closed, bounds }: MonthCloseInput) {
  const { account } = session;
  const { job, progress: work, running, error } = useJob<Work>(IDLE);
  const client = useQueryClient();
  const reads = readsOf(account);
  const closedPeriod = closed.find((period) => isSamePeriod(period, bounds)) ?? null;
  const isFirst = closed.length === 0;
  // Keep showing loaded data while it is reloaded, so that nothing moves.
  const month = work.month && isSamePeriod(work.month.bounds, bounds) ? work.month : null;
  const isCurrent = month !== null && work.closedCount === closed.length;
  const loaded: Work = { ...IDLE, month, closedCount: work.closedCount };

  const run = (doing: Work['doing'], from: Work, task: (running: RunningWork) => Promise<Partial<Work>>): void =>
    void job.run(async (signal, show) => {
      let state: Work = { ...from, doing, progress: null };
      const showPart = (part: Partial<Work>): void => show((state = { ...state, progress: null, ...part }));
      showPart({});
      const onProgress = (progress: Progress): void => showPart({ progress });
      showPart(await task({ signal, onProgress, show: showPart }));
    });

  /** Where the sums differ, searches for late rows at once. */
  const load = (interrupted: string | null = null): void =>
    run('reading', { ...loaded, interrupted }, async (running) => {
      const current = { month: await readMonth(reads, { bounds, closed, ...running }), closedCount: closed.length };
      if (!current.month.sums?.some(({ verdict }) => verdict === 'unexplained')) return current;
      running.show({ ...current, doing: 'finding' });
      return { ...current, ...(await search(current.month, running)) };
    });

  /** Checks a range for rows that are in no statement and, with `withPeriod`, not in the period itself. */
  const findLateRows = async (
    monthRead: Month,
    { from, withPeriod }: { from: number | null; withPeriod: boolean },
    { signal, onProgress }: RunningWork,
  ) => {
    const known = noReportedRows();
    const [{ readZip, learnZip, learnFiles }, { partFiles }] = await loadFiles();
    for (const period of closed) await learnZip(await readZip(period, { account, signal }), known);
    if (withPeriod) await learnFiles(partFiles(monthRead.parts), known);
    const range = { from, to: withPeriod ? bounds.to : bounds.from };
    return checkMonth(reads, monthRead, { known, range, isFirst, signal, onProgress });
  };

  const search = async (monthRead: Month, running: RunningWork) => {
    const lateRows = await findLateRows(monthRead, { from: isFirst ? bounds.from : null, withPeriod: true }, running);
    return { lateRows, month: closedPeriod === null ? withAdjustments(monthRead, lateRows.adjustments) : monthRead };
  };

  const find = (): void => {
    if (month === null || !isCurrent) return;
    run('finding', loaded, (running) => search(month, running));
  };

  /** Checks everything before the period; rows in no statement are reported in this one. */
  const prepare = (): void => {
    if (month === null || !isCurrent) return;
    run('checking', loaded, async (running) => {
      // Start without earlier adjustments, as there may be more now.
      const unadjusted = withAdjustments(month, []);
      const checked = await findLateRows(unadjusted, { from: null, withPeriod: false }, running);
      const adjusted = withAdjustments(unadjusted, checked.adjustments);
      const records = await loadTeamRecords(client, account, { bounds, signal: running.signal });
      const ready = newClosable({ month: adjusted, checked, records });
      return { month: adjusted, lateRows: isFirst ? null : checked, ready };
    });
  };

  const close = (name: string, rates: RateFile | null): void => {
    if (work.ready === null || running) return;
    const attempt = nextAttempt(work.ready, rates);
    run('closing', { ...work, ready: attempt }, async ({ show }) => {
      try {
        const [{ closePeriod }, { freezePeriod }] = await loadFiles();
        const { period, zip } = await freezePeriod({
          ...attempt,
          name,
          number: closed.length + 1,
          zone,
          session,
          rates,
        });
        await keepItem(client, account, 'closed-periods', await closePeriod(account, period, zip));
        announce(`${name} is closed`);
        return { ready: null };
      } catch (failure) {
        show({ ready: afterFailure(attempt, failure) });
        await showColleagues(client, account, 'closed-periods', failure);
        throw failure;
      }
    });
  };

  const [dismissed, setDismissed] = useState<string | null>(null);
  const last = closed.at(-1);
  const isOvertaken = work.interrupted !== null && work.interrupted !== last?.closing && work.interrupted !== dismissed;
  const { from, to } = bounds;
  // If a colleague closes a period, this one starts at its end and may have other adjustments, so read again.
  const closedBefore = useRef(closed.length);
  const loadPeriod = useEffectEvent((books: { from: number; to: number; closed: number }) => {
    const isClosedByColleague = books.closed !== closedBefore.current;
    closedBefore.current = books.closed;
    load(isClosedByColleague ? (work.ready?.closing ?? null) : null);
  });
  useEffect(() => loadPeriod({ from, to, closed: closed.length }), [from, to, closed.length]);

  return {
    ...work,
    month,
    isCurrent,
    closedPeriod,
    running,
    error,
    load: () => load(),
    find,
    prepare,
    close,
    cancel: job.cancel,
    /** The period that a colleague closed while this one was about to be closed. */
    overtakenBy: isOvertaken ? (last ?? null) : null,
    dismissOvertaken: () => setDismissed(work.interrupted),
    leaveDialog: () => {
      if (work.ready && !running) job.reset((state) => ({ ...state, ready: null }));
    },
  };
}

export type MonthClose = ReturnType<typeof useMonthClose>;
