import { zoneName } from '#src/lib/time.ts';
import { useZone } from '#src/ui/zone.tsx';

export function TimeHead() {
  return (
    <>
      Created <span className="zone">{zoneName(useZone())}</span>
    </>
  );
}
