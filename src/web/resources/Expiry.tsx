import { lasting } from '#src/shared/time.ts';
import type { ReceivedClock } from '#src/web/api/operations/operations.ts';
import { Time } from '#src/web/ui/Time.tsx';
import { useMonotonicNow } from '#src/web/ui/useNow.ts';

interface ExpiryProps {
  /** ms by the database's clock. */
  at: number;
  clock: ReceivedClock;
  /** Only "in 4 h". */
  short?: boolean;
}

/** Until when a payment or a batch can be approved, by the database's clock as extrapolated by this page. */
export function Expiry({ at, clock: { databaseNow, receivedMs }, short = false }: ExpiryProps) {
  const passed = Math.max(0, useMonotonicNow(10) - receivedMs);
  const left = Math.floor((at - databaseNow - passed) / 1_000);
  const unix = Math.floor(at / 1_000);
  if (left <= 0) return <span className="text-open">now</span>;
  const words = `in ${lasting(left)}`;
  if (short) return <span data-tip-unix={unix}>{words}</span>;
  return (
    <>
      {words}, <Time unix={unix} />
    </>
  );
}
