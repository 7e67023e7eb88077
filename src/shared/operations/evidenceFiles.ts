import type { CheckNote, OperationView } from '#src/shared/contract/gatewayContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { answerWords, mayHaveLeft } from './attemptWords.ts';
import type { AttemptNote, Operation } from './record.ts';
import { needsApproval } from './stateMark.ts';
import { authorName, byWhom } from '#src/shared/author.ts';
import { isoMs, isoUtc, took } from '#src/shared/time.ts';

// Everything recorded about one operation, for a support case. Times are in UTC; no API key is included.

interface EvidenceInput {
  record: Operation;
  checks: readonly CheckNote[];
  approved: OperationView['approved'];
  stopped?: OperationView['stopped'];
  service: string;
  account: string;
}

export function evidenceText({ record, checks, approved, stopped, service, account }: EvidenceInput): string {
  const { ending, contradiction, result } = record;
  const lines = [
    'Countinghouse, evidence of one operation (times in UTC)',
    `Operation: ${record.kind}${byWhom(record)}`,
    `State: ${record.state}${record.reason === undefined ? '' : ` (${record.reason})`}`,
    `Provider: ${service}`,
    `Account: ${account}`,
    `${mayHaveLeft(record) ? 'First sent' : 'Recorded, not sent'}, provider's clock: ${isoUtc(record.firstSent.service)}`,
    `Idempotency-Key: ${record.key}`,
    `POST ${record.path}`,
    record.body,
    ...(needsApproval(record) ? approvalLines(record, approved) : []),
    ...(stopped ? ['', `Resending stopped ${isoUtc(stopped.at)}, by ${stopped.name}. Typed: ${stopped.reason}`] : []),
    '',
    'Attempts (the server’s clock):',
    ...(record.attempts.length === 0 ? ['none'] : []),
    ...record.attempts.map((attempt, index) => attemptLine(record, attempt, index + 1)),
  ];
  if (record.secondSendOf.length > 0)
    lines.push('', `Confirmed as a second one after: ${record.secondSendOf.join(', ')}`);
  if (result) {
    lines.push('', `The provider's response (${result.by}), request ID ${result.requestId ?? 'none'}:`);
    lines.push(result.text);
  }
  if (contradiction) {
    const { by, id, requestId, text } = contradiction;
    lines.push(
      '',
      `An object that differs from what was sent (${by}, ${id}), request ID ${requestId ?? 'none'}:`,
      text,
    );
  }
  if (checks.length > 0) lines.push('', 'Recent checks:', ...checks.map(checkLine));
  if (ending) {
    const isTyped = TYPED_ENDINGS.has(ending.by);
    const by = isTyped || authorName(ending) !== '' ? 'Ended by a person' : 'Ended';
    lines.push(
      '',
      `${by} (${ending.by})${byWhom(ending)} at ${isoMs(ending.at)}, request ID ${ending.requestId ?? 'none'}`,
    );
    if (ending.words !== '') lines.push(`${isTyped ? 'Typed' : 'Reason'}: ${ending.words}`);
  }
  if (record.ended !== undefined) lines.push(`Ended, provider's clock: ${isoUtc(record.ended.service)}`);
  return `${lines.join('\n')}\n`;
}

/** Only a person ends an operation like that, even one without a name, and types the words. The server ends others, too. */
const TYPED_ENDINGS: ReadonlySet<NonNullable<Operation['ending']>['by']> = new Set(['reject', 'hand', 'absence']);

/** `indent` 0: on one line. */
export function evidenceJson(
  { record, checks, approved, stopped, service, account }: EvidenceInput,
  now: number,
  indent = 2,
): string {
  const evidence = {
    evidence: 'countinghouse-operation',
    writtenAt: isoMs(now),
    clocks: 'date and provider: the provider’s; database and leaseUntil: the database’s; the others: the server’s',
    operation: timesInUtc({ ...record, provider: service, account, method: 'POST' }),
    ...(needsApproval(record) && { approved: approved.map(({ at, ...by }) => ({ ...by, at: isoUtc(at) })) }),
    ...(stopped && { stopped: { ...stopped, at: isoUtc(stopped.at) } }),
    checks: timesInUtc(checks),
  };
  return `${stringifyExact(evidence, indent)}\n`;
}

const IN_MS = new Set(['start', 'end', 'at', 'server', 'database', 'retryAt', 'asleepUntil', 'leaseUntil']);
const IN_SECONDS = new Set(['service', 'date', 'createdAt']);

function timesInUtc(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return IN_MS.has(name) ? isoMs(value) : IN_SECONDS.has(name) ? isoUtc(value) : value;
  if (Array.isArray(value)) return value.map((each) => timesInUtc(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    // A time by the provider's clock.
    Object.entries(value).map(([part, each]: [string, unknown]) => [
      part === 'service' ? 'provider' : part,
      timesInUtc(each, part),
    ]),
  );
}

export function evidenceName(key: string): string {
  return `countinghouse-operation-${key.replace(/[^\w.-]/g, '_').slice(0, 80)}.json`;
}

function approvalLines({ approval }: Operation, approved: OperationView['approved']): string[] {
  return [
    '',
    `Approvals, of ${approval?.needs ?? 0} needed (the database’s clock):`,
    ...(approved.length === 0 ? ['none'] : []),
    ...approved.map(({ name, at }, index) => `${index + 1}. ${isoUtc(at)}, by ${name}`),
  ];
}

function attemptLine(record: Operation, attempt: AttemptNote, number: number): string {
  const lasted = attempt.end === null ? '' : `, ${took(attempt.start, attempt.end)}`;
  const parts = [
    `${number}. ${isoMs(attempt.start)}${lasted}, by ${authorName(attempt) || attempt.by}: ${answerWords(record, attempt)}`,
    `request ID ${attempt.requestId ?? 'none'}`,
    `replayed ${attempt.replayed ? 'yes' : 'no'}`,
  ];
  if (attempt.errorMessage !== null) parts.push(`message ${stringifyExact(attempt.errorMessage)}`);
  return parts.join('; ');
}

function checkLine({ at, found, complete, requestId, date, lookAlikes }: CheckNote): string {
  const similar = lookAlikes?.map(({ id, amount, status }) => `${id} (${amount}, ${status})`).join(', ');
  const parts = [
    `${isoMs(at)}: ${found}`,
    `list ${complete ? 'complete' : 'not complete'}${date === null ? '' : `, provider's clock ${isoUtc(date)}`}`,
    `request ID ${requestId ?? 'none'}`,
  ];
  if (similar !== undefined && similar !== '') parts.push(`looks like it: ${similar}`);
  return parts.join('; ');
}
