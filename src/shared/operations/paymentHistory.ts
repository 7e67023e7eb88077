import { type Author, authorOf } from '#src/shared/author.ts';
import { type ChainAddress, ownerKey } from '#src/shared/chains/lookAlike.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { answerWords } from './attemptWords.ts';
import { isToSame, sameAmount } from './compare.ts';
import { KIND } from './kinds.ts';
import { addressesMade } from './knownAddresses.ts';
import { type AttemptNote, type Operation, knownResultId } from './record.ts';
import { stateMarkOf } from './stateMark.ts';
import { type StateMark, STATES } from './states.ts';
import { deliveryOf } from './webhookReplay.ts';
import { withdrawalFieldsOf } from './withdrawal.ts';

// Records about one deposit or withdrawal, as plain data.

export interface HistoryAttempt extends Pick<
  AttemptNote,
  'start' | 'end' | 'who' | 'person' | 'requestId' | 'replayed'
> {
  automatic: boolean;
  /** The outcome in a few words; may contain the service's own code. */
  outcome: string;
  message: string | null;
}

/** Its author recorded it. */
export interface HistoryPart extends Author {
  kind: string;
  /** How the operation relates to the payment, in a sentence. */
  relation: string;
  state: string;
  /** The Idempotency-Key, which identifies the operation. */
  key: string;
  /** Shown instead of the key on a redacted copy. */
  shownKey?: string;
  /** Unix seconds by the service's clock: when it was recorded, just before it could be sent. */
  recordedAt: number;
  /** Who approved it and when (Unix seconds), oldest first. */
  approvals: OperationView['approved'];
  attempts: HistoryAttempt[];
  /** How a person ended the operation; `at` in milliseconds. */
  ending: ({ how: string; words: string; at: number } & Author) | null;
}

export interface PaymentHistory {
  status: 'loading' | 'ready' | 'unavailable';
  reason: string | null;
  parts: HistoryPart[];
}

/** The loaded records, newest first. */
export interface Recorded {
  status: PaymentHistory['status'];
  /** Why the records could not be loaded or refreshed. */
  reason?: string;
  operations: readonly Operation[];
  /** Who approved each operation, by its key; absent where nobody approves payments. */
  approved?: ReadonlyMap<string, OperationView['approved']>;
}

/**
 * What is recorded about a withdrawal: the operation that created it or may have, and later ones that were confirmed after
 * showing it as an earlier payment. `row` is the withdrawal; without it no possible origins are listed.
 */
export function withdrawalHistory(view: Recorded, id: string, row: Record<string, unknown> = {}): PaymentHistory {
  const { status } = row;
  // The row is newer than the operation's record of the payment.
  const paid = (record: Operation) =>
    knownResultId(record) === id && typeof status === 'string'
      ? stateMarkOf(record, { payment: status })
      : stateMarkOf(record);
  return historyOf(view, paid, (record) => {
    if (knownResultId(record) === id) return madeWords(record, id);
    if (record.attempts.some(({ resultId }) => resultId === id)) return OTHER_ANSWER;
    if (!record.secondSendOf.includes(id)) return mayHaveMade(record, row) ? ALIKE : null;
    return 'Sent as a separate payment after this warning.';
  });
}

export function depositHistory(view: Recorded, deposit: PaymentRow): PaymentHistory {
  return historyOf(
    view,
    (record) => stateMarkOf(record),
    (record) => {
      if (record.kind === 'webhook-replay') return replayWords(record, deposit);
      if (record.kind !== 'deposit-address') return null;
      const own = new Set(addressIn(deposit).map(ownerKey));
      return addressesMade(record).some((made) => own.has(ownerKey(made))) ? 'Created this deposit’s address.' : null;
    },
  );
}

/** The kinds of payments that may have records here. */
export type PaymentKind = 'deposit' | 'withdrawal';

type PaymentRow = { id: string; [field: string]: unknown };

export const HISTORIES: Readonly<
  Record<PaymentKind, (view: Recorded, id: string, row?: PaymentRow) => PaymentHistory>
> = {
  deposit: (view, id, row) => depositHistory(view, row ?? { id }),
  withdrawal: withdrawalHistory,
};

const ALIKE = 'May have created this withdrawal: asset, chain, amount and address are the same. That is no proof.';

/** How far the clocks of a response and of a record may differ, in seconds. */
const CLOCKS_APART = 120;

/** Whether the operation's outcome is unknown and this withdrawal matches what was sent and isn't older. */
function mayHaveMade(record: Operation, row: Record<string, unknown>): boolean {
  const { state, attempts, firstSent } = record;
  if (!STATES[state].isOutcomeOpen || attempts.length === 0 || knownResultId(record) !== null) return false;
  const sent = withdrawalFieldsOf(record);
  if (sent === null || !isToSame(sent, row) || !sameAmount(sent.amount, row['amount'])) return false;
  return !isPlausibleTime(row['created_at']) || row['created_at'] >= firstSent.service - CLOCKS_APART;
}

const OTHER_ANSWER = 'One response to it named this withdrawal, another response another one.';

function madeWords(record: Operation, id: string): string {
  if (record.contradiction?.id === id || record.reason === 'mismatch')
    return 'A response to it named this withdrawal, but with other fields than were sent.';
  if (record.result?.id !== id) return 'A response to it named this withdrawal.';
  return record.result.by === 'check'
    ? 'Created this withdrawal (ID found by a check).'
    : 'Created this withdrawal (ID in the provider’s response).';
}

/** The contract links no delivery to a deposit. A link comes from the records or is marked as a guess. */
function replayWords(record: Operation, deposit: PaymentRow): string | null {
  const delivery = deliveryOf(record);
  if (delivery === null) return null;
  if (Object.entries(deposit).some(([field, value]) => field !== 'id' && value === delivery))
    return 'A replay of a webhook delivery that this deposit names.';
  if (record.result?.text.includes(JSON.stringify(deposit.id)))
    return 'A replay of a webhook delivery; the provider’s response to it names this deposit.';
  const ending = afterPrefix(deposit.id);
  return ending !== null && ending === afterPrefix(delivery)
    ? 'A replay of a webhook delivery whose id ends like this deposit’s. The interface does not say that they belong together.'
    : null;
}

const ENDING_LEAST = 8;

function afterPrefix(id: string): string | null {
  const ending = id.slice(id.indexOf('_') + 1);
  return ending.length >= ENDING_LEAST && ending !== id ? ending : null;
}

function addressIn({ chain, address }: Record<string, unknown>): ChainAddress[] {
  return typeof chain === 'string' && typeof address === 'string' && address !== '' ? [{ chain, address }] : [];
}

function historyOf(
  { status, reason, operations, approved }: Recorded,
  markOf: (record: Operation) => StateMark,
  relationOf: (record: Operation) => string | null,
): PaymentHistory {
  const parts = operations.flatMap((record) => {
    const relation = relationOf(record);
    return relation === null ? [] : [partOf(record, relation, markOf(record).chip, approved?.get(record.key) ?? [])];
  });
  // Oldest first, as a history is read.
  return { status, reason: reason ?? null, parts: parts.toReversed() };
}

function partOf(record: Operation, relation: string, state: string, approvals: OperationView['approved']): HistoryPart {
  const { kind, key, firstSent, ending } = record;
  return {
    kind: KIND[kind].title,
    relation,
    state,
    key,
    ...authorOf(record),
    recordedAt: firstSent.service,
    approvals,
    attempts: record.attempts.map((attempt) => attemptOf(record, attempt)),
    ending: ending ? { how: ENDINGS[ending.by], words: ending.words, ...authorOf(ending), at: ending.at } : null,
  };
}

const ENDINGS: Record<NonNullable<Operation['ending']>['by'], string> = {
  discard: 'Discarded before it was sent',
  absence: 'Ended as not sent: absent from the complete list',
  hand: 'Closed manually',
  reject: 'Rejected before it was sent',
  lapse: 'Expired, so never sent',
};

function attemptOf(record: Operation, attempt: AttemptNote): HistoryAttempt {
  const { start, end, by, errorMessage, requestId, replayed } = attempt;
  return {
    start,
    end,
    automatic: by === 'automatic',
    ...authorOf(attempt),
    outcome: answerWords(record, attempt),
    message: errorMessage,
    requestId,
    replayed,
  };
}
