import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type OpenPayments, openPaymentsOf, withStatusless } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { durationsOf, lastMoves, usualTimes, type LastMove, type UsualTime } from '#src/shared/overview/usualTimes.ts';
import { HOME_STATUSES, toneOf } from '#src/shared/paymentStatus.ts';
import type { AccountReading } from './accountReading.ts';
import type { AccountSnapshot } from './overviews.ts';
import { PAYMENT_KINDS } from './providerLists.ts';
import { ReadFailed } from './providerReads.ts';
import type { RecordedWithdrawals } from './recordedWithdrawals.ts';

/** The payments of a kind that were read, or recorded here if the provider doesn't list withdrawals. */
export function rowsOf({ lists }: AccountReading, kind: PaymentKind): readonly Payment[] | null {
  const { notOffered, recorded, back } = lists[kind];
  return notOffered ? (recorded?.payments ?? null) : back.rows();
}

/** Open and failed payments; `read` is null until every status was read once, `error` is of the last reading. */
export function openOf(
  { lists }: AccountReading,
  kind: PaymentKind,
): { read: OpenPayments | null; error: OverviewError | null } {
  const { notOffered, recorded, statuses, back } = lists[kind];
  if (notOffered) return { read: recorded && openRecorded(recorded), error: null };
  const all = [...statuses.values()];
  const error = all.find((status) => status.error !== null)?.error ?? null;
  const isRead = HOME_STATUSES[kind].every((status) => statuses.get(status)?.read != null);
  if (!isRead) return { read: null, error };
  try {
    const reads = all.flatMap(({ read }) => read ?? []);
    return { read: withStatusless(openPaymentsOf(reads, 0), back.rows() ?? []), error };
  } catch (refusal) {
    if (refusal instanceof ReadFailed) return { read: null, error: refusal.problem };
    throw refusal;
  }
}

function openRecorded({ payments, isWhole, readAt }: RecordedWithdrawals): OpenPayments {
  const withTone = (tone: 'motion' | 'alarm') => payments.filter(({ status }) => toneOf(status) === tone);
  const partly = isWhole ? [] : HOME_STATUSES.withdrawal.map((status) => ({ status, reason: null }));
  return { requestId: null, date: null, readAt, open: withTone('motion'), failed: withTone('alarm'), partly };
}

/** Durations and times from the ledger; computed once for the same entries. */
export interface LedgerFacts {
  usualOf: UsualTime;
  lastMoveOf: LastMove;
}

interface LedgerFactsInput {
  entries: readonly LedgerEntryRow[] | null;
  deposits: readonly Payment[] | null;
  withdrawals: readonly Payment[] | null;
}

const computed = new WeakMap<AccountReading, LedgerFactsInput & LedgerFacts>();

export function ledgerFacts(reading: AccountReading): LedgerFacts {
  const entries = reading.ledger.back.rows();
  const [deposits = null, withdrawals = null] = PAYMENT_KINDS.map((kind) => rowsOf(reading, kind));
  const before = computed.get(reading);
  if (before?.entries === entries && before.deposits === deposits && before.withdrawals === withdrawals) return before;
  const chains = new Map([...(deposits ?? []), ...(withdrawals ?? [])].map(({ id, chain }) => [id, chain]));
  const facts = {
    usualOf: usualTimes(durationsOf(entries ?? []), (source) => chains.get(source) ?? null),
    lastMoveOf: lastMoves({ rows: entries, reached: reading.ledger.back.reached() }),
  };
  computed.set(reading, { entries, deposits, withdrawals, ...facts });
  return facts;
}

/** Whether the ledger is being read for the first time, or again after that failed. */
export function isMeasuring({ reading, isReading, isManualRefresh }: AccountSnapshot): boolean {
  const { back, error, notOffered } = reading.ledger;
  if (notOffered) return false;
  if (back.rows() === null) return error === null || isManualRefresh;
  return error === null && back.hasFurther() && isReading;
}
