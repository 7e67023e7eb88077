import { type AttemptResult, readEnvelope } from '#src/shared/answers.ts';
import { COMPARED } from '#src/shared/operations/kind.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { AttemptNote, AttemptOutcome, Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import { isFinal } from '#src/shared/operations/states.ts';
import { type Verdict, classify } from './classify.ts';
import { extrapolateClocks, RESEND_PAUSE_MS, nextRetry } from './clocks.ts';
import {
  type Instant,
  type OperationEvent,
  type Transition,
  rejectEvent,
  NOTHING_PENDING,
  type RecordChanges,
  change,
  nextState,
} from './events.ts';

type Answered = Extract<OperationEvent, { type: 'answer' | 'not-made' }>;

export function reduceAnswer(record: OperationRecord, event: Answered, at: Instant): Transition {
  const index = record.attempts.findIndex(({ id }) => id === event.attemptId);
  const note = record.attempts[index];
  if (!note || note.end !== null) return rejectEvent('This attempt has its answer already.');
  const attempt = event.type === 'answer' ? event.attempt : null;
  const verdict: Verdict = event.type === 'answer' ? classify(record, event, at.server) : { kind: 'not-made' };
  const isCurrent = record.state === 'sending' && index === record.attempts.length - 1;
  const attempts = record.attempts.with(index, endNote(note, at.server, verdict, attempt, !isCurrent));
  const next = { ...record, attempts };
  if (isCurrent || (verdict.kind === 'success' && !isFinal(record.state))) {
    return applyVerdict(next, note, verdict, event, attempt, at);
  }
  if (verdict.kind === 'success' && record.state !== 'succeeded') {
    // It had ended as not executed, but it was: keep the object and raise the alarm.
    return nextState(next, { result: resultOf(verdict, attempt), ended: endedBy(next, attempt, at) });
  }
  const contradiction = record.contradiction ?? contradictionIn(verdict, attempt);
  return nextState(next, { contradiction });
}

function applyVerdict(
  record: OperationRecord,
  note: AttemptNote,
  verdict: Verdict,
  event: Answered,
  attempt: AttemptResult | null,
  at: Instant,
): Transition {
  const becomes = (changes: RecordChanges, effects: Transition['effects'] = []): Transition => ({
    record: change(record, { ...NOTHING_PENDING, ...changes }),
    effects,
  });
  switch (verdict.kind) {
    case 'not-made':
      return becomes({ state: note.from.state, reason: note.from.reason });
    case 'success': {
      const isPartly = KIND[record.kind].isCompared && verdict.confirmed.length < COMPARED.length;
      const changes: RecordChanges = {
        state: 'succeeded',
        result: resultOf(verdict, attempt),
        ended: endedBy(record, attempt, at),
      };
      return becomes(changes, isPartly ? [{ type: 'confirm' }] : []);
    }
    case 'mismatch': {
      const contradiction = record.contradiction ?? contradictionIn(verdict, attempt);
      return becomes({ state: 'unconfirmed', reason: 'mismatch', contradiction });
    }
    case 'refused':
      return becomes({ state: 'refused', ended: endedBy(record, attempt, at) });
    case 'unconfirmed': {
      const asleepUntil = verdict.pausesResend ? at.server + RESEND_PAUSE_MS : undefined;
      return becomes({ state: 'unconfirmed', reason: verdict.reason, asleepUntil });
    }
    case 'retry': {
      const jitter = event.type === 'answer' ? event.jitter : 0;
      const retryAt = nextRetry(record, { at: at.server, waitSeconds: verdict.waitSeconds, jitter });
      const changes: RecordChanges = { state: 'unconfirmed', reason: 'no-answer' };
      if (retryAt === null) return becomes(changes);
      return becomes({ ...changes, retryAt }, [{ type: 'wait', retryAt }]);
    }
  }
}

function resultOf(
  { id, confirmed }: Extract<Verdict, { kind: 'success' }>,
  attempt: AttemptResult | null,
): NonNullable<OperationRecord['result']> {
  const isAnswer = attempt?.kind === 'answer';
  return {
    id,
    text: isAnswer ? attempt.text : '',
    requestId: isAnswer ? attempt.requestId : null,
    by: 'answer',
    confirmed,
  };
}

function contradictionIn(verdict: Verdict, attempt: AttemptResult | null): OperationRecord['contradiction'] {
  if (verdict.kind !== 'mismatch' || attempt?.kind !== 'answer') return undefined;
  return { id: verdict.id, text: attempt.text, requestId: attempt.requestId, by: 'answer' };
}

/** Only the Date of a 2xx counts: another response may come from something with another clock. */
function endedBy(record: OperationRecord, attempt: AttemptResult | null, at: Instant): Clocks {
  const date = attempt?.kind === 'answer' && attempt.status >= 200 && attempt.status < 300 ? attempt.date : null;
  const now = extrapolateClocks(record.lastSent, at);
  return date === null ? now : { ...now, service: date };
}

function endNote(
  note: AttemptNote,
  end: number,
  verdict: Verdict,
  attempt: AttemptResult | null,
  late: boolean,
): AttemptNote {
  const ended = { ...note, end, late, outcome: outcomeOf(verdict) };
  if (attempt === null) return ended;
  if (attempt.kind === 'no-answer') return { ...ended, lost: attempt.reason };
  const words = readEnvelope(attempt.text);
  return {
    ...ended,
    status: attempt.status,
    requestId: attempt.requestId,
    replayed: attempt.replayed,
    contentType: attempt.contentType,
    errorType: words?.type ?? null,
    errorCode: words?.code ?? null,
    errorMessage: words?.message ?? null,
    resultId: verdict.kind === 'success' || verdict.kind === 'mismatch' ? verdict.id : null,
  };
}

function outcomeOf(verdict: Verdict): AttemptOutcome {
  if (verdict.kind === 'retry') return verdict.because;
  if (verdict.kind === 'unconfirmed') return verdict.reason;
  return verdict.kind;
}
