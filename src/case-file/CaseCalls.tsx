import { isoMs } from '#src/lib/time.ts';
import type { CallsAbout } from './callsAbout.ts';
import { RequestId } from './RequestId.tsx';
import { WholeText } from './WholeText.tsx';

/** What was read when, with which request ids, as far as this page load knows. */
export function CaseCalls({ calls: { calls, more } }: { calls: CallsAbout }) {
  return (
    <section aria-label="API calls">
      <h2>API calls</h2>
      {calls.length === 0 ? (
        <p className="sub">No call since this page was loaded names it.</p>
      ) : (
        <ul className="case-list">
          {calls.map(({ attempt, at, method, path, outcome, ms, requestId, replayed }) => (
            <li key={attempt}>
              <span>{isoMs(at)}</span>
              <span>
                <span className="mono">
                  {method} <WholeText text={path} most={400} />
                </span>
                <span className="small sub block">
                  {outcome}
                  {ms !== null && `, ${ms} ms`}
                  {replayed && ', replayed'}; request ID <RequestId id={requestId} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="small sub">
        Calls since this page was loaded whose path, body or response names it, by this device’s clock.
        {more > 0 && ` ${more} earlier ones are left out.`}
      </p>
    </section>
  );
}
