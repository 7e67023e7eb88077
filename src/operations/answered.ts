import { readEnvelope } from '#src/lib/answers.ts';
import type { Attempt } from '#src/api/http.ts';
import { type Changes, change } from './change.ts';
import { type Verdict, classify } from './classify.ts';
import { type AttemptNote, type AttemptOutcome, type OperationRecord, isFinal } from './record.ts';
import { nextRetry } from './retries.ts';
import { COMPARED } from './sameSend.ts';
import { REST_MS } from './sleep.ts';
import type { OperationEvent, Step } from './step.ts';

type Answered = Extract<OperationEvent, { type: 'answer' | 'not-made' }>;

/** Applies what came of an attempt to the record as it is now. */
export function answered(record: OperationRecord, event: Answered): Step {
  const index = record.attempts.findIndex(({ id }) => id === event.attemptId);
  const note = record.attempts[index];
  if (!note || note.end !== null) return { record: null, effects: [], refused: 'This attempt has its answer already.' };
  const attempt = event.type === 'answer' ? event.attempt : null;
  const verdict: Verdict = attempt ? classify(record, note.id, attempt, event.at) : { kind: 'not-made' };
  const isCurrent = record.state === 'sending' && index === record.attempts.length - 1;
  const counts = isCurrent || (verdict.kind === 'success' && !isFinal(record.state));
  const attempts = record.attempts.with(index, noted(note, event.at, verdict, attempt, !isCurrent));
  if (counts) return settle({ ...record, attempts }, note, verdict, event, attempt);
  const contradiction = record.contradiction ?? contradictionIn(verdict, attempt);
  return { record: change(record, { attempts, contradiction }), effects: [] };
}

function contradictionIn(verdict: Verdict, attempt: Attempt | null): OperationRecord['contradiction'] {
  if (verdict.kind !== 'mismatch' || attempt?.kind !== 'answer') return undefined;
  return { id: verdict.id, text: attempt.text, requestId: attempt.requestId, by: 'answer' };
}

function settle(
  record: OperationRecord,
  note: AttemptNote,
  verdict: Verdict,
  event: Answered,
  attempt: Attempt | null,
): Step {
  const date = attempt?.kind === 'answer' ? attempt.date : null;
  const open = { reason: undefined, retryAt: undefined, asleepUntil: undefined };
  const becomes = (changes: Changes, effects: Step['effects'] = []): Step => ({
    record: change(record, { ...open, ...changes }),
    effects,
  });
  switch (verdict.kind) {
    case 'not-forwarded':
    case 'not-made':
      return becomes({ state: note.from.state, reason: note.from.reason });
    case 'success': {
      const text = attempt?.kind === 'answer' ? attempt.text : '';
      const requestId = attempt?.kind === 'answer' ? attempt.requestId : null;
      const result = { id: verdict.id, text, requestId, by: 'answer' as const, confirmed: verdict.confirmed };
      const changes: Changes = { state: 'succeeded', result, endedAt: date ?? lastDate(record) };
      const isPartly = record.kind === 'withdrawal' && verdict.confirmed.length < COMPARED.length;
      return becomes(changes, isPartly ? [{ type: 'confirm' }] : []);
    }
    case 'mismatch':
      return becomes({
        state: 'unconfirmed',
        reason: 'mismatch',
        contradiction: record.contradiction ?? contradictionIn(verdict, attempt),
      });
    case 'refused':
      return becomes({ state: 'refused', endedAt: date ?? lastDate(record) });
    case 'unconfirmed':
      return becomes({
        state: 'unconfirmed',
        reason: verdict.reason,
        asleepUntil: verdict.rests ? event.at + REST_MS : undefined,
      });
    case 'retry':
      break;
  }
  const jitter = event.type === 'answer' ? event.jitter : 0;
  const retryAt = nextRetry(record, { at: event.at, waitSeconds: verdict.waitSeconds, jitter, date });
  const changes: Changes = { state: 'unconfirmed', reason: 'no-answer' };
  if (retryAt === null) return becomes(changes);
  return becomes({ ...changes, retryAt }, [{ type: 'wait', retryAt }]);
}

function noted(note: AttemptNote, end: number, verdict: Verdict, attempt: Attempt | null, late: boolean): AttemptNote {
  const ended = { ...note, end, late, outcome: outcomeOf(verdict) };
  if (attempt === null) return ended;
  if (attempt.kind === 'no-answer') return { ...ended, lost: attempt.reason };
  // Shown as they came, the gateway's own too; they conclude nothing here.
  const words = readEnvelope(attempt.text);
  return {
    ...ended,
    status: attempt.status,
    requestId: attempt.requestId,
    replayed: attempt.replayed,
    gatewayError: attempt.gatewayError,
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

function lastDate(record: OperationRecord): number {
  return record.attempts.findLast(({ date }) => date !== null)?.date ?? record.firstSentAt;
}
