import { pauseEnds } from '#src/api/paging/rateLimitPause.ts';
import { useDelay } from '#src/ui/useDelay.ts';
import { useNow } from '#src/ui/useNow.ts';

interface StillLoadingProps {
  /** "deposits" */
  what: string;
  /** Said before it takes long. */
  children?: string | false;
}

/** After two seconds, why a first load takes long, as far as that is known; its seconds are not announced one by one. */
export function StillLoading({ what, children = false }: StillLoadingProps) {
  const slow = useDelay(true, 2_000);
  return slow ? <Why what={what} /> : children;
}

function Why({ what }: { what: string }) {
  const left = Math.ceil(pauseEnds() / 1000) - useNow(1);
  if (left <= 0) return `Still loading ${what}. The provider is slow to respond.`;
  return (
    <>
      The provider asks us to slow down<span aria-hidden>; next try in {left} s</span>
    </>
  );
}
