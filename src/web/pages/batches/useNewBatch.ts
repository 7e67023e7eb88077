import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { CommaMeaning } from '#src/shared/batches/batchFile.ts';
import type { BatchPayment } from '#src/shared/batches/batchPayments.ts';
import {
  needsTick,
  repeatedPayments,
  type ReviewedPayment,
  confirmationKey,
  tickOfRepeated,
} from '#src/shared/batches/unusual.ts';
import { isDay } from '#src/shared/due/dueDates.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { paths } from '#src/shared/paths.ts';
import {
  BatchError,
  commandBatch,
  cacheBatch,
  type ReceivedBatch,
  recordBatch,
  recordedBatch,
} from '#src/web/api/batches.ts';
import { signPayments } from '#src/web/api/signing.ts';
import { isFresh } from '#src/web/api/operations/operations.ts';
import { useSession } from '#src/web/api/session.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import {
  batchRequest,
  type BatchSource,
  isRecordOf,
  mayBeRecorded,
  paymentsToSign,
  withRefusal,
} from './batchRequest.ts';
import { savePayBy } from '#src/web/send/payBy.ts';
import { createUnloadGuard } from '#src/web/ui/unloadGuard.ts';
import type { FreshBalances } from '#src/web/send/PaymentTotals.tsx';
import { useBatchDraft } from './useBatchDraft.ts';
import { useBatchFile } from './useBatchFile.ts';
import { useReviewer } from './useReviewer.ts';

type Sending =
  | { at: 'idle' }
  | { at: 'sending' }
  /** The batch may have been recorded. Nothing is sent before it is started. */
  | { at: 'unknown'; error: Error }
  /** Other payments are recorded under this id. `other`: null if the batch isn't this account's, or couldn't be read. */
  | { at: 'taken'; other: ReceivedBatch | null }
  | { at: 'refused'; error: Error };

/** What the person has confirmed. */
interface Confirmed {
  /** Keys from tickOf(). */
  ticks: ReadonlySet<string>;
  /** Key from tickOfRepeated(): which payments may repeat earlier batches. */
  repeated: string;
  /** Why the same payments are made again. */
  again: string;
  /** The person wants to send more than is available. */
  isOverBalance: boolean;
}

const NOTHING: Confirmed = { ticks: new Set(), repeated: '', again: '', isOverBalance: false };

export type NewBatch = ReturnType<typeof useNewBatch>;

/** A new batch under one id, from choosing the file to starting it. */
export function useNewBatch(balances: FreshBalances) {
  // One id per mounted page: with a new id per click or retry, each could pay again.
  const [id] = useState(() => newKey());
  const rows = useRowsRead();
  const history = useKnownAddresses(rows);
  const file = useBatchFile(id, history, rows);
  const reviewer = useReviewer(history, balances, rows);
  const [confirmed, setConfirmed] = useState(NOTHING);
  const [pasted, setPasted] = useState('');
  const [payBy, setPayBy] = useState('');
  const { source, read, review } = file.state;
  const payments = read?.kind === 'payments' ? read.payments : null;
  const reviewed = useMemo(
    () => (payments && review && reviewer?.(payments, review)) ?? null,
    [payments, review, reviewer],
  );
  const draft = useBatchDraft((found) => {
    setPasted(pastedText(found));
    file.open(found);
  });
  const { sending, send, rest } = useSend({ id, file, reviewer, confirmed, payBy, onRecorded: draft.forget });
  // Stable, so that one tick doesn't render 500 lines again.
  const tick = useCallback((payment: ReviewedPayment, isTicked: boolean): void => {
    setConfirmed((before) => {
      const ticks = new Set(before.ticks);
      if (isTicked) ticks.add(confirmationKey(payment));
      else ticks.delete(confirmationKey(payment));
      return { ...before, ticks };
    });
  }, []);
  const restart = (): void => {
    setConfirmed(NOTHING);
    rest();
  };
  const open = (from: BatchSource, comma: CommaMeaning | null = null): void => {
    restart();
    file.open(from, comma);
  };
  return {
    ...file.state,
    history,
    reviewed,
    unticked: reviewed ? countUnticked(reviewed, confirmed) : 0,
    confirmed,
    confirm: (change: Partial<Confirmed>): void => setConfirmed((before) => ({ ...before, ...change })),
    isTicked: (payment: ReviewedPayment): boolean => confirmed.ticks.has(confirmationKey(payment)),
    tick,
    /** The pay-by date, as typed. */
    payBy,
    setPayBy,
    sending,
    send,
    draftAt: draft.at,
    take: (from: BatchSource): void => {
      draft.keep(from);
      setPasted(pastedText(from));
      open(from);
    },
    answerComma: (comma: CommaMeaning): void => {
      if (source !== null) open(source, comma);
    },
    retry: (): void => {
      if (source !== null) open(source, file.state.comma);
    },
    /** The pasted rows, for correction; empty for a file. */
    pasted,
    /** Back to the choice of a file, or to the pasted rows. */
    change: (): void => {
      draft.forget();
      file.close();
      restart();
    },
    /** Removes the file. */
    clear: (): void => {
      draft.forget();
      setPasted('');
      setPayBy('');
      file.close();
      restart();
    },
  };
}

/** Whether other people must approve it before it can be sent. */
export function isForApproval({ approval }: { approval: { needs: number } | null }): boolean {
  return (approval?.needs ?? 0) > 0;
}

function pastedText({ name, text }: BatchSource): string {
  return name === null ? text : '';
}

function countUnticked(payments: readonly ReviewedPayment[], { ticks }: Confirmed): number {
  return payments.filter((payment) => needsTick(payment) && !ticks.has(confirmationKey(payment))).length;
}

/** Whether the payments that earlier batches have as well were confirmed, or there are none. */
export function isRepeatConfirmed(
  payments: readonly ReviewedPayment[],
  { repeated }: Pick<Confirmed, 'repeated'>,
): boolean {
  const found = repeatedPayments(payments);
  return found === null || repeated === tickOfRepeated(found);
}

interface SendOptions {
  id: string;
  file: ReturnType<typeof useBatchFile>;
  reviewer: ReturnType<typeof useReviewer>;
  confirmed: Confirmed;
  payBy: string;
  onRecorded: () => void;
}

/** Records the batch and starts it. */
function useSend({ id, file, reviewer, confirmed, payBy, onRecorded }: SendOptions) {
  const session = useSession();
  const { account } = session;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [sending, setSending] = useState<Sending>({ at: 'idle' });
  const isBusy = useRef(false);
  useUnloadGuard(sending.at === 'sending' || sending.at === 'unknown');

  /** `request.mayHaveArrived`: whether a request to record may have arrived. */
  const recordAndStart = async (request: { mayHaveArrived: boolean }): Promise<void> => {
    const { source, read, review } = file.state;
    if (source === null || review === null || read?.kind !== 'payments' || reviewer === null) return;
    const { payments } = read;
    const alreadyRecorded = request.mayHaveArrived ? await recordedBatch(account, id) : null;
    if (alreadyRecorded !== null) return continueWith(alreadyRecorded, payments);
    const current = isFresh(review) ? review : await file.reviewAgain(payments);
    // An unknown outcome stays unknown.
    const stop = (): void => setSending(sending.at === 'unknown' ? sending : { at: 'idle' });
    // The button has another label now than the person pressed: let them press again.
    if (isForApproval(current) !== isForApproval(review)) return stop();
    const checked = reviewer(payments, current);
    const again = confirmed.again.trim();
    const isConfirmed =
      countUnticked(checked, confirmed) === 0 &&
      (current.same === null ? isRepeatConfirmed(checked, confirmed) : again !== '');
    // Stop here: the page now shows the new findings.
    if (!isConfirmed || checked.some(({ usedReference }) => usedReference !== null)) return stop();
    const body = batchRequest(source, checked, current.same === null ? null : again);
    const needs = current.approval?.needs;
    const proof = isForApproval(current) ? undefined : await signPayments(session, paymentsToSign(id, body));
    // The person cancelled.
    if (proof === null) return stop();
    request.mayHaveArrived = true;
    const input = { ...body, ...(proof && { proof }), ...(needs !== undefined && { needs }) };
    await continueWith(await recordBatch(account, id, input, current), payments);
  };

  /** Starts the batch recorded under this id, if it has these payments. */
  const continueWith = async (recorded: ReceivedBatch, payments: readonly BatchPayment[]): Promise<void> => {
    if (!isRecordOf(recorded, payments)) return setSending({ at: 'taken', other: recorded });
    onRecorded();
    if (isDay(payBy) && isForApproval(recorded))
      void savePayBy(client, account, { id, date: payBy, where: 'the batch' });
    await cacheBatch(client, account, await startRecorded(account, recorded));
    void navigate(paths.batch(id), { replace: true });
  };

  const fail = async (reason: unknown, wasUnknown: boolean, mayHaveArrived: boolean): Promise<void> => {
    const error = reason instanceof Error ? reason : new Error(String(reason));
    if (error instanceof BatchError) file.setReview((before) => withRefusal(before, error.extras, id));
    if (error instanceof BatchError && error.code === 'key_reused')
      return setSending({ at: 'taken', other: await recordedBatch(account, id).catch(() => null) });
    setSending({ at: mayHaveArrived && mayBeRecorded(error, wasUnknown) ? 'unknown' : 'refused', error });
  };

  return {
    sending,
    rest: (): void => setSending({ at: 'idle' }),
    send: (): void => {
      // Set before the first await, so that an immediate second click sees it.
      if (isBusy.current) return;
      isBusy.current = true;
      const wasUnknown = sending.at === 'unknown';
      const request = { mayHaveArrived: wasUnknown };
      setSending({ at: 'sending' });
      void recordAndStart(request)
        .catch((reason: unknown) => fail(reason, wasUnknown, request.mayHaveArrived))
        .finally(() => {
          isBusy.current = false;
        });
    },
  };
}

/** Starts the recorded batch. If that fails, the batch's page shows what was sent. */
async function startRecorded(account: string, recorded: ReceivedBatch): Promise<ReceivedBatch> {
  if (recorded.batch.state !== 'waiting' || isForApproval(recorded)) return recorded;
  return commandBatch(account, recorded, 'start').catch(() => recorded);
}

function useUnloadGuard(isNeeded: boolean): void {
  const [guard] = useState(createUnloadGuard);
  useEffect(() => {
    guard(isNeeded);
    return () => guard(false);
  }, [guard, isNeeded]);
}
