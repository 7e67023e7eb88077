import { useLocation } from 'react-router';
import { readLocationState } from '#src/lib/locationState.ts';
import { Notice } from '#src/ui/Notice.tsx';

/** Says why a form led here instead of sending. */
export function Arrival() {
  const { instead } = readLocationState(useLocation().state);
  if (!instead) return null;
  return (
    <div className="arrival">
      <Notice tone="open" live="status" title="Nothing new was recorded or sent.">
        This one is for the same and is not resolved yet. Resolve it first, then start another if you still want one.
      </Notice>
    </div>
  );
}
