import { isObject, parseJson } from '#src/lib/answers.ts';
import { readWithdrawalBody } from './body.ts';
import { change } from './change.ts';
import { type OperationRecord, isContradicted, knownResultId } from './record.ts';
import { COMPARED, compareWithSent } from './sameSend.ts';
import type { CheckedObject, Step } from './step.ts';

/** What a read by id concludes: only an id of a 2xx under this key, and every stated field as it was sent, proves success. */
export function checked(record: OperationRecord, { id, text, requestId, date }: CheckedObject): Step {
  const object = parseJson(text);
  const sent = readWithdrawalBody(record.body);
  const concludes = record.state === 'unconfirmed' || record.state === 'succeeded';
  if (!concludes || knownResultId(record) !== id || sent === null) return nothing();
  if (!isObject(object) || !Object.hasOwn(object, 'id') || object['id'] !== id) return nothing();
  const { differing, equal } = compareWithSent(sent, object);
  if (differing.length > 0) {
    if (record.reason === 'mismatch') return nothing();
    const open = { retryAt: undefined, asleepUntil: undefined, result: undefined, endedAt: undefined };
    const contradiction = { id, text, requestId, by: 'check' as const };
    return {
      record: change(record, { ...open, state: 'unconfirmed', reason: 'mismatch', contradiction }),
      effects: [],
    };
  }
  // An answer that contradicted is not taken back by one that leaves fields out.
  if (isContradicted(record) && equal.length < COMPARED.length) return nothing();
  const confirmed = [...new Set([...(record.result?.confirmed ?? []), ...equal])];
  const result = { id, text, requestId, by: 'check' as const, confirmed };
  if (record.state === 'succeeded' && record.result?.text === text) return nothing();
  const endedAt = record.endedAt ?? date ?? record.firstSentAt;
  const open = { reason: undefined, retryAt: undefined, asleepUntil: undefined };
  return { record: change(record, { ...open, state: 'succeeded', result, endedAt }), effects: [] };
}

function nothing(): Step {
  return { record: null, effects: [], refused: 'This proves nothing new.' };
}
