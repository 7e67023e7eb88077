import { useId } from 'react';
import { type Place, comparable } from '#src/lib/chains/lookAlike.ts';
import type { KnownAddress } from '#src/lib/operations/knownAddresses.ts';
import { AddressDiff } from '#src/ui/AddressDiff.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface LookAlikesProps {
  place: Place;
  alike: readonly KnownAddress[];
  compared: boolean;
  onCompared: (done: boolean) => void;
  error: string | undefined;
}

/** The known addresses that a new one looks like, each in full below it; somebody has to have compared them. */
export function LookAlikes({ place, alike, compared, onCompared, error }: LookAlikesProps) {
  const id = useId();
  return (
    <Notice tone="alarm" live="status" title="Possible address poisoning.">
      Scammers create addresses with the same first and last characters. Ask the recipient, by another channel than the
      one this address came by.
      {alike.map((known) => (
        <section key={`${known.chain} ${known.address}`} className="grid justify-items-start gap-2 py-3">
          <AddressDiff
            one={{ label: 'New', value: place.address, form: comparable(place) }}
            other={{ label: <Whose known={known} />, value: known.address, form: comparable(known) }}
          />
        </section>
      ))}
      <label className="check" htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={compared}
          onChange={(event) => onCompared(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <span>
          I compared all {place.address.length} characters with what the recipient told me, not with an earlier payment.
        </span>
      </label>
      {error && (
        <p className="msg msg-alarm" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </Notice>
  );
}

function Whose({ known: { name } }: { known: KnownAddress }) {
  return name === null ? 'Paid before' : <UntrustedText value={name} max={80} />;
}
