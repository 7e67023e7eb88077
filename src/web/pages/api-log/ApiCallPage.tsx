import { useMemo, type ReactNode } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { API_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/shared/contract/contract.ts';
import { outcomeWords, type RequestRecord, useRequestLog, type LoggedBody } from '#src/web/api/requestLog.ts';
import { useSession } from '#src/web/api/session.ts';
import { numberWords, counted } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { formatFull, isoUtc } from '#src/shared/time.ts';
import { DetailPanel } from '#src/web/list/DetailPanel.tsx';
import { CopyButton, CopyText } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { callsOf, isToService, type LoggedCall, sameKey } from '#src/web/resources/apiCalls.ts';
import { OutcomeChip } from '#src/web/resources/ApiCallsTable.tsx';
import { curlOf } from './curl.ts';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { indentJson } from '#src/shared/json/indentJson.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';

const CopyForSupport = deferred(() =>
  import('#src/web/resources/CopyForSupport.tsx').then((read) => read.CopyForSupport),
);

export function Component() {
  const { id = '' } = useParams();
  const log = useRequestLog();
  const calls = useMemo(() => callsOf(log), [log]);
  const call = calls.find(({ number }) => String(number) === id);
  return (
    <DetailPanel title="Request" documentTitle={`Request ${id}`} listPath={paths.apiLog()}>
      {call ? (
        <CallDetail key={call.number} call={call} calls={calls} />
      ) : (
        <>
          <h3>Not in this tab’s log</h3>
          <p>
            It keeps the newest 500 attempts of one tab, until you sign out or reload. What was sent under an
            Idempotency-Key is in <Link to={paths.operations}>Operations</Link>.
          </p>
        </>
      )}
    </DetailPanel>
  );
}

function CallDetail({ call, calls }: { call: LoggedCall; calls: readonly LoggedCall[] }) {
  const { last, attempts } = call;
  const { service } = useSession();
  return (
    <>
      <div className="panel-title">
        <b>{last.method}</b>
        <OutcomeChip record={last} />
        <span className="mono basis-full wrap-anywhere">
          <UntrustedText value={last.path} max={400} />
        </span>
      </div>
      <div className="acts-row">
        {isToService(call) && <CopyText size="small" label="Copy as cURL" text={() => curlOf(last, service)} />}
        <CopyForSupport calls={[call]} scope="" size="small" />
      </div>
      <p className="small sub">{whatIsCopied(call, service)}</p>
      <CallFacts call={call} others={sameKey(calls, call)} />
      {attempts.length > 1 && (
        <CallPart label="Attempts" title={`${attempts.length} attempts`}>
          <ol className="grid gap-1 text-small wrap-anywhere">
            {attempts.map((attempt, at) => (
              <Attempt key={attempt.attempt} attempt={attempt} number={at + 1} />
            ))}
          </ol>
        </CallPart>
      )}
      <CallPart title="Request headers">
        <Lines lines={last.headers} />
        <p className="small dim">{API_KEY_HEADER} is added by the gateway. This browser never has the key.</p>
      </CallPart>
      {last.answer && (
        <>
          <CallPart title="Response headers">
            <Lines lines={answerHeaders(last)} />
          </CallPart>
          <Response kept={last.answer.body} complete={last.answer.complete} />
        </>
      )}
    </>
  );
}

function whatIsCopied(call: LoggedCall, service: string): string {
  if (!isToService(call)) return 'A call to the gateway itself. Its bodies are never kept.';
  return service === 'sandbox' ? 'Set $API_KEY and $BASE_URL before running.' : 'Set $API_KEY before running.';
}

function CallFacts({ call: { last, attempts }, others }: { call: LoggedCall; others: readonly LoggedCall[] }) {
  const zone = useZone();
  const { search } = useLocation();
  const first = attempts[0] ?? last;
  const { code, type, message, request_id: inError } = last.answer?.error ?? {};
  return (
    <Facts>
      <Fact label="Started">
        {formatFull(Math.floor(first.at / 1000), zone)}
        <span className="dim small block">{new Date(first.at).toISOString()}, device clock</span>
      </Fact>
      <Fact label="Took">{last.ms === null ? 'running' : `${numberWords(last.ms)} ms`}</Fact>
      <TextFact label="Request ID" mono value={last.requestId} max={80} copy="Copy request ID" />
      {last.requestId === null && (
        <Fact label="Request ID">
          <span className="dim">none</span>
        </Fact>
      )}
      {last.key !== null && (
        <Fact label="Idempotency-Key" mono action={<CopyButton value={last.key} label="Copy idempotency key" />}>
          <UntrustedText value={last.key} max={260} />
          <Link className="small block font-sans" to={paths.operation(last.key)}>
            View operation
          </Link>
        </Fact>
      )}
      {others.length > 0 && (
        <Fact label="Same key">
          {others.map((other) => (
            <Link key={other.number} className="block" to={paths.apiCall(String(other.number), search)}>
              {outcomeWords(other.last)}, {new Date(other.last.at).toISOString().slice(11, 19)} UTC
            </Link>
          ))}
        </Fact>
      )}
      {last.answer?.gatewayError != null && (
        <Fact label="Answered by">
          the gateway, not the provider: <UntrustedText value={last.answer.gatewayError} max={60} />
        </Fact>
      )}
      <TextFact label="Error code" mono value={code} max={120} />
      <TextFact label="Error type" mono value={type} max={120} />
      <TextFact label="Message" value={message} />
      {inError !== last.requestId && <TextFact label="Request ID in the error" mono value={inError} max={80} />}
    </Facts>
  );
}

function Attempt({ attempt, number }: { attempt: RequestRecord; number: number }) {
  const { at, ms, requestId } = attempt;
  return (
    <li>
      {number}. {new Date(at).toISOString().slice(11, 23)} UTC, {outcomeWords(attempt)}
      {ms !== null && `, ${numberWords(ms)} ms`}
      {requestId !== null && (
        <>
          , <UntrustedText mono value={requestId} max={60} />
        </>
      )}
    </li>
  );
}

interface CallPartProps {
  title: string;
  /** Names the part where the title says more. */
  label?: string;
  action?: ReactNode;
  children: ReactNode;
}

function CallPart({ title, label = title, action, children }: CallPartProps) {
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

function answerHeaders({ answer, requestId, replayed }: RequestRecord): (readonly [string, string])[] {
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

function Lines({ lines }: { lines: readonly (readonly [string, string])[] }) {
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

function Response({ kept, complete }: { kept: LoggedBody | null; complete: boolean }) {
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
