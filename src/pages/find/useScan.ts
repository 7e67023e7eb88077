import { useEffect, useRef, useState } from 'react';
import { listDeposits } from '#src/api/deposits.ts';
import { useSession } from '#src/api/session.ts';
import { listWithdrawals } from '#src/api/withdrawals.ts';
import { newScan, type Scan, scanOn } from './scan.ts';

/** A search through the lists, bounded: it pauses after many pages and says how far it came. */
export function useScan(text: string) {
  const account = useSession()?.account;
  const [scan, setScan] = useState<Scan | null>(null);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const go = async (from: Scan): Promise<void> => {
    const abort = new AbortController();
    stop.current?.abort();
    stop.current = abort;
    setScan(from);
    setError(null);
    setRunning(true);
    try {
      const deposits = (...[filters, cursor, options]: Parameters<typeof listDeposits>) =>
        listDeposits(filters, cursor, { ...options, account });
      const withdrawals = (...[filters, cursor, options]: Parameters<typeof listWithdrawals>) =>
        listWithdrawals(filters, cursor, { ...options, account });
      await scanOn(from, text, { deposits, withdrawals }, abort.signal, setScan);
    } catch (failure) {
      if (abort.signal.aborted) return;
      setError(failure);
    }
    if (stop.current === abort) setRunning(false);
  };

  return {
    scan,
    running,
    error,
    begin: () => void go(newScan()),
    goOn: () => void (scan && go(scan)),
    /** Another text is another search. */
    forget: () => {
      stop.current?.abort();
      setRunning(false);
      setScan(null);
      setError(null);
    },
    cancel: () => {
      stop.current?.abort();
      setRunning(false);
    },
  };
}
