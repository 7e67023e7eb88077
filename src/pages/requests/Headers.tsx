import { API_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/api/contract.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { isoUtc } from '#src/lib/time.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** What was sent beside the body; the API key is the gateway's. */
export function SentHeaders({ record }: { record: RequestRecord }) {
  return (
    <section className="call-section" aria-label="Headers sent">
      <h3>Headers sent</h3>
      <Lines lines={record.headers} />
      <p className="small dim">{API_KEY_HEADER} is added by the gateway; this browser never has the key.</p>
    </section>
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
    <section className="call-section" aria-label="Headers of the answer">
      <h3>Headers of the answer</h3>
      {came.length === 0 ? <p className="small dim">none that could be read</p> : <Lines lines={came} />}
    </section>
  );
}

function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
  return (
    <div className="mono call-headers">
      {lines.map(([name, value]) => (
        <div key={name}>
          <span className="dim">{name}: </span>
          <UntrustedText value={value} max={200} />
        </div>
      ))}
    </div>
  );
}
