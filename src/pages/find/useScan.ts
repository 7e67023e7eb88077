import { listDeposits } from '#src/api/deposits.ts';
import { useJob } from '#src/api/job.ts';
import { useSession } from '#src/api/session.ts';
import { listWithdrawals } from '#src/api/withdrawals.ts';
import { newScan, type ReadList, type Scan, scanOn } from './scan.ts';

/** A search through the lists, bounded: it pauses after many pages and says how far it came. */
export function useScan(text: string) {
  const { account } = useSession();
  const { job, progress: scan, running, error } = useJob<Scan | null>(null);
  const ofAccount =
    (list: ReadList): ReadList =>
    (filters, cursor, options) =>
      list(filters, cursor, { ...options, account });
  const lists = { deposits: ofAccount(listDeposits), withdrawals: ofAccount(listWithdrawals) };
  const go = (from: Scan): void => {
    job.reset(from);
    void job.run((signal, show) => scanOn(from, text, lists, signal, show));
  };
  return {
    scan,
    running,
    error,
    begin: () => go(newScan()),
    goOn: () => scan && go(scan),
    /** Another text is another search. */
    forget: () => job.reset(null),
    cancel: job.cancel,
  };
}
