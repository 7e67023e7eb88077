import { type Place, ownerKey } from '#src/lib/chains/lookAlike.ts';
import type { Story, StoryAttempt, StoryPart } from '#src/lib/story.ts';
import { answerWords } from './attemptWords.ts';
import { deliveryOf } from './kinds.ts';
import type { OperationsView } from './outcomes.ts';
import { placesMade } from './ownDeposits.ts';
import { type AttemptNote, type OperationRecord, knownResultId } from './record.ts';
import { chipOf } from './stateMark.ts';

type View = Pick<OperationsView, 'status' | 'reason' | 'operations'>;

/** What this browser recorded about a withdrawal: the operation that made it, and later ones for which it was shown as an earlier one. */
export function withdrawalStory(view: View, id: string): Story {
  return storyOf(view, (record) => {
    if (knownResultId(record) === id) return madeWords(record, id);
    if (record.attempts.some(({ resultId }) => resultId === id)) return OTHER_ANSWER;
    if (!record.secondSendOf.includes(id)) return null;
    return 'Another withdrawal to the same destination, which somebody sent after they were shown this one.';
  });
}

/** What this browser recorded about a deposit: replays of its delivery, and how its address was made. */
export function depositStory(view: View, deposit: { id: string; [field: string]: unknown }): Story {
  return storyOf(view, (record) => {
    if (record.kind === 'webhook-replay') return replayWords(record, deposit);
    if (record.kind !== 'deposit-address') return null;
    const own = new Set(placesIn(deposit).map(ownerKey));
    return placesMade(record).some((place) => own.has(ownerKey(place)))
      ? 'It made the address that this deposit names.'
      : null;
  });
}

const OTHER_ANSWER = 'One answer to it named this withdrawal, another answer another one.';

function madeWords(record: OperationRecord, id: string): string {
  if (record.contradiction?.id === id || record.reason === 'mismatch')
    return 'An answer to it named this withdrawal, but with other fields than were sent.';
  if (record.result?.id !== id) return 'An answer to it named this withdrawal.';
  return record.result.by === 'check'
    ? 'It made this withdrawal, as a check by id found.'
    : 'It made this withdrawal: the service’s answer to it has this id.';
}

/** The contract ties no delivery to a deposit: what ties them is in the records, or is said to be a guess. */
function replayWords(record: OperationRecord, deposit: { id: string; [field: string]: unknown }): string | null {
  const delivery = deliveryOf(record);
  if (delivery === null) return null;
  if (Object.entries(deposit).some(([field, value]) => field !== 'id' && value === delivery))
    return 'A replay of a webhook delivery that this deposit names.';
  if (record.result?.text.includes(JSON.stringify(deposit.id)))
    return 'A replay of a webhook delivery; the service’s answer to it names this deposit.';
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

function placesIn({ chain, address }: Record<string, unknown>): Place[] {
  return typeof chain === 'string' && typeof address === 'string' && address !== '' ? [{ chain, address }] : [];
}

function storyOf({ status, reason, operations }: View, relationOf: (record: OperationRecord) => string | null): Story {
  const parts = operations.flatMap((record) => {
    const relation = relationOf(record);
    return relation === null ? [] : [partOf(record, relation)];
  });
  // The first one first: a story is told forwards.
  return { status, reason: reason ?? null, parts: parts.toReversed() };
}

function partOf(record: OperationRecord, relation: string): StoryPart {
  const { id, kind, key, firstSentAt, ending } = record;
  return {
    id,
    kind: KINDS[kind],
    relation,
    state: chipOf(record).chip,
    key,
    recordedAt: firstSentAt,
    attempts: record.attempts.map((attempt) => attemptOf(record, attempt)),
    ending: ending ? { how: ENDINGS[ending.by], words: ending.words, at: ending.at } : null,
  };
}

const KINDS: Record<OperationRecord['kind'], string> = {
  withdrawal: 'Withdrawal',
  'deposit-address': 'Deposit address',
  charge: 'Charge',
  'webhook-replay': 'Webhook replay',
};

const ENDINGS: Record<NonNullable<OperationRecord['ending']>['by'], string> = {
  discard: 'Discarded before it was sent',
  absence: 'Ended as not sent: absent from the complete list',
  hand: 'Closed by hand',
};

function attemptOf(record: OperationRecord, attempt: AttemptNote): StoryAttempt {
  const { start, end, by, errorMessage, requestId, replayed } = attempt;
  return {
    start,
    end,
    automatic: by === 'automatic',
    outcome: answerWords(record, attempt),
    message: errorMessage,
    requestId,
    replayed,
  };
}
