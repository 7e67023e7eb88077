import { useEffect, useRef, useState } from 'react';
import { listBalances } from '#src/api/balances.ts';
import { depositQueries, listDeposits } from '#src/api/deposits.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { listLedgerEntries } from '#src/api/ledgerEntries.ts';
import { closeStatement, statementsFromLast } from '#src/api/statements.ts';
import { keepItem, showColleagues } from '#src/api/team.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book, LedgerMark, StatedRow } from '#src/api/statementContract.ts';
import { randomName } from '#src/lib/operations/random.ts';
import { useQueryClient } from '@tanstack/react-query';
import { baseOf } from './base.ts';
import { type AssetSide, compareLedger, markOf } from './ledgerSide.ts';
import type { Reads } from './reads.ts';
import { type Found, run, type RunProgress } from './run.ts';
import { statementOf } from './statement.ts';

/** The ledger beside the deposits; null mark: the service offers none, or it could not be read. */
export interface LedgerRead {
  offered: boolean;
  mark: LedgerMark | null;
  /** null at the first checkpoint: there is nothing to compare with. */
  sides: AssetSide[] | null;
  error: unknown;
}

/** What a run found, of the reconciliation as it was when the run began. */
export interface FoundWork {
  book: TeamItem<Book>;
  found: Found;
  ledger: LedgerRead;
  /** Names the statement; the same one when an answer was lost and it is closed again. */
  closingName: string;
  closing: boolean;
  error: unknown;
}

type Work =
  | { step: 'idle' }
  | { step: 'running'; progress: RunProgress | null }
  | { step: 'failed'; error: unknown }
  | ({ step: 'found' } & FoundWork);

/** The reads of a run, under one account whatever the session becomes. */
export function useReads(account: string): Reads {
  const queryClient = useQueryClient();
  return {
    list: (filters, cursor, options) => listDeposits(filters, cursor, { ...options, account }),
    find: (id) => queryClient.fetchQuery({ ...depositQueries.detail(account, id), staleTime: 0 }),
  };
}

/** From "read new deposits" to the checkpoint; leaving the page gives up, and nothing is stated. */
export function useRun(book: TeamItem<Book>, account: string) {
  const [work, setWork] = useState<Work>({ step: 'idle' });
  const client = useQueryClient();
  const reads = useReads(account);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const begin = async (): Promise<void> => {
    const abort = new AbortController();
    const { signal } = abort;
    stop.current = abort;
    setWork({ step: 'running', progress: null });
    try {
      const base = await baseOf(book.value, statementsFromLast(book, { account, signal }));
      const onProgress = (progress: RunProgress): void => setWork({ step: 'running', progress });
      const found = await run(book.value, base, reads, signal, onProgress);
      const ledger = await readLedger(account, book.value.ledger, found.late, signal);
      const closingName = randomName('closing_');
      setWork({ step: 'found', book, found, ledger, closingName, closing: false, error: null });
    } catch (error) {
      setWork(signal.aborted ? { step: 'idle' } : { step: 'failed', error });
    }
  };

  const close = async (): Promise<void> => {
    if (work.step !== 'found' || work.closing) return;
    setWork({ ...work, closing: true });
    try {
      const whole = statementOf(work.book, work.found, work.closingName);
      const closed = await closeStatement(account, work.book, whole, work.ledger.mark);
      setWork({ step: 'idle' });
      await keepItem(client, account, 'reconciliations', closed);
    } catch (error) {
      await showColleagues(client, account, 'reconciliations', error);
      setWork({ ...work, closing: false, error });
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
  account: string,
  ledger: LedgerMark | null,
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
