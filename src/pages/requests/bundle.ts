import type { RequestRecord } from '#src/api/requestLog.ts';
import { visible } from '#src/lib/text.ts';
import { isoMs } from '#src/lib/time.ts';
import type { LoggedCall } from './calls.ts';
import { outcomeWords } from '#src/api/errors.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { redactedBody } from './redact.ts';
import { scrub } from '#src/lib/scrub.ts';

export interface BundleOf {
  calls: readonly LoggedCall[];
  /** As the session names it. */
  service: string;
  /** The filters in words; empty for all. */
  scope: string;
  /** Unix milliseconds. */
  madeAt: number;
}

const LEFT_OUT = 'Amounts, addresses, hashes and unknown fields are left out. There is no API key in it.';

/** Calls for a support case as JSON: ids, times in UTC and statuses; what was paid to whom is left out. */
export function bundleJson({ calls, service, scope, madeAt }: BundleOf): string {
  const bundle = {
    bundle_version: 1,
    made_by: 'Countinghouse',
    made_at: isoMs(madeAt),
    service,
    scope: scope === '' ? 'one or all calls of the session, no filter' : scope,
    left_out: LEFT_OUT,
    times: 'UTC, by the clock of the device',
    calls: calls.map((call) => ({
      call: call.number,
      method: call.last.method,
      path: call.last.path,
      idempotency_key: call.last.key,
      request_body: call.last.body && redactedBody(call.last.body),
      attempts: call.attempts.map((attempt) => ({
        started_at: isoMs(attempt.at),
        ms: attempt.ms,
        outcome: attempt.outcome,
        status: attempt.status,
        request_id: attempt.requestId,
        replayed: attempt.replayed,
        attempt: attempt.attempt,
        error: errorOf(attempt),
        ...(attempt.answer && {
          gateway_error: attempt.answer.gatewayError,
          retry_after: attempt.answer.retryAfter,
          content_type: attempt.answer.contentType,
          complete: attempt.answer.complete,
          service_date: attempt.answer.date === null ? null : isoMs(attempt.answer.date * 1000),
          response_body: redactedBody(attempt.answer.body),
        }),
      })),
    })),
  };
  return `${stringifyExact(bundle, 2)}\n`;
}

/** The same in lines, for a message. */
export function bundleText({ calls, service, scope, madeAt }: BundleOf): string {
  const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const head = [
    `Countinghouse: ${count} to ${service}${scope === '' ? '' : `, ${scope}`}. Made ${isoMs(madeAt)}.`,
    `Times in UTC, by the clock of the device. ${LEFT_OUT}`,
  ];
  return [...head, ...calls.flatMap((call) => ['', ...callLines(call)])].map((line) => `${visible(line)}\n`).join('');
}

function callLines({ number, attempts, last }: LoggedCall): string[] {
  const key = last.key === null ? [] : [`  Idempotency-Key: ${oneLine(last.key)}`];
  return [`${number}. ${last.method} ${oneLine(last.path)}`, ...key, ...attempts.map(attemptLine)];
}

function attemptLine(attempt: RequestRecord): string {
  const error = errorOf(attempt);
  const parts = [
    `  ${isoMs(attempt.at)}, ${attempt.ms === null ? 'running' : `${attempt.ms} ms`}: ${outcomeWords(attempt)}`,
    `request id ${oneLine(attempt.requestId ?? 'none')}`,
    ...(attempt.replayed ? ['replayed'] : []),
    ...(attempt.answer?.gatewayError ? [`gateway: ${oneLine(attempt.answer.gatewayError)}`] : []),
    ...(error ? [`${oneLine(error.code ?? error.type ?? 'error')}: ${oneLine(stringifyExact(error.message))}`] : []),
  ];
  return parts.join('; ');
}

function errorOf({ answer }: RequestRecord) {
  if (!answer?.error) return null;
  const { type, code, message, request_id } = answer.error;
  return {
    type: type && scrub(type),
    code: code && scrub(code),
    message: message && scrub(message),
    request_id: request_id && scrub(request_id),
  };
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ');
}
