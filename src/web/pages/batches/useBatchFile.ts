import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { CommaMeaning } from '#src/shared/batches/batchFile.ts';
import { type BatchPayment, type ReadBatch, readBatch } from '#src/shared/batches/batchPayments.ts';
import { type ReceivedBatchReview, reviewBatch } from '#src/web/api/batches.ts';
import { loadRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { spellingOf } from '#src/web/list/chainChoices.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { type BatchSource, batchRequestLines, withoutOwn } from './batchRequest.ts';
import { choicesOf } from './useReviewer.ts';

interface FileState {
  source: BatchSource | null;
  /** The person's answer to what commas mean; null if not asked. */
  comma: CommaMeaning | null;
  /** Null while it is being read. */
  read: ReadBatch | null;
  /** The server's review of the payments; null until it has responded. */
  review: ReceivedBatchReview | null;
  error: Error | null;
}

const NOTHING: FileState = { source: null, comma: null, read: null, review: null, error: null };

/** A file, read and checked here, and reviewed by the server. `id`: the batch's. */
export function useBatchFile(id: string, history: AddressHistory, rows: readonly Record<string, unknown>[]) {
  const { account } = useSession();
  const client = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const newest = useRef(0);

  const reviewOf = async (payments: readonly BatchPayment[]): Promise<ReceivedBatchReview> =>
    withoutOwn(await reviewBatch(account, { lines: batchRequestLines(payments) }), id);

  const open = async (source: BatchSource, comma: CommaMeaning | null): Promise<void> => {
    newest.current += 1;
    const number = newest.current;
    const show = (next: Partial<FileState>): void => {
      if (number === newest.current) setState({ ...NOTHING, source, comma, ...next });
    };
    show({});
    try {
      const [known, recipients] = await Promise.all([history.settled(), loadRecipients(client, account)]);
      const spell = (asset: string, chain: string): string => spellingOf(chain, choicesOf(asset, known, rows));
      const read = await readBatch(source.text, comma, { known, recipients, spell });
      show({ read });
      if (read.kind === 'payments') show({ read, review: await reviewOf(read.payments) });
    } catch (reason) {
      show({ error: reason instanceof Error ? reason : new Error(String(reason)) });
    }
  };

  return {
    state,
    open: (source: BatchSource, comma: CommaMeaning | null = null): void => void open(source, comma),
    /** Asks the server for a new review. */
    reviewAgain: async (payments: readonly BatchPayment[]): Promise<ReceivedBatchReview> => {
      const review = await reviewOf(payments);
      setState((before) => ({ ...before, review }));
      return review;
    },
    setReview: (change: (before: ReceivedBatchReview) => ReceivedBatchReview): void =>
      setState((before) => ({ ...before, review: before.review && change(before.review) })),
    close: (): void => {
      newest.current += 1;
      setState(NOTHING);
    },
  };
}
