// What Home has checked, and what it couldn't check.
import { allBalances, type Balances } from '#src/shared/overview/balances.ts';
import type { OpenPayments } from '#src/shared/overview/openPayments.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { counted, listInWords, numberWords } from '#src/shared/text.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';

export interface Check {
  what: string;
  state: 'loading' | 'failed' | 'partly' | 'whole';
  /** What was checked, such as "5 deposits"; empty if there is nothing to say. */
  words: string;
  /** The words are about payments in progress. */
  inProgress?: boolean;
  error: Error | null;
  /** Unix seconds by this device; null if never loaded. */
  readAt: number | null;
}

interface ReadPayments extends Pick<OpenPayments, 'partly' | 'readAt'> {
  /** Number of open payments. */
  count: number;
}

/** The result of checking one list; `read` is undefined if nothing was loaded. */
export function paymentsCheck(kind: PaymentKind, read: ReadPayments | undefined, error: Error | null): Check {
  const { one, many } = PAYMENTS[kind].noun;
  if (read === undefined) return nothingRead(many, error);
  const { count, partly, readAt } = read;
  const isPart = partly.some(({ status }) => toneOf(status) === 'motion');
  const words = isPart && count > 0 ? `the ${numberWords(count)} oldest ${many}` : counted(count, one, many);
  const state = error !== null ? 'failed' : partly.length > 0 ? 'partly' : 'whole';
  return { what: many, state, words, inProgress: true, error, readAt };
}

export function balancesCheck(read: Balances | undefined, error: Error | null): Check {
  const what = 'balances';
  if (read === undefined) return nothingRead(what, error);
  const isWhole = read.complete && read.malformed.length === 0;
  const words = counted(allBalances(read).length, 'balance', 'balances');
  return { what, state: error !== null ? 'failed' : isWhole ? 'whole' : 'partly', words, error, readAt: read.readAt };
}

function nothingRead(what: string, error: Error | null): Check {
  return { what, state: error === null ? 'loading' : 'failed', words: what, error, readAt: null };
}

/** "5 deposits and 7 withdrawals in progress, 7 balances". */
export function checkedWords(checks: readonly Check[]): string {
  const checked = checks.filter(({ words, state }) => words !== '' && (state === 'whole' || state === 'partly'));
  const wordsOf = (inProgress: boolean) =>
    checked.filter((check) => (check.inProgress ?? false) === inProgress).map(({ words }) => words);
  const open = wordsOf(true);
  return [...(open.length > 0 ? [`${listInWords(open)} in progress`] : []), ...wordsOf(false)].join(', ');
}
