import { isoUtc } from '#src/lib/time.ts';
import type { AttemptNote, OperationRecord } from '#src/operations/record.ts';
import { answerWords, mayHaveLeft } from './attemptWords.ts';

/** Everything that this browser recorded of an operation, as text for a support case; there is no API key in it. */
export function evidenceOf(record: OperationRecord): string {
  const lines = [
    'Countinghouse, evidence of one operation',
    `Operation: ${record.id}`,
    `State: ${record.state}${record.reason === undefined ? '' : ` (${record.reason})`}`,
    `Service: ${record.service}`,
    `Account: ${record.account}`,
    `${mayHaveLeft(record) ? 'First sent' : 'Recorded, not sent'}, service's clock: ${isoUtc(record.firstSentAt)}`,
    `Idempotency-Key: ${record.key}`,
    `POST ${record.path}`,
    record.body,
    '',
    'Attempts (this device’s clock):',
    ...record.attempts.map((attempt, index) => attemptLine(record, attempt, index + 1)),
  ];
  if (record.secondSendOf.length > 0)
    lines.push('', `Confirmed as a second one after: ${record.secondSendOf.join(', ')}`);
  if (record.result) {
    lines.push('', `The service's object (${record.result.by}), request id ${record.result.requestId ?? 'none'}:`);
    lines.push(record.result.text);
  }
  return `${lines.join('\n')}\n`;
}

function attemptLine(record: OperationRecord, attempt: AttemptNote, number: number): string {
  const took = attempt.end === null ? '' : `, ${((attempt.end - attempt.start) / 1000).toFixed(1)} s`;
  const parts = [
    `${number}. ${isoUtc(Math.floor(attempt.start / 1000))}${took}: ${answerWords(record, attempt)}`,
    `request id ${attempt.requestId ?? 'none'}`,
    `replayed ${attempt.replayed ? 'yes' : 'no'}`,
  ];
  if (attempt.errorMessage !== null) parts.push(`message ${JSON.stringify(attempt.errorMessage)}`);
  return parts.join('; ');
}
