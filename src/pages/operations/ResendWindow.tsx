import type { SeenOperation } from '#src/api/operations.ts';
import { SEND_WINDOW_SECONDS } from '#src/lib/operations/record.ts';
import { Time } from '#src/ui/Time.tsx';
import { useCarriedClock } from './useCarriedClock.ts';

/** How much of the 23 hours is left, by the service's clock. */
export function ResendWindow({ seen }: { seen: SeenOperation }) {
  const { operation: record } = seen;
  const { serviceNow } = useCarriedClock(seen);
  const end = record.firstSent.service + SEND_WINDOW_SECONDS;
  const used = serviceNow === null ? null : Math.max(0, serviceNow - record.firstSent.service);
  const share = used === null ? 0 : Math.min(1, used / SEND_WINDOW_SECONDS) * 100;
  return (
    <section aria-labelledby="window">
      <h2 id="window">Time left to send again</h2>
      <div className="in-pad window">
        <svg role="img" aria-label={used === null ? 'Not known yet' : `${spanWords(used)} of 23 h used`}>
          <rect className="w0" x="0.5" y="0.5" width="99.6%" height="11" />
          <rect className="w1" x="1" y="1" width={`${share}%`} height="10" />
          <line className="w2" x1={`${share}%`} x2={`${share}%`} y1="0" y2="12" />
        </svg>
        <div className="ends">
          <Time unix={record.firstSent.service} />
          <b>
            {serviceNow === null
              ? 'not known yet'
              : seen.expired || serviceNow >= end
                ? 'over'
                : `${spanWords(end - serviceNow)} left`}
          </b>
          <Time unix={end} />
        </div>
        <p className="sub small">After that the service could treat the key as new, so this page stops resending.</p>
      </div>
    </section>
  );
}

function spanWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
