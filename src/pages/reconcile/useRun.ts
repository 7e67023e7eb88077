import { listBalances } from '#src/api/balances.ts';
import { depositQueries, listDeposits } from '#src/api/deposits.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { useJob } from '#src/api/job.ts';
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
}

/** A run under way, and what it found. */
interface Work {
  reading: RunProgress | null;
  found: FoundWork | null;
}

const NOTHING: Work = { reading: null, found: null };

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
  const { job, progress, running, error } = useJob<Work>(NOTHING);
  const { reading, found } = progress;
  const client = useQueryClient();
  const reads = useReads(account);

  const begin = (): void => {
    job.reset(NOTHING);
    void job.run(async (signal, show) => {
      const base = await baseOf(book.value, statementsFromLast(book, { account, signal }));
      const onProgress = (now: RunProgress): void => show({ reading: now, found: null });
      const found = await run(book.value, base, reads, signal, onProgress);
      const ledger = await readLedger(account, book.value.ledger, found.late, signal);
      show({ reading: null, found: { book, found, ledger, closingName: randomName('closing_') } });
    });
  };

  const close = (work: FoundWork): void => {
    if (running) return;
    void job.run(async (_signal, show) => {
      try {
        const whole = statementOf(work.book, work.found, work.closingName);
        const closed = await closeStatement(account, work.book, whole, work.ledger.mark);
        show(NOTHING);
        void keepItem(client, account, 'reconciliations', closed);
      } catch (failure) {
        await showColleagues(client, account, 'reconciliations', failure);
        throw failure;
      }
    });
  };

  return {
    /** Deposits are being read. */
    running: running && found === null,
    reading,
    found,
    /** The checkpoint is being set. */
    closing: running && found !== null,
    error,
    begin,
    cancel: job.cancel,
    close: () => found && close(found),
    discard: () => job.reset(NOTHING),
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
