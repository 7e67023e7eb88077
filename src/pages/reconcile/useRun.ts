import { useEffect, useRef, useState } from 'react';
import { listBalances } from '#src/api/balances.ts';
import { depositQueries, listDeposits } from '#src/api/deposits.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { listLedgerEntries } from '#src/api/ledgerEntries.ts';
import type { Book, LedgerMark, StatedRow } from '#src/remembered/reconcileBook.ts';
import { useQueryClient } from '@tanstack/react-query';
import { baseOf } from './base.ts';
import { type AssetSide, compareLedger, markOf } from './ledgerSide.ts';
import type { Reads } from './reads.ts';
import { type Found, run, type RunProgress } from './run.ts';
import { nextOf } from './statement.ts';
import { reconcileStore } from './store.ts';

/** The ledger beside the deposits; null mark: the service offers none, or it could not be read. */
export interface LedgerRead {
  offered: boolean;
  mark: LedgerMark | null;
  /** null at the first checkpoint: there is nothing to compare with. */
  sides: AssetSide[] | null;
  error: unknown;
}

type Work =
  | { step: 'idle' }
  | { step: 'running'; progress: RunProgress | null }
  | { step: 'failed'; error: unknown }
  | { step: 'found'; found: Found; ledger: LedgerRead; closing: boolean; problem: string | null };

/** The reads of a run, under one account whatever the session becomes. */
export function useReads(account: string): Reads {
  const queryClient = useQueryClient();
  return {
    list: (filters, cursor, options) => listDeposits(filters, cursor, { ...options, account }),
    find: (id) => queryClient.fetchQuery({ ...depositQueries.detail(account, id), staleTime: 0 }),
  };
}

/** From "read new deposits" to the checkpoint; leaving the page gives up, and nothing is stated. */
export function useRun(book: Book, onClosed: () => Promise<unknown>) {
  const [work, setWork] = useState<Work>({ step: 'idle' });
  const reads = useReads(book.account);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const begin = async (): Promise<void> => {
    const abort = new AbortController();
    stop.current = abort;
    setWork({ step: 'running', progress: null });
    try {
      const base = await baseOf(book, reconcileStore.statementsFromLast(book));
      const onProgress = (progress: RunProgress): void => setWork({ step: 'running', progress });
      const found = await run(book, base, reads, abort.signal, onProgress);
      const ledger = await readLedger(book, found.late, abort.signal);
      setWork({ step: 'found', found, ledger, closing: false, problem: null });
    } catch (error) {
      setWork(abort.signal.aborted ? { step: 'idle' } : { step: 'failed', error });
    }
  };

  const close = async (): Promise<void> => {
    if (work.step !== 'found' || work.closing) return;
    setWork({ ...work, closing: true });
    try {
      const { next, statement } = nextOf(book, work.found, work.ledger.mark);
      const closed = await reconcileStore.close(next, statement);
      await onClosed();
      setWork(
        closed
          ? { step: 'idle' }
          : {
              ...work,
              closing: false,
              problem: 'Another tab set a checkpoint meanwhile. Nothing was written; read again.',
            },
      );
    } catch (error) {
      setWork({
        ...work,
        closing: false,
        problem: `This browser did not keep it (${wordsOf(error)}). Nothing was stated.`,
      });
    }
  };

  return {
    work,
    begin: () => void begin(),
    cancel: () => stop.current?.abort(),
    close: () => void close(),
    discard: () => setWork({ step: 'idle' }),
  };
}

async function readLedger(
  { account, ledger }: Book,
  late: readonly StatedRow[],
  signal: AbortSignal,
): Promise<LedgerRead> {
  try {
    await listLedgerEntries({}, null, { limit: 1, account, signal });
    const balances = await listBalances({ account, signal });
    const read: typeof listLedgerEntries = (filters, cursor, options) =>
      listLedgerEntries(filters, cursor, { ...options, account });
    const sides = ledger === null ? null : await compareLedger(ledger, balances.balances, late, read, signal);
    return { offered: true, mark: markOf(balances), sides, error: null };
  } catch (error) {
    signal.throwIfAborted();
    return isNotOffered(error)
      ? { offered: false, mark: null, sides: null, error: null }
      : { offered: true, mark: ledger, sides: null, error };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
