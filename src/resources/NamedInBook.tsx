import { Link } from 'react-router';
import { useRecipients } from '#src/api/recipients.ts';
import { useSession } from '#src/api/session.ts';
import { type Place, placeKey } from '#src/lib/chains/lookAlike.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { type ListRow, textOf } from '#src/list/fields.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

function useRecipientAt(place: Place) {
  const { entries } = useRecipients(useSession().account);
  return entries.find((each) => placeKey(each) === placeKey(place));
}

/** Whose address it is by the team's recipients, or the way to name it. */
export function NamedInBook({ place }: { place: Place }) {
  const entry = useRecipientAt(place);
  return (
    <span className="block">
      {entry ? (
        <Link to={paths.addressBook}>
          <UntrustedText value={entry.name} max={80} />
        </Link>
      ) : (
        <Link className="small" to={paths.addressBook} state={locationState({ add: place })}>
          Save as recipient
        </Link>
      )}
    </span>
  );
}

/** "to Acme Hosting", else the address it went to. */
export function RecipientName({ row }: { row: ListRow }) {
  const address = textOf(row['address']) ?? '';
  const entry = useRecipientAt({ chain: textOf(row['chain']) ?? '', address });
  if (address === '') return null;
  return <p>to {entry ? <UntrustedText value={entry.name} max={80} /> : <ShortId value={address} />}</p>;
}
