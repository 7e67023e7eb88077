import { isObject, parseJson } from '#src/lib/answers.ts';
import { COMPARED, compareWithSent } from '#src/lib/operations/compare.ts';
import { type OperationRecord, isContradicted, knownResultId } from '#src/lib/operations/record.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import { AT_REST, changed } from './change.ts';
import { carriedOn } from './clocks.ts';
import { type Instant, type OperationEvent, type Step, stays } from './events.ts';

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
