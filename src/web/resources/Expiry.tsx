import { lasting } from '#src/shared/time.ts';
import type { ReceivedApproval } from '#src/web/api/approvals.ts';
import { Time } from '#src/web/ui/Time.tsx';
import { useMonotonicNow } from '#src/web/ui/useNow.ts';

/** Until when a payment can be approved, by the database's clock as extrapolated by this page. `short`: only "in 4 h". */
export function Expiry({ approval, short = false }: { approval: ReceivedApproval; short?: boolean }) {
  const { expires_at: expiresAt, view, receivedMs } = approval;
  const passed = Math.max(0, useMonotonicNow(10) - receivedMs);
  const left = Math.floor((expiresAt - view.databaseNow - passed) / 1_000);
  const unix = Math.floor(expiresAt / 1_000);
  if (left <= 0) return <span className="text-open">now</span>;
  const words = `in ${lasting(left)}`;
  if (short) return <span data-tip-unix={unix}>{words}</span>;
  return (
    <>
      {words}, <Time unix={unix} />
    </>
  );
}
