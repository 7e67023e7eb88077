import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { listBalances } from '#src/web/api/balances.ts';
import { listDeposits, getWithdrawal, listWithdrawals, listLedgerEntries } from '#src/web/api/listQueries.ts';
import { useJob } from '#src/web/api/paging/job.ts';
import type { Session } from '#src/web/api/session.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { keepItem, showColleagues } from '#src/web/api/team.ts';
import { randomName } from '#src/shared/operations/random.ts';
import { checkMonth, type Checked, noReportedRows, withAdjustments } from './reportedRows.ts';
import { type Month, type Progress, readMonth, type MonthReads } from './readMonth.ts';
import { type Bounds, isSamePeriod } from './period.ts';
import { announce } from '#src/web/ui/announce.tsx';
import type { Zone } from '#src/shared/time.ts';
import type { RateFile } from './statement.ts';
import { loadTeamRecords, type TeamRecords } from './teamRecords.ts';

interface Work {
  doing: 'reading' | 'finding' | 'checking' | 'closing';
  progress: Progress | null;
  /** Its sums include the adjustments found. */
  month: Month | null;
  /** Late and changed rows of closed periods; null before the check. */
  found: Checked | null;
  /** Set once everything before the period was checked, so that it can be closed. */
  ready: Closable | null;
  /** The closing whose dialog was open when closed periods changed. */
  interrupted: string | null;
  /** How many periods were closed when `month` was read; with another number its opening may be wrong. */
  closedCount: number;
}

export interface Closable {
  month: Month;
  checked: Checked;
  records: TeamRecords;
  /** Identifies the closing; a retry after a lost response uses the same one. */
  closing: string;
}

const NOTHING: Work = {
  doing: 'reading',
  progress: null,
  month: null,
  found: null,
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

interface Books {
  session: Session;
  zone: Zone;
  closed: readonly ClosedPeriod[];
  bounds: Bounds;
}

/** Loaded only to close or to check. */
const loadFiles = () => Promise.all([import('./archive.ts'), import('./statement.ts')] as const);

interface CloseProgress {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Shows a part of the result before the rest is there. */
  show: (part: Partial<Work>) => void;
}

/** Reads the period on screen. Leaving the page cancels reads, but not a close that was sent. */
export function useMonthClose({ session, zone, closed, bounds }: Books) {
  const { account } = session;
  const { job, progress: work, running, error } = useJob<Work>(NOTHING);
  const client = useQueryClient();
  const reads = readsOf(account);
  const own = closed.find((period) => isSamePeriod(period, bounds)) ?? null;
  const isFirst = closed.length === 0;
  // Keep showing loaded data while it is reloaded, so that nothing moves.
  const month = work.month && isSamePeriod(work.month.bounds, bounds) ? work.month : null;
  const isCurrent = month !== null && work.closedCount === closed.length;
  const loaded: Work = { ...NOTHING, month, closedCount: work.closedCount };

  const run = (doing: Work['doing'], from: Work, act: (told: CloseProgress) => Promise<Partial<Work>>): void =>
    void job.run(async (signal, show) => {
      let now: Work = { ...from, doing, progress: null };
      const showPart = (part: Partial<Work>): void => show((now = { ...now, progress: null, ...part }));
      showPart({});
      const onProgress = (progress: Progress): void => showPart({ progress });
      showPart(await act({ signal, onProgress, show: showPart }));
    });

  /** What is missing is searched for at once where the sums differ. */
  const read = (interrupted: string | null = null): void =>
    run('reading', { ...loaded, interrupted }, async (told) => {
      const current = { month: await readMonth(reads, { bounds, closed, ...told }), closedCount: closed.length };
      if (!current.month.sums?.some(({ verdict }) => verdict === 'unexplained')) return current;
      told.show({ ...current, doing: 'finding' });
      return { ...current, ...(await search(current.month, told)) };
    });

  /** Checks a range for rows that are in no statement and, with `own`, not in the period itself. */
  const look = async (of: Month, { from, own }: { from: number | null; own: boolean }, told: CloseProgress) => {
    const known = noReportedRows();
    const [{ readZip, learnZip, learnFiles }, { partFiles }] = await loadFiles();
    for (const period of closed) await learnZip(await readZip(period, { account, signal: told.signal }), known);
    if (own) await learnFiles(partFiles(of.parts), known);
    const range = { from, to: own ? bounds.to : bounds.from };
    return checkMonth(reads, of, { known, range, isFirst, ...told });
  };

  const search = async (of: Month, told: CloseProgress) => {
    const found = await look(of, { from: isFirst ? bounds.from : null, own: true }, told);
    return { found, month: own === null ? withAdjustments(of, found.adjustments) : of };
  };

  const find = (): void => {
    if (month === null || !isCurrent) return;
    run('finding', loaded, (told) => search(month, told));
  };

  /** Checks everything before the period; rows in no statement are reported in this one. */
  const prepare = (): void => {
    if (month === null || !isCurrent) return;
    run('checking', loaded, async (told) => {
      // Start without earlier adjustments, as there may be more now.
      const bare = withAdjustments(month, []);
      const checked = await look(bare, { from: null, own: false }, told);
      const whole = withAdjustments(bare, checked.adjustments);
      const records = await loadTeamRecords(client, account, { bounds, signal: told.signal });
      const ready = { month: whole, checked, records, closing: randomName('closing_') };
      return { month: whole, found: isFirst ? null : checked, ready };
    });
  };

  const close = (name: string, rates: RateFile | null): void => {
    const { ready } = work;
    if (ready === null || running) return;
    run('closing', work, async () => {
      try {
        const [{ closePeriod }, { freezePeriod }] = await loadFiles();
        const { period, zip } = await freezePeriod({
          ...ready,
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
  const begin = useEffectEvent((books: { from: number; to: number; closed: number }) => {
    const isClosedByColleague = books.closed !== closedBefore.current;
    closedBefore.current = books.closed;
    read(isClosedByColleague ? (work.ready?.closing ?? null) : null);
  });
  useEffect(() => begin({ from, to, closed: closed.length }), [from, to, closed.length]);

  return {
    ...work,
    month,
    isCurrent,
    own,
    running,
    error,
    read: () => read(),
    find,
    prepare,
    close,
    cancel: job.cancel,
    /** The period that a colleague closed while this one was about to be closed. */
    overtakenBy: isOvertaken ? (last ?? null) : null,
    dismissOvertaken: () => setDismissed(work.interrupted),
    stay: () => {
      if (work.ready && !running) job.reset((now) => ({ ...now, ready: null }));
    },
  };
}

export type MonthClose = ReturnType<typeof useMonthClose>;
