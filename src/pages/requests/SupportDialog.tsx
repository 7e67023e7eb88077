import { useState } from 'react';
import { outcomeWords } from '#src/api/errors.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { redact, redactId } from '#src/lib/redact.ts';
import { useSession } from '#src/api/session.ts';
import { counted, visible } from '#src/lib/text.ts';
import { isoMs } from '#src/lib/time.ts';
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

/** Calls as text for whoever looks into them; what it was when asked for, whatever is called meanwhile. */
export function SupportDialog({ calls, scope, onClose }: SupportDialogProps) {
  const { service } = useSession();
  const [of] = useState(() => ({ calls, service, scope, madeAt: Date.now() }));
  const [done, setDone] = useState('');
  const text = bundleText(of);
  const copy = async () => setDone((await copyText(text)).said);
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

interface BundleOf {
  calls: readonly LoggedCall[];
  /** As the session names it. */
  service: string;
  /** The filters in words; empty for all. */
  scope: string;
  /** Unix milliseconds. */
  madeAt: number;
}

const LEFT_OUT_WORDS = 'Amounts, addresses, hashes and unknown fields are left out. There is no API key in it.';

/** Calls for a support case in lines: ids, times in UTC and statuses; what was paid to whom is left out. */
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
