import { ageInWords } from '#src/lib/time.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import type { Use } from '#src/lib/operations/uses.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useNowByService } from '#src/ui/useNow.ts';

/** The latest withdrawal to an address, without saying that it paid: where it is known from, and what became of it. */
export function LastUse({ use: { at, source, status }, list }: { use: Use; list: Known['list'] }) {
  const now = useNowByService(list.status === 'read' ? list : { date: null, readAt: 0 });
  return (
    <>
      Last withdrawal to it{' '}
      {at !== null && (
        <>
          {ageInWords(at, now)} (<Time unix={at} />
          ),{' '}
        </>
      )}
      {source === 'journal' ? 'recorded here: ' : 'listed by the service: '}
      <UntrustedText value={status ?? 'no status'} max={60} />.
    </>
  );
}
