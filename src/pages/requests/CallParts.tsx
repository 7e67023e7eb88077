import type { ReactNode } from 'react';
import { IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/api/contract.ts';
import type { LoggedBody, RequestRecord } from '#src/api/requestLog.ts';
import { counted, numberWords } from '#src/lib/text.ts';
import { indentJson } from '#src/lib/json/indentJson.ts';
import { isoUtc } from '#src/lib/time.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface CallPartProps {
  title: string;
  /** Names the part where the title says more. */
  label?: string;
  action?: ReactNode;
  children: ReactNode;
}

export function CallPart({ title, label = title, action, children }: CallPartProps) {
  return (
    <section className="grid grid-cols-1 gap-1" aria-label={label}>
      <h3 className="flex items-center gap-1">
        {title}
        {action}
      </h3>
      {children}
    </section>
  );
}

export function answerHeaders({ answer, requestId, replayed }: RequestRecord): (readonly [string, string])[] {
  const headers = [
    ['Content-Type', answer?.contentType],
    ['Date', answer?.date == null ? null : isoUtc(answer.date)],
    [REQUEST_ID_HEADER, requestId],
    [IDEMPOTENCY_REPLAYED_HEADER, replayed ? 'true' : null],
    ['Retry-After', answer?.retryAfter],
    ['Gateway-Error', answer?.gatewayError],
  ] as const;
  return headers.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
}

export function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
  if (lines.length === 0) return <p className="small dim">None.</p>;
  return (
    <div className="mono wrap-anywhere">
      {lines.map(([name, value]) => (
        <div key={name}>
          <span className="dim">{name}: </span>
          <UntrustedText value={value} max={200} />
        </div>
      ))}
    </div>
  );
}

const SHOWN = 6000;

export function Response({ kept, complete }: { kept: LoggedBody | null; complete: boolean }) {
  const hidden = useAmountsHidden();
  const text = kept?.text ?? '';
  const isWhole = text.length === kept?.length;
  return (
    <CallPart title="Response" action={text !== '' && !hidden && <CopyButton value={text} label="Copy response" />}>
      <p className="small dim">
        {about(kept)}
        {!complete && ' The connection was cut.'}
      </p>
      {text !== '' && hidden && <p className="small sub">Hidden with amounts.</p>}
      {text !== '' && !hidden && (
        <div className="code">
          <UntrustedText value={(isWhole ? indentJson(text) : null) ?? text} max={SHOWN} />
        </div>
      )}
    </CallPart>
  );
}

function about(kept: LoggedBody | null): string {
  if (kept === null) return 'Not kept, or there was none.';
  const count = counted(kept.length, 'character', 'characters');
  if (kept.text === null) return `${count}, dropped for newer ones.`;
  if (kept.length === 0) return 'Empty.';
  if (kept.text.length < kept.length) return `The first ${numberWords(kept.text.length)} of ${count} are kept.`;
  return `${count}.`;
}
