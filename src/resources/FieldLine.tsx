import { age, formatFull, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { Time, useZone } from '#src/ui/Time.tsx';
import { type ReadClocks, useNowByService } from '#src/ui/useNow.ts';
import { statusMeaning } from '#src/lib/paymentStatus.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact } from '#src/ui/Facts.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface CreatedAtProps {
  unix: unknown;
  /** Of the read that brought it: its age is by the service's clock. */
  read: ReadClocks;
}

/** A moment in full: its year and zone, its age, the other zone and Unix seconds. */
export function CreatedAt({ unix, read }: CreatedAtProps) {
  const zone = useZone();
  const now = useNowByService(read);
  if (!isPlausibleTime(unix)) return <Time unix={unix} />;
  return (
    <>
      {formatFull(unix, zone)}
      <span className="dim small block">
        {age(unix, now)}
        {zoneName('local') !== 'UTC' && `; ${formatFull(unix, zone === 'utc' ? 'local' : 'utc')}`}; Unix {unix}
      </span>
    </>
  );
}

interface StatusFactProps {
  of: 'deposit' | 'withdrawal';
  status: string | null;
}

/** A status as it came, and what we take it for. */
export function StatusFact({ of, status }: StatusFactProps) {
  return (
    <Fact label="Status" action={status !== null && <CopyButton value={status} label="Copy status" />}>
      {status !== null && (
        <span className="mono">
          <UntrustedText value={status} max={160} />
        </span>
      )}
      <span className="small sub block">{statusMeaning(of, status)}</span>
    </Fact>
  );
}
