import { SEND_WINDOW_SECONDS } from '#src/shared/operations/record.ts';
import { lasting } from '#src/shared/time.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { Time } from '#src/web/ui/Time.tsx';
import { useCarriedClock } from './StatusBlock.tsx';

/** The time left of the 23 hours in which a resend is safe, by the service's clock. */
export function ResendWindow({ view }: { view: ReceivedView }) {
  const { operation: record } = view;
  const { serviceNow } = useCarriedClock(view);
  const end = record.firstSent.service + SEND_WINDOW_SECONDS;
  const used = serviceNow === null ? null : Math.max(0, serviceNow - record.firstSent.service);
  const share = used === null ? 0 : Math.min(1, used / SEND_WINDOW_SECONDS) * 100;
  return (
    <section aria-labelledby="window">
      <h2 id="window">Time left to resend safely</h2>
      <div className="in-pad grid gap-1">
        <svg
          className="block h-3 w-full"
          role="img"
          aria-label={used === null ? 'Not known yet' : `${lasting(used)} of 23 h used`}
        >
          <rect className="fill-inset stroke-rule-strong" x="0.5" y="0.5" width="99.6%" height="11" />
          <rect className="fill-open-rule" x="1" y="1" width={`${share}%`} height="10" />
          <line className="stroke-ink stroke-2" x1={`${share}%`} x2={`${share}%`} y1="0" y2="12" />
        </svg>
        <div className="flex flex-wrap justify-between gap-x-2 text-label text-ink-2">
          <Time unix={record.firstSent.service} />
          <b>
            {serviceNow === null
              ? 'not known yet'
              : serviceNow >= end
                ? 'over'
                : view.expired
                  ? 'a clock is wrong'
                  : `${lasting(end - serviceNow)} left`}
          </b>
          <Time unix={end} />
        </div>
        <p className="sub small">After that the provider could treat a resend as a new payment, so resending stops.</p>
      </div>
    </section>
  );
}
