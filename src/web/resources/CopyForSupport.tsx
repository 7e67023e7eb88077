import { outcomeWords, type RequestRecord } from '#src/web/api/requestLog.ts';
import { useSession } from '#src/web/api/session.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { redact } from '#src/shared/redact.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { isoMs } from '#src/shared/time.ts';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import type { LoggedCall } from './apiCalls.ts';

interface SupportCase {
  calls: readonly LoggedCall[];
  scope: string;
}

export function CopyForSupport({ size, ...of }: SupportCase & { size?: 'small' }) {
  const { service } = useSession();
  return <CopyText {...(size && { size })} label="Copy for support" text={() => supportText(of, service)} />;
}

/** Calls as text for a support case: IDs, times in UTC and statuses, without amounts, addresses or bodies. */
export function supportText({ calls, scope }: SupportCase, service: string): string {
  const head = [
    `Countinghouse: ${counted(calls.length, 'call', 'calls')} to ${service}${scope === '' ? '' : `, ${scope}`}. Made ${isoMs(Date.now())}.`,
    'Times in UTC, by the clock of the device. Amounts, addresses, hashes and bodies are left out. There is no API key in it.',
  ];
  return [...head, ...calls.flatMap((call) => ['', ...callLines(call)])]
    .map((line) => `${revealHidden(line)}\n`)
    .join('');
}

function callLines({ number, attempts, last }: LoggedCall): string[] {
  const key = last.key === null ? [] : [`  Idempotency-Key: ${oneLine(last.key)}`];
  return [`${number}. ${last.method} ${oneLine(last.path)}`, ...key, ...attempts.map(attemptLine)];
}

function attemptLine(attempt: RequestRecord): string {
  const error = attempt.answer?.error;
  const parts = [
    `  ${isoMs(attempt.at)}, ${attempt.ms === null ? 'running' : `${attempt.ms} ms`}: ${outcomeWords(attempt)}`,
    `request ID ${oneLine(attempt.requestId ?? 'none')}`,
    ...(attempt.replayed ? ['replayed'] : []),
    ...(attempt.answer?.gatewayError ? [`gateway: ${oneLine(attempt.answer.gatewayError)}`] : []),
    ...(error ? [`${words(error.code ?? error.type ?? 'error')}: ${words(stringifyExact(error.message))}`] : []),
  ];
  return parts.join('; ');
}

function words(text: string): string {
  return oneLine(redact(text));
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ');
}
