import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Place, comparable } from '#src/lib/chains/lookAlike.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import type { KnownAddress } from '#src/lib/operations/knownAddresses.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { AddressDiff } from '#src/ui/AddressDiff.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { LastUse } from './RecipientNotes.tsx';
import { CHOSEN, type WithdrawalForm } from './withdrawalForm.ts';

interface LookAlikeProps {
  place: Place;
  alike: readonly KnownAddress[];
  list: Known['list'];
  form: WithdrawalForm;
}

/** Why an address is blocked: each that it may be mistaken for, in full, and the two ways on. */
export function LookAlike({ place, alike, list, form }: LookAlikeProps) {
  const take = ({ address }: Place) => {
    form.setValue('address', address, CHOSEN);
    form.setFocus('address');
  };
  return (
    <Notice tone="alarm" title="Possible address poisoning.">
      Scammers create addresses with the same first and last characters as one you pay. Take the address from its source
      again, and compare the middle.
      {alike.map((known) => (
        <section
          key={`${known.chain} ${known.address}`}
          className="grid justify-items-start gap-2 py-3 [&_bdi]:leading-5"
        >
          <AddressDiff
            one={{ label: 'In the form', value: place.address, form: comparable(place) }}
            other={{ label: <Whose known={known} list={list} />, value: known.address, form: comparable(known) }}
          />
          <Button onClick={() => take(known)}>Use the known address</Button>
        </section>
      ))}
      <p>
        Different recipient?{' '}
        <BookLink add={place} className={buttonClass('plain', 'small')}>
          Save it as a new recipient first
        </BookLink>{' '}
        What you typed here is kept.
      </p>
    </Notice>
  );
}

function Whose({ known: { name, last }, list }: { known: KnownAddress; list: Known['list'] }) {
  return (
    <>
      {name === null ? 'Known' : <UntrustedText value={name} max={80} />}
      {last && (
        <>
          . <LastUse use={last} list={list} />
        </>
      )}
    </>
  );
}

interface BookLinkProps {
  /** What is to be added there. */
  add?: Place;
  className?: string;
  children: ReactNode;
}

/** To the saved recipients and back; the draft of the form is kept meanwhile. */
export function BookLink({ add, className, children }: BookLinkProps) {
  return (
    <Link className={className} to={paths.addressBook} state={locationState({ add, back: true })}>
      {children}
    </Link>
  );
}
