import { mayResend } from './allowed.ts';
import { answered } from './answered.ts';
import { type Changes, change } from './change.ts';
import { checked } from './checked.ts';
import { ended } from './ended.ts';
import { type AttemptNote, type OperationRecord, isExpired } from './record.ts';
import { mayRetry } from './retries.ts';
import { sleepsUntil } from './sleep.ts';
import type { OperationEvent, Step } from './step.ts';

/** State × event → state + effects. Nothing here reads a clock, makes a key or touches the body. */
export function step(record: OperationRecord, event: OperationEvent): Step {
  switch (event.type) {
    case 'send':
      return send(record, event);
    case 'retry':
      return mayRetry(record, event)
        ? begin(record, event.attemptId, event.at, null)
        : stays('It is no longer waiting to be sent again by itself.');
    case 'not-made':
    case 'answer':
      return answered(record, event);
    case 'give-up':
      if (record.state !== 'unconfirmed' || record.retryAt !== event.retryAt) return stays('Nothing was waiting.');
      return changed(record, { retryAt: undefined });
    case 'demote':
      if (record.state !== 'sending' || record.attempts.at(-1)?.id !== event.attemptId)
        return stays('It is not sending.');
      return changed(record, { state: 'unconfirmed', reason: 'no-answer' });
    case 'checked':
      return checked(record, event.object);
    case 'discard':
    case 'close':
    case 'absent':
    case 'seen':
      break;
  }
  return ended(record, event);
}

function send(record: OperationRecord, { attemptId, at, date }: Extract<OperationEvent, { type: 'send' }>): Step {
  if (record.state === 'sending') return stays('It is being sent already.');
  if (record.state !== 'ready' && !mayResend(record)) return stays('It cannot be sent any more.');
  if (isExpired(record, date)) return stays('More than 23 hours have passed since it was first recorded.');
  if (sleepsUntil(record, at) !== null) return stays('The last attempt may still be finishing.');
  return begin(record, attemptId, at, date);
}

function begin(record: OperationRecord, id: string, at: number, date: number | null): Step {
  const from: AttemptNote['from'] =
    record.state === 'ready'
      ? { state: 'ready' }
      : { state: 'unconfirmed', ...(record.reason === undefined ? {} : { reason: record.reason }) };
  const attempt: AttemptNote = {
    id,
    start: at,
    end: null,
    date,
    by: date === null ? 'automatic' : 'person',
    because: date === null ? causeOf(record) : null,
    from,
    outcome: null,
    late: false,
    status: null,
    requestId: null,
    replayed: false,
    lost: null,
    gatewayError: null,
    contentType: null,
    errorType: null,
    errorCode: null,
    errorMessage: null,
    resultId: null,
  };
  const next = change(record, {
    state: 'sending',
    reason: undefined,
    retryAt: undefined,
    asleepUntil: undefined,
    attempts: [...record.attempts, attempt],
  });
  return { record: next, effects: [{ type: 'post', attemptId: id }] };
}

/** The last attempt's outcome is what asked for the retry. */
function causeOf(record: OperationRecord): AttemptNote['because'] {
  const outcome = record.attempts.at(-1)?.outcome;
  return outcome === 'unclean-success' || outcome === 'unreplayed-refusal' ? outcome : 'asked-to-wait';
}

function stays(refused: string): Step {
  return { record: null, effects: [], refused };
}

function changed(record: OperationRecord, changes: Changes): Step {
  return { record: change(record, changes), effects: [] };
}
