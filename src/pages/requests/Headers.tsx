import { API_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/api/contract.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { isoUtc } from '#src/lib/time.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { CallPart } from './Body.tsx';

/** What was sent beside the body; the API key is the gateway's. */
export function SentHeaders({ record }: { record: RequestRecord }) {
  return (
    <CallPart title="Request headers">
      <Lines lines={record.headers} />
      <p className="small dim">{API_KEY_HEADER} is added by the gateway. This browser never has the key.</p>
    </CallPart>
  );
}

/** What the answer said beside its body. */
export function AnswerHeaders({ record: { answer, requestId, replayed } }: { record: RequestRecord }) {
  if (!answer) return null;
  const headers: [string, string | null][] = [
    ['Content-Type', answer.contentType],
    ['Date', answer.date === null ? null : isoUtc(answer.date)],
    [REQUEST_ID_HEADER, requestId],
    [IDEMPOTENCY_REPLAYED_HEADER, replayed ? 'true' : null],
    ['Retry-After', answer.retryAfter],
    ['Gateway-Error', answer.gatewayError],
  ];
  const came = headers.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
  return (
    <CallPart title="Response headers">
      {came.length === 0 ? <p className="small dim">None.</p> : <Lines lines={came} />}
    </CallPart>
  );
}

function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
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
