import { useRef, useState } from 'react';
import type { OperationRequest } from '#src/shared/operations/kind.ts';
import { repeatsOf } from '#src/shared/operations/repeats.ts';
import type { EarlierSend } from '#src/shared/contract/gatewayContract.ts';
import { type ReceivedReview, isFresh, reviewOperation } from '#src/web/api/operations/operations.ts';

interface CheckState {
  request: OperationRequest | null;
  isChecking: boolean;
  /** The server's response for this request; null if unknown. */
  review: ReceivedReview | null;
  error: Error | null;
}

export type DuplicateCheck = ReturnType<typeof useDuplicateCheck>;

const NOT_CHECKED: CheckState = { request: null, isChecking: false, review: null, error: null };
const NO_IDS: ReadonlySet<string> = new Set();

/** Finds earlier sends like a request, and tracks which of them the person has confirmed as not duplicates. */
export function useDuplicateCheck(account: string) {
  const [state, setState] = useState(NOT_CHECKED);
  const [confirmedIds, setConfirmedIds] = useState(NO_IDS);
  const newest = useRef(0);
  const { request: checked, isChecking, review, error } = state;
  const earlier = review?.of ?? [];
  const repeats = checked === null ? earlier : repeatsOf(checked, earlier);
  const areConfirmed = (sends: readonly EarlierSend[]): boolean => sends.every(({ id }) => confirmedIds.has(id));

  /** Asks the server, which records nothing. Null if that failed, or if another check has begun since. */
  const check = async (request: OperationRequest): Promise<ReceivedReview | null> => {
    newest.current += 1;
    const number = newest.current;
    const finish = (result: Pick<CheckState, 'review' | 'error'>): ReceivedReview | null => {
      if (number !== newest.current) return null;
      setState({ request, isChecking: false, ...result });
      return result.review;
    };
    setState((before) => ({
      request,
      isChecking: true,
      review: before.request?.body === request.body ? before.review : null,
      error: null,
    }));
    try {
      return finish({ review: await reviewOperation(account, request), error: null });
    } catch (reason) {
      return finish({ review: null, error: reason instanceof Error ? reason : new Error(String(reason)) });
    }
  };

  return {
    review,
    isChecking,
    error,
    /** Earlier sends that this request may repeat, which need the person's confirmation. */
    repeats,
    isConfirmed: repeats.length > 0 && areConfirmed(repeats),
    setConfirmed: (confirmed: boolean) => setConfirmedIds(new Set(confirmed ? repeats.map(({ id }) => id) : [])),
    check,
    /** The last review, if it is for this request and recent enough for Send. */
    freshReview: (request: OperationRequest) =>
      checked?.body === request.body && review && isFresh(review) ? review : null,
    maySend: (request: OperationRequest, { of }: ReceivedReview) => areConfirmed(repeatsOf(request, of)),
    /** Forgets the last check, because the values have changed. */
    reset: () => {
      newest.current += 1;
      setState(NOT_CHECKED);
      setConfirmedIds(NO_IDS);
    },
  };
}
