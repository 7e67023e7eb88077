import { useState } from 'react';
import { outcomeWords } from '#src/api/errors.ts';
import type { LoggedBody, RequestRecord } from '#src/api/requestLog.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { LEFT_OUT, redact, redactId } from '#src/lib/redact.ts';
import { useSession } from '#src/api/session.ts';
import { counted, visible } from '#src/lib/text.ts';
import { isoMs, isoUtc } from '#src/lib/time.ts';
import { saveFile } from '#src/ui/saveFile.ts';
import { Button } from '#src/ui/Button.tsx';
import { copyText } from '#src/ui/CopyButton.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import type { LoggedCall } from './calls.ts';

interface SupportDialogProps {
  calls: readonly LoggedCall[];
  /** The filters in words. */
  scope: string;
  onClose: () => void;
}

const PREVIEW = 1500;

/** Calls as text or as a file for whoever looks into them; what it was when asked for, whatever is called meanwhile. */
export function SupportDialog({ calls, scope, onClose }: SupportDialogProps) {
  const { service } = useSession();
  const [of] = useState(() => ({ calls, service, scope, madeAt: Date.now() }));
  const [done, setDone] = useState('');
  const text = bundleText(of);
  const copy = async () => setDone((await copyText(text)).said);
  const save = () => {
    const made = isoUtc(Math.floor(of.madeAt / 1000)).replaceAll(':', '');
    saveFile(`requests-${made}.json`, [bundleJson(of)], 'application/json');
    setDone('Saved');
  };
  const count = counted(of.calls.length, 'call', 'calls');
  return (
    <Dialog
      open
      onClose={onClose}
      title="Copy for support"
      actions={
        <>
          <Button variant="primary" onClick={() => void copy()}>
            Copy as text
          </Button>
          <Button onClick={save}>Save as JSON</Button>
          <Button variant="quiet" onClick={onClose}>
            Close
          </Button>
          <span className="small sub">{done}</span>
        </>
      }
    >
      <div className="grid gap-2">
        <p>
          {count}
          {of.scope === '' ? '' : <bdi>: {of.scope}</bdi>}, with times in UTC, statuses, request IDs and idempotency
          keys.
        </p>
        <p className="small sub">
          Amounts, addresses, hashes and unknown fields are left out. It has no API key: this browser never does.
        </p>
        <details>
          <summary>Preview</summary>
          <div className="code mt-2">
            <UntrustedText value={text} max={PREVIEW} />
          </div>
        </details>
      </div>
    </Dialog>
  );
}

export interface BundleOf {
  calls: readonly LoggedCall[];
  /** As the session names it. */
  service: string;
  /** The filters in words; empty for all. */
  scope: string;
  /** Unix milliseconds. */
  madeAt: number;
}

const LEFT_OUT_WORDS = 'Amounts, addresses, hashes and unknown fields are left out. There is no API key in it.';

/** Calls for a support case as JSON: ids, times in UTC and statuses; what was paid to whom is left out. */
export function bundleJson({ calls, service, scope, madeAt }: BundleOf): string {
  const bundle = {
    bundle_version: 1,
    made_by: 'Countinghouse',
    made_at: isoMs(madeAt),
    service,
    scope: scope === '' ? 'one or all calls of the session, no filter' : scope,
    left_out: LEFT_OUT_WORDS,
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
  const head = [
    `Countinghouse: ${counted(calls.length, 'call', 'calls')} to ${service}${scope === '' ? '' : `, ${scope}`}. Made ${isoMs(madeAt)}.`,
    `Times in UTC, by the clock of the device. ${LEFT_OUT_WORDS}`,
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
    `request ID ${oneLine(attempt.requestId ?? 'none')}`,
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
    type: type && redact(type),
    code: code && redact(code),
    message: message && redact(message),
    request_id: request_id && redactId(request_id),
  };
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ');
}

/** Fields whose words help to find a request and tell nothing of what was paid to whom. */
const TOLD = new Set(
  `id object status asset chain type code request_id has_more next_cursor created_at updated_at order book source
   transaction`.split(/\s+/),
);
/** Fields that hold such fields. */
const OPENED = new Set(['error', 'data']);
const EDGE = 1;

/** A body without amounts, addresses, hashes and whatever else is not known to be harmless. */
export function redactedBody(kept: LoggedBody | null): unknown {
  if (kept === null || kept.text === null) return 'not kept';
  if (kept.text === '') return null;
  const json = kept.text.length === kept.length ? parseJson(kept.text) : undefined;
  return json === undefined ? `${LEFT_OUT}: ${kept.length} characters that are no whole JSON` : opened(json);
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return ends(value);
  if (!isObject(value)) return told(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (OPENED.has(name) && typeof field === 'object') return [name, opened(field)];
      if (name === 'message') return [name, told(field, redact)];
      return TOLD.has(name) ? [name, told(field)] : [redact(name), field === null ? null : LEFT_OUT];
    }),
  );
}

/** The first and the last of a list, and how many stood between. */
function ends(list: readonly unknown[]): unknown[] {
  const between = list.length - 2 * EDGE;
  if (between <= 0) return list.map(opened);
  return [...list.slice(0, EDGE).map(opened), `[${between} more left out]`, ...list.slice(-EDGE).map(opened)];
}

function told(value: unknown, words = redactId): unknown {
  if (typeof value === 'string') return words(value);
  return typeof value === 'object' && value !== null ? LEFT_OUT : value;
}
