import type { UseFormReturn } from 'react-hook-form';
import { type Place, comparable } from '#src/lib/chains/lookAlike.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { KnownAddress } from '#src/lib/operations/knownAddresses.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Button, buttonClass } from '#src/ui/Button.tsx';
import { AddressDiff } from '#src/ui/AddressDiff.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { BookLink } from './BookLink.tsx';
import { LastUse } from './LastUse.tsx';

interface LookAlikeProps {
  place: Place;
  alike: readonly KnownAddress[];
  list: Known['list'];
  form: UseFormReturn<WithdrawalFields>;
}

/** Why an address is blocked: each that it may be mistaken for, in full, and the two ways on. */
export function LookAlike({ place, alike, list, form }: LookAlikeProps) {
  const take = ({ address }: Place) => {
    form.setValue('address', address, { shouldValidate: true, shouldDirty: true, shouldTouch: true });
    form.setFocus('address');
  };
  return (
    <Notice tone="alarm" title="This is not the address that it looks like.">
      Addresses with the same beginning and end are made on purpose, to be copied by mistake. Take the address from its
      source again, and compare the middle.
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
        It really is another recipient?{' '}
        <BookLink form={form} add={place} className={buttonClass('plain', 'small')}>
          Name it in the address book
        </BookLink>{' '}
        The form is kept for the way back.
      </p>
    </Notice>
  );
}

function Whose({ known: { name, last }, list }: { known: KnownAddress; list: Known['list'] }) {
  return (
    <>
      {name === null ? (
        'Known'
      ) : (
        <>
          In the address book: <UntrustedText value={name} max={80} />
        </>
      )}
      {last && (
        <>
          . <LastUse use={last} list={list} />
        </>
      )}
    </>
  );
}
