import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  closingOfJob,
  type MonthJob,
  type MonthTask,
  type ShownLate,
  type ShownMonth,
} from '#src/shared/contract/monthJobContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { type Bounds, isSamePeriod } from '#src/shared/statement/period.ts';
import { deleteJob } from '#src/web/api/jobs.ts';
import { continueMonthTask, MonthStopped, runMonthTask } from '#src/web/api/monthJobs.ts';
import { useJob } from '#src/web/api/paging/job.ts';
import type { Session } from '#src/web/api/session.ts';
import { closePeriod, keepItem, reloadItems } from '#src/web/api/team.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { afterFailure, type Closable, newClosable } from './closingAttempt.ts';

interface Work {
  doing: MonthJob['doing'] | 'closing';
  /** The job in its last polled state; null before it is started, and while a period is being closed. */
  job: MonthJob | null;
  /** The month on screen, including the adjustments found. `id`: the finished job that read it; null if it didn't finish. */
  read: {
    id: string | null;
    bounds: Bounds;
    closedCount: number;
    month: ShownMonth;
    preparedAt: number | null;
  } | null;
  /** Late and changed rows of closed periods; null before the check. */
  lateRows: ShownLate | null;
  /** Set once everything before the period was checked and the period can be closed. */
  ready: Closable | null;
  /** The closing whose dialog was open when closed periods changed. */
  interrupted: string | null;
}

const IDLE: Work = { doing: 'reading', job: null, read: null, lateRows: null, ready: null, interrupted: null };
const DOING: Record<MonthTask, MonthJob['doing']> = { read: 'reading', search: 'finding', prepare: 'checking' };

interface MonthCloseInput {
  session: Session;
  closed: readonly ClosedPeriod[];
  bounds: Bounds;
}

/** The period on screen, which the server reads and closes. Leaving the page doesn't stop the server's reading. */
export function useMonthClose({ session, closed, bounds }: MonthCloseInput) {
  const { account } = session;
  const { job, progress: work, running, error } = useJob<Work>(IDLE);
  const client = useQueryClient();
  const closedPeriod = closed.find((period) => isSamePeriod(period, bounds)) ?? null;
  // Keep showing loaded data while it is reloaded, so that nothing moves.
  const read = work.read && isSamePeriod(work.read.bounds, bounds) ? work.read : null;
  const isCurrent = read !== null && read.closedCount === closed.length;
  const loaded: Work = { ...IDLE, read };

  /** Cancels a reading on the server that is no longer needed. */
  const cancelReading = (): void => {
    const { running: isRunning, progress } = job.get();
    if (isRunning && progress.job !== null) void deleteJob(account, progress.job.id).catch(() => undefined);
  };

  const run = (from: Work, task: (signal: AbortSignal, show: (part: Partial<Work>) => void) => Promise<void>): void =>
    void job.run(async (signal, show) => {
      let state = from;
      const showPart = (part: Partial<Work>): void => show((state = { ...state, ...part }));
      showPart({});
      try {
        await task(signal, showPart);
      } catch (failure) {
        // A colleague closed a period: its list says which.
        if (failure instanceof MonthStopped && failure.code === 'moved-on')
          await reloadItems(client, account, 'closed-periods');
        throw failure;
      }
    });

  /** `stopped`: the job to continue. */
  const runTask = (
    task: MonthTask,
    from: Work,
    { reading, stopped }: { reading?: string | null; stopped?: string } = {},
  ) => {
    cancelReading();
    const closedCount = closed.length;
    run({ ...from, doing: DOING[task], job: null }, async (signal, show) => {
      const onLook = (at: MonthJob): void =>
        show({
          job: at,
          doing: at.doing,
          ...(at.month && {
            read: {
              id: at.state === 'done' ? at.id : (reading ?? null),
              bounds,
              closedCount,
              month: at.month,
              preparedAt: at.prepared_at,
            },
          }),
        });
      const request = { kind: 'month-close' as const, task, ...bounds, closed: closedCount, reading: reading ?? null };
      const options = { signal, onLook };
      const done = await (stopped === undefined
        ? runMonthTask(account, request, options)
        : continueMonthTask(account, stopped, options));
      if (task !== 'prepare') show({ lateRows: done.late });
      else show({ lateRows: closedCount === 0 ? null : done.late, ready: newClosable(done) });
    });
  };

  const load = (interrupted: string | null = null): void => runTask('read', { ...loaded, interrupted });

  const find = (): void => {
    if (read !== null && isCurrent) runTask('search', loaded, { reading: read.id });
  };

  /** Checks everything before the period; rows in no statement are reported in this one. */
  const prepare = (): void => {
    if (read !== null && isCurrent) runTask('prepare', loaded, { reading: read.id });
  };

  const close = (name: string, rates: Uint8Array | null): void => {
    const attempt = work.ready;
    if (attempt === null || running) return;
    run({ ...work, doing: 'closing', job: null }, async (_signal, show) => {
      try {
        await keepItem(client, account, 'closed-periods', await closePeriod(account, attempt, rates));
        announce(`${name} is closed`);
        show({ ready: null });
      } catch (failure) {
        show({ ready: afterFailure(attempt, failure) });
        await reloadItems(client, account, 'closed-periods');
        throw failure;
      }
    });
  };

  const stoppedJob = error instanceof MonthStopped && error.job.state === 'stopped' ? error.job : null;
  const [dismissed, setDismissed] = useState<string | null>(null);
  const last = closed.at(-1);
  const isOvertaken = work.interrupted !== null && work.interrupted !== last?.closing && work.interrupted !== dismissed;
  const { from, to } = bounds;
  // If a colleague closes a period, this one starts at its end and may have other adjustments, so read again.
  const closedBefore = useRef(closed.length);
  const loadPeriod = useEffectEvent((books: { from: number; to: number; closed: number }) => {
    const isClosedByColleague = books.closed !== closedBefore.current;
    closedBefore.current = books.closed;
    load(isClosedByColleague && work.ready ? closingOfJob(work.ready.id) : null);
  });
  useEffect(() => loadPeriod({ from, to, closed: closed.length }), [from, to, closed.length]);

  return {
    ...work,
    month: read?.month ?? null,
    /** When the server had prepared the month in the background, Unix seconds. */
    preparedAt: closedPeriod === null ? (read?.preparedAt ?? null) : null,
    progress: work.job?.progress ?? null,
    waitsUntil: work.job?.waits_until ?? null,
    isCurrent,
    closedPeriod,
    running,
    error,
    load: () => load(),
    find,
    prepare,
    close,
    cancel: () => {
      cancelReading();
      job.cancel();
    },
    /** Continues a reading that stopped because the server restarted; null if there is none. */
    goOn:
      stoppedJob?.problem?.code === 'server-restarted'
        ? () => runTask(stoppedJob.task, { ...loaded, interrupted: null }, { stopped: stoppedJob.id })
        : null,
    /** The period that a colleague closed while this one was about to be closed. */
    overtakenBy: isOvertaken ? (last ?? null) : null,
    dismissOvertaken: () => setDismissed(work.interrupted),
    leaveDialog: () => {
      if (work.ready && !running) job.reset((state) => ({ ...state, ready: null }));
    },
  };
}

export type MonthClose = ReturnType<typeof useMonthClose>;
