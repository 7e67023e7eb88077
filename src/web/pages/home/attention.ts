import { type Balances, allBalances } from '#src/web/api/balances.ts';
import { FAILED_DAYS, LATE_DAYS, type OpenPayments } from '#src/web/api/operations/openPayments.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Payment, PAYMENTS } from '#src/web/api/payments.ts';
import type { BalanceRow } from '#src/web/api/schemas.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { counted, listInWords, numberWords } from '#src/shared/text.ts';
import { isContradicted } from '#src/shared/operations/record.ts';
import type { Unsettled } from '#src/shared/operations/unsettled.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { standingOf } from '#src/web/report/paymentStanding.ts';
import type { LastMove, UsualTime } from '#src/web/resources/usualTimes.ts';
import { checkIdentity } from '#src/web/api/balanceIdentity.ts';

const DAY = 86_400;
/** More than twice as long as any chain takes, in seconds. */
const LIKELY = 6 * 3600;

export type Attention =
  | { kind: 'operation'; operation: Unsettled }
  /** `at`: when it failed by the ledger, Unix seconds; null if unknown. */
  | { kind: 'failed'; payment: Payment; at: number | null }
  /** Several failed deposits of one status. `orMore`: the service has more than were loaded. */
  | { kind: 'failed-deposits'; payments: readonly Payment[]; status: string; orMore: boolean }
  /** In seconds; `usual` is null if unknown. */
  | { kind: 'stuck'; payment: Payment; waiting: number; usual: number | null }
  | { kind: 'balance'; balance: BalanceRow; sum: string | null };

export interface Check {
  what: string;
  state: 'loading' | 'failed' | 'partly' | 'whole';
  /** What was checked, such as "5 deposits"; empty: nothing to say. */
  words: string;
  /** The words are about payments in progress. */
  inProgress?: boolean;
  error: Error | null;
  /** Unix seconds by this device; null if never loaded. */
  readAt: number | null;
}

interface Found {
  operations: readonly Unsettled[];
  payments: readonly OpenPayments[];
  balances: Balances | undefined;
  handled: ReadonlySet<string>;
  usualOf: UsualTime;
  lastMoveOf: LastMove;
  /** Seconds after which a payment is stuck if the usual duration is unknown. */
  threshold: number;
}

/** Everything that needs a person, most urgent first; within one rank, the longest waiting or latest failed first. */
export function attentionOf({
  operations,
  payments,
  balances,
  handled,
  usualOf,
  lastMoveOf,
  threshold,
}: Found): Attention[] {
  const found: Attention[] = operations.map((operation) => ({ kind: 'operation', operation }));
  for (const { open, failed, date, readAt } of payments) {
    const now = date ?? readAt;
    for (const payment of open) {
      const standing = standingOf({ payment, now, usual: usualOf(payment), threshold });
      if (standing.kind === 'stuck') found.push({ ...standing, payment });
    }
    for (const payment of failed) {
      const { kind, id } = payment;
      if (handled.has(subjectId({ kind, id }))) continue;
      const at = failedAt(payment, now, lastMoveOf);
      if (at !== 'before') found.push({ kind: 'failed', payment, at });
    }
  }
  for (const balance of balances ? allBalances(balances) : []) {
    const identity = checkIdentity(balance);
    if (identity.kind === 'holds') continue;
    found.push({ kind: 'balance', balance, sum: identity.kind === 'broken' ? identity.sum : null });
  }
  return withGroups(found, payments)
    .map((each, at) => ({ each, at, rank: rankOf(each) }))
    .sort((a, b) => a.rank - b.rank || waitOf(b.each) - waitOf(a.each) || a.at - b.at)
    .map(({ each }) => each);
}

/** Failed deposits of one status share a line: a shop has dozens a week. Failed withdrawals stay one by one. */
function withGroups(found: readonly Attention[], read: readonly OpenPayments[]): Attention[] {
  const byStatus = new Map<string, Payment[]>();
  for (const each of found) {
    if (!isFailedDeposit(each)) continue;
    const status = each.payment.status ?? '';
    byStatus.set(status, [...(byStatus.get(status) ?? []), each.payment]);
  }
  const groups = [...byStatus].filter(([, payments]) => payments.length > 1);
  const grouped = new Set(groups.map(([status]) => status));
  const isPart = (status: string) =>
    read.some(({ failed, partly }) => failed[0]?.kind === 'deposit' && partly.some((part) => part.status === status));
  return [
    ...found.filter((each) => !isFailedDeposit(each) || !grouped.has(each.payment.status ?? '')),
    ...groups.map(([status, payments]) => ({
      kind: 'failed-deposits' as const,
      payments,
      status,
      orMore: isPart(status),
    })),
  ];
}

function isFailedDeposit(each: Attention): each is Extract<Attention, { kind: 'failed' }> {
  return each.kind === 'failed' && each.payment.kind === 'deposit';
}

/** When a payment failed; 'before' if too long ago to list; null if unknown but possibly recent. */
function failedAt({ kind, id, created_at: created }: Payment, now: number, lastMoveOf: LastMove) {
  const since = now - FAILED_DAYS * DAY;
  const moved = lastMoveOf(id, since);
  if (typeof moved === 'number') return moved < since ? 'before' : moved;
  if (!isPlausibleTime(created)) return null;
  if (created >= since) return created;
  // A payment created long ago may have failed just now, which must not go unnoticed for money that was sent.
  return moved === undefined && kind === 'withdrawal' && created >= now - LATE_DAYS * DAY ? null : 'before';
}

function rankOf(each: Attention): number {
  switch (each.kind) {
    case 'operation':
      return differs(each.operation) ? 1 : 0;
    case 'failed':
      return each.payment.kind === 'withdrawal' ? 2 : 5;
    case 'failed-deposits':
      return 5;
    case 'stuck':
      return 3;
    case 'balance':
      return 4;
  }
}

function waitOf(each: Attention): number {
  return each.kind === 'stuck' ? each.waiting : 0;
}

/** Whether the ledger, once loaded, may contradict it. */
export function isGuess(each: Attention): boolean {
  return (each.kind === 'stuck' && each.usual === null) || (each.kind === 'failed' && each.at === null);
}

/** A guess that will hardly turn out wrong: its space is reserved before it is shown. */
export function isLikely(each: Attention): boolean {
  return each.kind === 'stuck' && each.waiting > LIKELY;
}

/** Whether the response is about another payment than the one sent. */
export function differs({ record }: Unsettled): boolean {
  return record !== null && isContradicted(record);
}

/** The result of checking one list; `read` is undefined if nothing was loaded. */
export function paymentsCheck(kind: PaymentKind, read: OpenPayments | undefined, error: Error | null): Check {
  const { one, many } = PAYMENTS[kind].noun;
  if (read === undefined) return nothingRead(many, error);
  const { open, partly, readAt } = read;
  const isPart = partly.some(({ status }) => toneOf(status) === 'motion');
  const words = isPart ? `the ${numberWords(open.length)} oldest ${many}` : counted(open.length, one, many);
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
