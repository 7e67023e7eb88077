import {
  type AttemptNote,
  type Clocks,
  type OperationRecord,
  mayResend,
  ABSENCE_PROVES_SECONDS,
  isContradicted,
  knownResultId,
  mayBeAbsent,
  whyTooLate,
} from '#src/shared/operations/record.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { authorOf, NOBODY } from '#src/shared/author.ts';
import { compareWithSent } from '#src/shared/operations/compare.ts';
import { COMPARED } from '#src/shared/operations/kind.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { isUnsent } from '#src/shared/operations/states.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { reduceAnswer } from './reduceAnswer.ts';
import {
  extrapolateClocks,
  isInWindow,
  isStartable,
  startableSeconds,
  hasPassed,
  ATTEMPT_LEASE_MS,
  isApprovalOverdue,
  isLeased,
  cooldownUntil,
  mayRetry,
  isWaiting,
} from './clocks.ts';
import {
  type Instant,
  type OperationEvent,
  type Transition,
  rejectEvent,
  NOTHING_PENDING,
  change,
  nextState,
} from './events.ts';

/** Why operations of an old API key that were not sent have ended. */
export const KEY_CHANGED = 'The API key changed.';

/** State × event → state + effects. Nothing here reads a clock, makes a key or touches the body. */
export function step(record: OperationRecord, event: OperationEvent, at: Instant): Transition {
  switch (event.type) {
    case 'send':
      return send(record, event, at);
    case 'retry': {
      if (!mayRetry(record, { at, retryAt: event.retryAt }))
        return rejectEvent('It is no longer waiting to be sent again by itself.');
      const now = extrapolateClocks(record.lastSent, at);
      if (!isInWindow(record.firstSent, now, true))
        return rejectEvent(`${whyTooLate(record, { ...at, service: null })}.`);
      return begin(record, { id: event.attemptId, by: 'automatic', date: null, ...NOBODY }, now);
    }
    case 'not-connected':
      return notConnected(record, event, at);
    case 'not-made':
    case 'answer':
      return reduceAnswer(record, event, at);
    case 'give-up':
      if (record.state !== 'unconfirmed' || record.retryAt !== event.retryAt)
        return rejectEvent('Nothing was waiting.');
      return nextState(record, { retryAt: undefined });
    case 'demote':
      if (record.state !== 'sending' || isLeased(record, at.database)) return rejectEvent('It is being sent.');
      return nextState(record, { ...NOTHING_PENDING, state: 'unconfirmed', reason: 'no-answer' });
    case 'checked':
      return reduceCheck(record, event, at);
    case 'set-back':
      if (!isUnsent(record.state)) return rejectEvent('It may have been sent as it is.');
      return nextState(record, { ...NOTHING_PENDING, state: 'unconfirmed', reason: 'no-answer' });
    case 'key-changed':
      return keyChanged(record, at);
    case 'raise':
      return raised(record, event);
    case 'lapse':
      return lapsed(record, at);
    case 'discard':
    case 'reject':
      return endUnsent(record, event, at);
    case 'close':
    case 'absent':
      return reduceEnd(record, event, at);
  }
}

function send(record: OperationRecord, event: Extract<OperationEvent, { type: 'send' }>, at: Instant): Transition {
  if (record.state === 'sending') return rejectEvent('It is being sent already.');
  if (!isUnsent(record.state) && !mayResend(record)) return rejectEvent('It cannot be sent any more.');
  // The clocks within this transaction; the service's was read shortly before.
  const now = { ...at, service: event.date };
  const begun: Begun = { id: event.attemptId, by: 'person', date: event.date, ...authorOf(event) };
  if (record.state === 'awaiting') {
    if (!isStartable(record, now))
      return rejectEvent(`More than ${startableSeconds(record) / 3_600} hours have passed since it was recorded.`);
    // No attempt ever connected, so its 23 hours begin now.
    return begin({ ...record, firstSent: now }, begun, now);
  }
  if (!isInWindow(record.firstSent, now)) return rejectEvent(`${whyTooLate(record, now)}.`);
  if (cooldownUntil(record, at.server) !== null) return rejectEvent('The last attempt may still be finishing.');
  return begin(record, begun, now);
}

type Begun = Pick<AttemptNote, 'id' | 'by' | 'date' | 'who' | 'person'>;

function begin(record: OperationRecord, begun: Begun, now: Clocks): Transition {
  const next = change(record, {
    ...NOTHING_PENDING,
    state: 'sending',
    lastSent: now,
    leaseUntil: now.database + ATTEMPT_LEASE_MS,
    attempts: [...record.attempts, noteOf(record, begun, now.server)],
  });
  return { record: next, effects: [] };
}

/** Notes an attempt that could not connect; state and reason stay. */
function notConnected(
  record: OperationRecord,
  { attemptId: id, automatic, ...author }: Extract<OperationEvent, { type: 'not-connected' }>,
  { server }: Instant,
): Transition {
  if (!isUnsent(record.state) && record.state !== 'unconfirmed') return rejectEvent('Meanwhile it went on.');
  const note = noteOf(record, { id, by: automatic ? 'automatic' : 'person', date: null, ...authorOf(author) }, server);
  const over: AttemptNote = { ...note, end: server, outcome: 'not-made', lost: 'network' };
  return nextState(record, { attempts: [...record.attempts, over], leaseUntil: undefined, retryAt: undefined });
}

function noteOf(record: OperationRecord, { id, by, date, who, person }: Begun, start: number): AttemptNote {
  return {
    id,
    start,
    end: null,
    date,
    by,
    who,
    person,
    because: by === 'automatic' ? causeOf(record) : null,
    from:
      record.state === 'ready' || record.state === 'awaiting'
        ? { state: record.state }
        : { state: 'unconfirmed', ...(record.reason === undefined ? {} : { reason: record.reason }) },
    outcome: null,
    late: false,
    status: null,
    requestId: null,
    replayed: false,
    lost: null,
    contentType: null,
    errorType: null,
    errorCode: null,
    errorMessage: null,
    resultId: null,
  };
}

/** The last attempt's outcome caused the retry. */
function causeOf(record: OperationRecord): AttemptNote['because'] {
  const outcome = record.attempts.at(-1)?.outcome;
  return outcome === 'unclean-success' || outcome === 'unreplayed-refusal' ? outcome : 'asked-to-wait';
}

/** Raises the number of approvals needed. An unsent operation then waits for them. */
function raised(record: OperationRecord, { needs, policy }: Extract<OperationEvent, { type: 'raise' }>): Transition {
  const { approval, state } = record;
  if (approval === undefined || needs <= approval.needs) return rejectEvent('It needs no more approvals than before.');
  const next = { approval: { ...approval, needs, policy } };
  if (isUnsent(state)) return nextState(record, { ...NOTHING_PENDING, ...next, state: 'awaiting' });
  return state === 'unconfirmed' ? nextState(record, next) : rejectEvent('It isn’t about to be sent.');
}

function lapsed(record: OperationRecord, at: Instant): Transition {
  if (!isApprovalOverdue(record, at)) return rejectEvent('It can still be approved.');
  const words = `It was not approved and sent within ${startableSeconds(record) / 3_600} hours.`;
  const ending = { by: 'lapse' as const, words, ...NOBODY, at: at.server, requestId: null };
  return nextState(record, {
    ...NOTHING_PENDING,
    state: 'not-sent',
    ended: extrapolateClocks(record.lastSent, at),
    ending,
  });
}

type Ending = Extract<OperationEvent, { type: 'close' | 'absent' }>;

function reduceEnd(record: OperationRecord, event: Ending, at: Instant): Transition {
  if (record.state !== 'unconfirmed') return rejectEvent('Only an unconfirmed operation can be ended manually.');
  if (event.words.trim() === '') return rejectEvent('Nothing was typed.');
  if (isWaiting(record, at.server)) return rejectEvent('It is about to be sent again by itself.');
  const { words } = event;
  const author = authorOf(event);
  if (event.type === 'close') {
    const ending = { by: 'hand' as const, words, ...author, at: at.server, requestId: null };
    return nextState(record, {
      ...NOTHING_PENDING,
      state: 'closed',
      ended: extrapolateClocks(record.lastSent, at),
      ending,
    });
  }
  if (!KIND[record.kind].isCompared) return rejectEvent('No list shows whether it was processed.');
  if (!mayBeAbsent(record)) return rejectEvent('The provider accepted it, so a missing entry proves nothing.');
  const now = { ...at, service: event.date };
  if (!hasPassed(record.lastSent, now, ABSENCE_PROVES_SECONDS)) return rejectEvent('It is not 26 hours old.');
  const ending = { by: 'absence' as const, words, ...author, at: at.server, requestId: event.requestId };
  return nextState(record, { ...NOTHING_PENDING, state: 'not-sent', ended: now, ending });
}

function endUnsent(
  record: OperationRecord,
  { type: by, words = '', ...author }: Extract<OperationEvent, { type: 'discard' | 'reject' }>,
  at: Instant,
): Transition {
  if (!isUnsent(record.state) || knownResultId(record) !== null) {
    const done = by === 'reject' ? 'rejected' : 'discarded';
    return rejectEvent(`Only what was provably not sent can be ${done}.`);
  }
  if (isLeased(record, at.database)) return rejectEvent('It is being sent.');
  const ending = { by, words, ...authorOf(author), at: at.server, requestId: null };
  return nextState(record, {
    ...NOTHING_PENDING,
    state: 'not-sent',
    ended: extrapolateClocks(record.lastSent, at),
    ending,
  });
}

/** A lease doesn't matter: without a committed 'sending' no byte was sent, and none can follow. */
function keyChanged(record: OperationRecord, at: Instant): Transition {
  if (!isUnsent(record.state) || knownResultId(record) !== null) return rejectEvent('It may have been sent.');
  const ending = { by: 'discard' as const, words: KEY_CHANGED, ...NOBODY, at: at.server, requestId: null };
  return nextState(record, {
    ...NOTHING_PENDING,
    state: 'not-sent',
    ended: extrapolateClocks(record.lastSent, at),
    ending,
  });
}

const NOTHING_NEW = 'This proves nothing new.';

/** Success needs an id from a 2xx under this key, and every stated field as it was sent. */
function reduceCheck(
  record: OperationRecord,
  { object: { id, text, requestId, date }, taken }: Extract<OperationEvent, { type: 'checked' }>,
  at: Instant,
): Transition {
  const object = parseJson(text);
  const sent = readWithdrawalBody(record.body);
  const concludes = record.state === 'unconfirmed' || record.state === 'succeeded';
  if (!concludes || knownResultId(record) !== id || sent === null) return rejectEvent(NOTHING_NEW);
  if (!isObject(object) || !Object.hasOwn(object, 'id') || object['id'] !== id) return rejectEvent(NOTHING_NEW);
  const { differing, equal } = compareWithSent(sent, object);
  if (taken || differing.length > 0) {
    if (record.reason === 'mismatch') return rejectEvent(NOTHING_NEW);
    const contradiction = { id, text, requestId, by: 'check' as const };
    const open = { ...NOTHING_PENDING, result: undefined, ended: undefined };
    return nextState(record, { ...open, state: 'unconfirmed', reason: 'mismatch', contradiction });
  }
  // A contradiction isn't resolved by a response without all fields.
  if (isContradicted(record) && equal.length < COMPARED.length) return rejectEvent(NOTHING_NEW);
  const confirmed = [...new Set([...(record.result?.confirmed ?? []), ...equal])];
  const result = { id, text, requestId, by: 'check' as const, confirmed };
  if (record.state === 'succeeded' && record.result?.text === text) return rejectEvent(NOTHING_NEW);
  const now = extrapolateClocks(record.lastSent, at);
  const ended = record.ended ?? (date === null ? now : { ...now, service: date });
  return nextState(record, { ...NOTHING_PENDING, state: 'succeeded', result, ended });
}
