import { BookUser } from 'lucide-react';
import { Link } from 'react-router';
import { useRecipients } from '#src/api/recipients.ts';
import { useSession } from '#src/api/session.ts';
import { type Place, placeKey } from '#src/lib/chains/lookAlike.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** The saved recipient whose address it is, or the way to save it. */
export function NamedInBook({ place }: { place: Place }) {
  const { entries } = useRecipients(useSession().account);
  const entry = entries.find((each) => placeKey(each) === placeKey(place));
  return (
    <span className="small sub block">
      <BookUser className="icon-s" aria-hidden />{' '}
      {entry ? (
        <>
          Saved as “<UntrustedText value={entry.name} max={80} />”
        </>
      ) : (
        <Link to={paths.addressBook} state={locationState({ add: place })}>
          Save as recipient
        </Link>
      )}
    </span>
  );
}
