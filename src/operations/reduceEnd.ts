import { isObject, parseJson } from '#src/lib/answers.ts';
import { COMPARED, compareWithSent } from '#src/lib/operations/compare.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import {
  ABSENCE_PROVES_SECONDS,
  type OperationRecord,
  isContradicted,
  knownResultId,
  mayBeAbsent,
} from '#src/lib/operations/record.ts';
import { carriedOn, hasPassed } from './clocks.ts';
import { isLeased, isWaiting } from './cooldown.ts';
import { type Instant, type OperationEvent, type Step, stays, AT_REST, changed } from './events.ts';

type Ending = Extract<OperationEvent, { type: 'discard' | 'close' | 'absent' }>;

/** What a person ends by hand. */
export function reduceEnd(record: OperationRecord, event: Ending, at: Instant): Step {
  if (event.type === 'discard') return discarded(record, event, at);
  if (record.state !== 'unconfirmed') return stays('Only an unconfirmed operation can be ended by hand.');
  if (event.words.trim() === '') return stays('Nothing was typed.');
  if (isWaiting(record, at.server)) return stays('It is about to be sent again by itself.');
  const { who, words } = event;
  if (event.type === 'close') {
    const ending = { by: 'hand' as const, words, who, at: at.server, requestId: null };
    return changed(record, { ...AT_REST, state: 'closed', ended: carriedOn(record.lastSent, at), ending });
  }
  if (!KIND[record.kind].isCompared) return stays('No list tells whether it was carried out.');
  if (!mayBeAbsent(record)) return stays('The service once answered that it took it, so it is not taken for not sent.');
  const now = { ...at, service: event.date };
  if (!hasPassed(record.lastSent, now, ABSENCE_PROVES_SECONDS)) return stays('It is not 26 hours old.');
  const ending = { by: 'absence' as const, words, who, at: at.server, requestId: event.requestId };
  return changed(record, { ...AT_REST, state: 'not-sent', ended: now, ending });
}

function discarded(record: OperationRecord, event: Extract<Ending, { type: 'discard' }>, at: Instant): Step {
  if (record.state !== 'ready' || knownResultId(record) !== null) {
    return stays('Only what was provably not sent can be discarded.');
  }
  if (isLeased(record, at.database)) return stays('It is being sent.');
  const ending = { by: 'discard' as const, words: event.words ?? '', who: event.who, at: at.server, requestId: null };
  return changed(record, { ...AT_REST, state: 'not-sent', ended: carriedOn(record.lastSent, at), ending });
}

const NOTHING_NEW = 'This proves nothing new.';

/** What a read by id concludes: only an id of a 2xx under this key, and every stated field as it was sent, proves success. */
export function reduceCheck(
  record: OperationRecord,
  { object: { id, text, requestId, date }, taken }: Extract<OperationEvent, { type: 'checked' }>,
  at: Instant,
): Step {
  const object = parseJson(text);
  const sent = readWithdrawalBody(record.body);
  const concludes = record.state === 'unconfirmed' || record.state === 'succeeded';
  if (!concludes || knownResultId(record) !== id || sent === null) return stays(NOTHING_NEW);
  if (!isObject(object) || !Object.hasOwn(object, 'id') || object['id'] !== id) return stays(NOTHING_NEW);
  const { differing, equal } = compareWithSent(sent, object);
  if (taken || differing.length > 0) {
    if (record.reason === 'mismatch') return stays(NOTHING_NEW);
    const contradiction = { id, text, requestId, by: 'check' as const };
    const open = { ...AT_REST, result: undefined, ended: undefined };
    return changed(record, { ...open, state: 'unconfirmed', reason: 'mismatch', contradiction });
  }
  // An answer that contradicted is not taken back by one that leaves fields out.
  if (isContradicted(record) && equal.length < COMPARED.length) return stays(NOTHING_NEW);
  const confirmed = [...new Set([...(record.result?.confirmed ?? []), ...equal])];
  const result = { id, text, requestId, by: 'check' as const, confirmed };
  if (record.state === 'succeeded' && record.result?.text === text) return stays(NOTHING_NEW);
  const now = carriedOn(record.lastSent, at);
  const ended = record.ended ?? (date === null ? now : { ...now, service: date });
  return changed(record, { ...AT_REST, state: 'succeeded', result, ended });
}
