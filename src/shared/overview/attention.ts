import { type Balances, allBalances } from './balances.ts';
import { FAILED_DAYS, LATE_DAYS, type OpenPayments } from './openPayments.ts';
import type { Payment } from './payment.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { isContradicted } from '#src/shared/operations/record.ts';
import type { Unsettled } from '#src/shared/operations/unsettled.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { paymentProgressOf } from './paymentStanding.ts';
import type { LastMove, UsualTime } from './usualTimes.ts';
import { checkIdentity } from './balanceIdentity.ts';

const DAY = 86_400;
/** Seconds. A payment open for longer is very likely stuck: this is more than twice as long as any chain takes. */
const LIKELY = 6 * 3600;

export type Attention =
  | { kind: 'operation'; operation: Unsettled }
  /** Paused before all of it was sent. */
  | { kind: 'batch'; batch: BatchSummary }
  /** `at`: when it failed by the ledger, Unix seconds; null if unknown. */
  | { kind: 'failed'; payment: Payment; at: number | null }
  /** Several failed deposits of one status. `orMore`: the service has more than were loaded. */
  | { kind: 'failed-deposits'; payments: readonly Payment[]; status: string; orMore: boolean }
  /** In seconds; `usual` is null if unknown. */
  | { kind: 'stuck'; payment: Payment; waiting: number; usual: number | null }
  /** Withdrawals that weren't sent from here, newest first. */
  | { kind: 'outside'; payments: readonly Payment[] }
  | { kind: 'balance'; balance: BalanceRow; sum: string | null };

export interface AttentionInput {
  operations: readonly Unsettled[];
  /** Batches that wait for a person. */
  batches: readonly BatchSummary[];
  payments: readonly OpenPayments[];
  balances: Balances | undefined;
  /** Withdrawals that weren't sent from here. */
  outside: readonly Payment[];
  handled: ReadonlySet<string>;
  /** The subjects that a person has marked as expected, such as "withdrawal:wd_1". */
  expected: ReadonlySet<string>;
  usualOf: UsualTime;
  lastMoveOf: LastMove;
  /** Seconds after which a payment is stuck if the usual duration is unknown. */
  threshold: number;
}

/** Everything that needs a person, most urgent first; within one rank, the longest waiting or latest failed first. */
export function attentionOf({
  operations,
  batches,
  payments,
  balances,
  outside,
  handled,
  expected,
  usualOf,
  lastMoveOf,
  threshold,
}: AttentionInput): Attention[] {
  const found: Attention[] = [
    ...operations.map((operation) => ({ kind: 'operation' as const, operation })),
    ...batches.map((batch) => ({ kind: 'batch' as const, batch })),
  ];
  for (const { open, failed, date, readAt } of payments) {
    const now = date ?? readAt;
    for (const payment of open) {
      const standing = paymentProgressOf({ payment, now, usual: usualOf(payment), threshold });
      if (standing.kind === 'stuck') found.push({ ...standing, payment });
    }
    for (const payment of failed) {
      const { kind, id } = payment;
      if (handled.has(subjectId({ kind, id }))) continue;
      const at = failedAt(payment, now, lastMoveOf);
      if (at !== 'before') found.push({ kind: 'failed', payment, at });
    }
  }
  const unexpected = outside.filter(({ kind, id }) => !expected.has(subjectId({ kind, id })));
  if (unexpected.length > 0) found.push({ kind: 'outside', payments: unexpected });
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
    case 'batch':
      return 2;
    case 'failed':
      return each.payment.kind === 'withdrawal' ? 3 : 6;
    case 'failed-deposits':
      return 6;
    case 'stuck':
      return 4;
    case 'balance':
      return 5;
    case 'outside':
      return 7;
  }
}

function waitOf(each: Attention): number {
  return each.kind === 'stuck' ? each.waiting : 0;
}

/** Whether it may turn out wrong once the ledger is loaded. */
export function isGuess(each: Attention): boolean {
  return (each.kind === 'stuck' && each.usual === null) || (each.kind === 'failed' && each.at === null);
}

/** A guess that will hardly turn out wrong: its space is reserved before it is shown. */
export function isLikely(each: Attention): boolean {
  return each.kind === 'stuck' && each.waiting > LIKELY;
}

/** Whether the service answered with another payment than the one sent. */
export function differs({ record }: Unsettled): boolean {
  return record !== null && isContradicted(record);
}
