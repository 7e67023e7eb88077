import { stringifyExact } from '#src/lib/exactJson.ts';
import { isoMs, isoUtc, took } from '#src/lib/time.ts';
import type { CheckNote } from '#src/operations/outcomes.ts';
import type { AttemptNote, OperationRecord } from '#src/operations/record.ts';
import { answerWords, mayHaveLeft } from '#src/operations/attemptWords.ts';

// Everything that this browser recorded of an operation, for a support case. Times are UTC; there is no API key in it.

export function evidenceText(record: OperationRecord, checks: readonly CheckNote[]): string {
  const { ending, contradiction, result } = record;
  const lines = [
    'Countinghouse, evidence of one operation (times in UTC)',
    `Operation: ${record.id} (${record.kind})`,
    `State: ${record.state}${record.reason === undefined ? '' : ` (${record.reason})`}`,
    `Service: ${record.service}`,
    `Account: ${record.account}`,
    `${mayHaveLeft(record) ? 'First sent' : 'Recorded, not sent'}, service's clock: ${isoUtc(record.firstSentAt)}`,
    `Idempotency-Key: ${record.key}`,
    `POST ${record.path}`,
    record.body,
    '',
    'Attempts (this device’s clock):',
    ...(record.attempts.length === 0 ? ['none'] : []),
    ...record.attempts.map((attempt, index) => attemptLine(record, attempt, index + 1)),
  ];
  if (record.secondSendOf.length > 0)
    lines.push('', `Confirmed as a second one after: ${record.secondSendOf.join(', ')}`);
  if (result) {
    lines.push('', `The service's answer (${result.by}), request id ${result.requestId ?? 'none'}:`);
    lines.push(result.text);
  }
  if (contradiction) {
    const { by, id, requestId, text } = contradiction;
    lines.push(
      '',
      `An object that differs from what was sent (${by}, ${id}), request id ${requestId ?? 'none'}:`,
      text,
    );
  }
  if (checks.length > 0) lines.push('', 'Checks of this page:', ...checks.map(checkLine));
  if (ending) {
    lines.push('', `Ended by a person (${ending.by}) at ${isoMs(ending.at)}, request id ${ending.requestId ?? 'none'}`);
    if (ending.words !== '') lines.push(`Typed: ${ending.words}`);
  }
  if (record.endedAt !== undefined) lines.push(`Ended, service's clock: ${isoUtc(record.endedAt)}`);
  return `${lines.join('\n')}\n`;
}

/** The same as data: the record's own names, every time as ISO 8601 in UTC. */
export function evidenceJson(record: OperationRecord, checks: readonly CheckNote[], now: number): string {
  const { firstSentAt, attempts, retryAt, asleepUntil, endedAt, seenAt, ending, ...rest } = record;
  const operation = {
    ...rest,
    method: 'POST',
    firstSentAt: isoUtc(firstSentAt),
    attempts: attempts.map(({ start, end, date, ...attempt }) => ({
      start: isoMs(start),
      end: end === null ? null : isoMs(end),
      date: date === null ? null : isoUtc(date),
      ...attempt,
    })),
    ...(retryAt === undefined ? {} : { retryAt: isoMs(retryAt) }),
    ...(asleepUntil === undefined ? {} : { asleepUntil: isoMs(asleepUntil) }),
    ...(endedAt === undefined ? {} : { endedAt: isoUtc(endedAt) }),
    ...(seenAt === undefined ? {} : { seenAt: isoUtc(seenAt) }),
    ...(ending === undefined ? {} : { ending: { ...ending, at: isoMs(ending.at) } }),
  };
  const evidence = {
    evidence: 'countinghouse-operation',
    writtenAt: isoMs(now),
    clocks: 'firstSentAt, date, endedAt, seenAt: the service’s; the others: this device’s',
    operation,
    checks: checks.map(({ at, date, lookAlikes, ...check }) => ({
      at: isoMs(at),
      date: date === null ? null : isoUtc(date),
      ...check,
      lookAlikes: lookAlikes?.map(({ createdAt, ...row }) => ({
        ...row,
        createdAt: createdAt === null ? null : isoUtc(createdAt),
      })),
    })),
  };
  return `${stringifyExact(evidence, 2)}\n`;
}

export function evidenceName(id: string): string {
  return `countinghouse-operation-${id.replace(/[^\w.-]/g, '_').slice(0, 80)}.json`;
}

function attemptLine(record: OperationRecord, attempt: AttemptNote, number: number): string {
  const lasted = attempt.end === null ? '' : `, ${took(attempt.start, attempt.end)}`;
  const parts = [
    `${number}. ${isoMs(attempt.start)}${lasted}, by ${attempt.by}: ${answerWords(record, attempt)}`,
    `request id ${attempt.requestId ?? 'none'}`,
    `replayed ${attempt.replayed ? 'yes' : 'no'}`,
  ];
  if (attempt.errorMessage !== null) parts.push(`message ${stringifyExact(attempt.errorMessage)}`);
  return parts.join('; ');
}

function checkLine({ at, found, complete, requestId, date, lookAlikes }: CheckNote): string {
  const alike = lookAlikes?.map(({ id, amount, status }) => `${id} (${amount}, ${status})`).join(', ');
  const parts = [
    `${isoMs(at)}: ${found}`,
    `list ${complete ? 'complete' : 'not complete'}${date === null ? '' : `, service's clock ${isoUtc(date)}`}`,
    `request id ${requestId ?? 'none'}`,
  ];
  if (alike !== undefined && alike !== '') parts.push(`looks like it: ${alike}`);
  return parts.join('; ');
}
