import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { numberWords } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { formatFull } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { CopyButton, CopyText } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { Body, CallPart } from './Body.tsx';
import { isToService, type LoggedCall, sameKey } from './calls.ts';
import { curlOf } from './curl.ts';
import { AnswerHeaders, SentHeaders } from './Headers.tsx';
import { OutcomeChip } from './OutcomeChip.tsx';
import { outcomeWords } from '#src/api/errors.ts';
import { SupportDialog } from './SupportDialog.tsx';

/** One call with all that the log has of it. */
export function CallDetail({ call, calls }: { call: LoggedCall; calls: readonly LoggedCall[] }) {
  const { last } = call;
  const { service } = useSession();
  const [bundled, setBundled] = useState(false);
  const toService = isToService(call) && !last.outline;
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
        {toService && <CopyText size="small" label="Copy as cURL" text={() => curlOf(last, service)} />}
        <Button size="small" onClick={() => setBundled(true)}>
          Copy for support
        </Button>
      </div>
      <p className="small sub">{whatIsCopied(call, service)}</p>
      <CallFacts call={call} calls={calls} />
      {call.attempts.length > 1 && <AttemptList call={call} />}
      {!last.outline && <SentHeaders record={last} />}
      {last.answer && (
        <>
          <AnswerHeaders record={last} />
          <Body title="Response" kept={last.answer.body} complete={last.answer.complete} />
        </>
      )}
      {bundled && <SupportDialog calls={[call]} scope="" onClose={() => setBundled(false)} />}
    </>
  );
}

function whatIsCopied(call: LoggedCall, service: string): string {
  if (call.last.outline) return 'Made before the page was reloaded: only this outline of it was kept.';
  if (!isToService(call)) return 'A call to the gateway itself. Its bodies are never kept.';
  return service === 'sandbox' ? 'Set $API_KEY and $BASE_URL before running.' : 'Set $API_KEY before running.';
}

function CallFacts({ call, calls }: { call: LoggedCall; calls: readonly LoggedCall[] }) {
  const zone = useZone();
  const { last, attempts } = call;
  const { search } = useLocation();
  const others = sameKey(calls, call);
  const error = last.answer?.error;
  const first = attempts[0] ?? last;
  return (
    <Facts>
      <Fact label="Started">
        {formatFull(Math.floor(first.at / 1000), zone)}
        <span className="dim small block">{new Date(first.at).toISOString()}, device clock</span>
      </Fact>
      <Fact label="Took">{last.ms === null ? 'running' : `${numberWords(last.ms)} ms`}</Fact>
      <Fact
        label="Request-Id"
        mono={last.requestId !== null}
        action={last.requestId !== null && <CopyButton value={last.requestId} label="Copy request id" />}
      >
        {last.requestId === null ? (
          <span className="dim">none</span>
        ) : (
          <UntrustedText value={last.requestId} max={80} />
        )}
      </Fact>
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
            <Link key={other.number} className="block" to={paths.request(String(other.number), search)}>
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
      {error?.code != null && (
        <Fact label="Error code" mono>
          <UntrustedText value={error.code} max={120} />
        </Fact>
      )}
      {error?.type != null && (
        <Fact label="Error type" mono>
          <UntrustedText value={error.type} max={120} />
        </Fact>
      )}
      {error?.message != null && (
        <Fact label="Message">
          <UntrustedText value={error.message} />
        </Fact>
      )}
      {error?.request_id != null && error.request_id !== last.requestId && (
        <Fact label="Request id in the error" mono>
          <UntrustedText value={error.request_id} max={80} />
        </Fact>
      )}
    </Facts>
  );
}

function AttemptList({ call: { attempts } }: { call: LoggedCall }) {
  return (
    <CallPart label="Attempts" title={`${attempts.length} attempts`}>
      <ol className="grid gap-1 text-small wrap-anywhere">
        {attempts.map((attempt, at) => (
          <li key={attempt.attempt}>
            {at + 1}. {new Date(attempt.at).toISOString().slice(11, 23)} UTC, {outcomeWords(attempt)}
            {attempt.ms === null ? '' : `, ${numberWords(attempt.ms)} ms`}
            {attempt.requestId !== null && (
              <>
                ,{' '}
                <span className="mono">
                  <UntrustedText value={attempt.requestId} max={60} />
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
    </CallPart>
  );
}
