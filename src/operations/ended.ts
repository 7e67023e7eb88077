import { type Changes, change } from './change.ts';
import { ABSENCE_PROVES_SECONDS, type OperationRecord, isFinal, knownResultId, mayBeAbsent } from './record.ts';
import { isWaiting } from './sleep.ts';
import type { OperationEvent, Step } from './step.ts';

type Ending = Extract<OperationEvent, { type: 'discard' | 'close' | 'absent' | 'seen' }>;

/** What a person ends by hand, and that a person saw an end. */
export function ended(record: OperationRecord, event: Ending): Step {
  if (event.type === 'seen') {
    if (!isFinal(record.state) || record.seenAt !== undefined) return stays('It is not finished, or was seen before.');
    // One that ended while the service's clock was not known had ended by now.
    return changed(record, { seenAt: event.date, endedAt: record.endedAt ?? event.date });
  }
  if (event.type === 'discard') {
    if (record.state !== 'ready' || knownResultId(record) !== null) {
      return stays('Only what was provably not sent can be discarded.');
    }
    const ending = { by: 'discard' as const, words: event.words ?? '', at: event.at, requestId: null };
    return changed(record, { state: 'not-sent', ending });
  }
  if (record.state !== 'unconfirmed') return stays('Only an unconfirmed operation can be ended by hand.');
  if (event.words.trim() === '') return stays('Nothing was typed.');
  if (isWaiting(record, event.at)) return stays('It is about to be sent again by itself.');
  const open: Changes = { reason: undefined, retryAt: undefined, asleepUntil: undefined };
  const { at, words } = event;
  if (event.type === 'close') {
    const ending = { by: 'hand' as const, words, at, requestId: null };
    return changed(record, { ...open, state: 'closed', endedAt: event.date ?? undefined, ending });
  }
  const { date, requestId } = event;
  if (record.kind !== 'withdrawal') return stays('No list tells whether it was carried out.');
  if (!mayBeAbsent(record)) return stays('The service once answered that it took it, so it is not taken for not sent.');
  if (date - record.firstSentAt < ABSENCE_PROVES_SECONDS) return stays('It is not 26 hours old.');
  return changed(record, {
    ...open,
    state: 'not-sent',
    endedAt: date,
    ending: { by: 'absence', words, at, requestId },
  });
}

function stays(refused: string): Step {
  return { record: null, effects: [], refused };
}

function changed(record: OperationRecord, changes: Changes): Step {
  return { record: change(record, changes), effects: [] };
}
