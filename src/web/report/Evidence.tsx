import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckNote } from '#src/shared/contract/gatewayContract.ts';
import { type Session, useSession } from '#src/web/api/session.ts';
import type { Operation, AttemptNote } from '#src/shared/operations/record.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyButton, CopyText } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { answerWords, mayHaveLeft } from '#src/shared/operations/attemptWords.ts';
import { byWhom, counted } from '#src/shared/text.ts';
import { isoMs, isoUtc, took } from '#src/shared/time.ts';

interface EvidenceProps {
  record: Operation;
  checks: readonly CheckNote[];
  children?: ReactNode;
}

export function Evidence({ record, checks, children }: EvidenceProps) {
  const { service, account } = useSession();
  const hidden = useAmountsHidden();
  const of = { record, checks, service, account };
  const json = () => evidenceJson(of, Date.now());
  const bytes = new TextEncoder().encode(record.body).length;
  return (
    <details className="mt-4 border-y border-rule py-2">
      <summary>
        <b>Evidence</b> · {counted(record.attempts.length, 'attempt', 'attempts')}, Idempotency-Key, request body
      </summary>
      <div className="grid grid-cols-1 gap-4 [&_.in-pad]:px-0 [&_h2]:px-0">
        {children}
        <Facts>
          <Fact label="Idempotency-Key" mono action={<CopyButton value={record.key} label="Copy key" />}>
            {record.key}
          </Fact>
          <Fact label="Request" mono>
            POST <UntrustedText value={record.path} max={200} />
          </Fact>
          <Fact label="Request body">
            {hidden ? (
              <span className="sub">{bytes} bytes, hidden, as amounts are</span>
            ) : (
              <pre className="code" translate="no">
                {record.body}
              </pre>
            )}
            <span className="small sub block">{bytes} bytes. Every attempt sends exactly these, under this key.</span>
          </Fact>
        </Facts>
        <div className="acts-row">
          <CopyText size="small" label="Copy evidence" text={() => evidenceText(of)} />
          <CopyText size="small" label="Copy as JSON" text={json} />
          <Button
            size="small"
            icon={<Download className="icon-s" aria-hidden />}
            onClick={() => saveFile(evidenceName(record.key), [json()], 'application/json')}
          >
            Save as a file
          </Button>
        </div>
        <p className="sub small">Every attempt and recent check with request IDs, in UTC. No API key is in it.</p>
      </div>
    </details>
  );
}

// Everything that is recorded of an operation, for a support case. Times are UTC; there is no API key in it.

type EvidenceOf = Omit<EvidenceProps, 'children'> & Pick<Session, 'service' | 'account'>;

export function evidenceText({ record, checks, service, account }: EvidenceOf): string {
  const { ending, contradiction, result } = record;
  const lines = [
    'Countinghouse, evidence of one operation (times in UTC)',
    `Operation: ${record.kind}${byWhom(record.who)}`,
    `State: ${record.state}${record.reason === undefined ? '' : ` (${record.reason})`}`,
    `Service: ${service}`,
    `Account: ${account}`,
    `${mayHaveLeft(record) ? 'First sent' : 'Recorded, not sent'}, service's clock: ${isoUtc(record.firstSent.service)}`,
    `Idempotency-Key: ${record.key}`,
    `POST ${record.path}`,
    record.body,
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
    lines.push(
      '',
      `Ended by a person (${ending.by})${byWhom(ending.who)} at ${isoMs(ending.at)}, request ID ${ending.requestId ?? 'none'}`,
    );
    if (ending.words !== '') lines.push(`Typed: ${ending.words}`);
  }
  if (record.ended !== undefined) lines.push(`Ended, service's clock: ${isoUtc(record.ended.service)}`);
  return `${lines.join('\n')}\n`;
}

export function evidenceJson({ record, checks, service, account }: EvidenceOf, now: number): string {
  const evidence = {
    evidence: 'countinghouse-operation',
    writtenAt: isoMs(now),
    clocks: 'date and service: the service’s; database and leaseUntil: the database’s; the others: the server’s',
    operation: timesInUtc({ ...record, service, account, method: 'POST' }),
    checks: timesInUtc(checks),
  };
  return `${stringifyExact(evidence, 2)}\n`;
}

const IN_MS = new Set(['start', 'end', 'at', 'server', 'database', 'retryAt', 'asleepUntil', 'leaseUntil']);
const IN_SECONDS = new Set(['service', 'date', 'createdAt']);

function timesInUtc(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return IN_MS.has(name) ? isoMs(value) : IN_SECONDS.has(name) ? isoUtc(value) : value;
  if (Array.isArray(value)) return value.map((each) => timesInUtc(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([part, each]: [string, unknown]) => [part, timesInUtc(each, part)]),
  );
}

export function evidenceName(key: string): string {
  return `countinghouse-operation-${key.replace(/[^\w.-]/g, '_').slice(0, 80)}.json`;
}

function attemptLine(record: Operation, attempt: AttemptNote, number: number): string {
  const lasted = attempt.end === null ? '' : `, ${took(attempt.start, attempt.end)}`;
  const parts = [
    `${number}. ${isoMs(attempt.start)}${lasted}, by ${attempt.who ?? attempt.by}: ${answerWords(record, attempt)}`,
    `request ID ${attempt.requestId ?? 'none'}`,
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
    `request ID ${requestId ?? 'none'}`,
  ];
  if (alike !== undefined && alike !== '') parts.push(`looks like it: ${alike}`);
  return parts.join('; ');
}
