import { KIND } from '#src/lib/operations/kinds.ts';
import {
  ABSENCE_PROVES_SECONDS,
  type OperationRecord,
  knownResultId,
  mayBeAbsent,
} from '#src/lib/operations/record.ts';
import { AT_REST, changed } from './change.ts';
import { carriedOn, hasPassed } from './clocks.ts';
import { isLeased, isWaiting } from './cooldown.ts';
import { type Instant, type OperationEvent, type Step, stays } from './events.ts';

type Ending = Extract<OperationEvent, { type: 'discard' | 'close' | 'absent' }>;

/** What a person ends by hand. */
export function ended(record: OperationRecord, event: Ending, at: Instant): Step {
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
