import { useEffect } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { takeApart } from '#src/lib/chains/takeApart.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { submitByEnter } from '#src/ui/submitByEnter.ts';
import { AddressNotes } from './AddressNotes.tsx';
import { mistakenFor } from './blocked.ts';
import { LookAlike } from './LookAlike.tsx';
import { PastedLink } from './PastedLink.tsx';

interface AddressFieldProps {
  form: UseFormReturn<WithdrawalFields>;
  known: Known;
}

export function AddressField({ form, known }: AddressFieldProps) {
  const [chain, address] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const paste = takeApart(address);
  const error = form.formState.errors.address?.message;
  const place = { chain: chain.trim(), address };
  const alike = address === '' || place.chain === '' ? [] : mistakenFor(known.known, place);
  const isBlocked = alike.length > 0;
  // Said at once, and taken back at once when the address book, of another tab perhaps, lets it pass.
  const { trigger } = form;
  useEffect(() => {
    if (isBlocked) void trigger('address');
    return () => {
      if (isBlocked) void trigger('address');
    };
  }, [isBlocked, trigger]);
  return (
    <div className="grid gap-2">
      <Field label="Destination address" error={error}>
        {(control) => (
          <textarea
            {...form.register('address')}
            {...control}
            className={`${inputClass} in-mono`}
            rows={2}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onKeyDown={submitByEnter}
          />
        )}
      </Field>
      {paste.kind === 'uri' && <PastedLink paste={paste} form={form} />}
      {isBlocked && <LookAlike place={place} alike={alike} list={known.list} form={form} />}
      {paste.kind === 'plain' && address !== '' && error === undefined && !isBlocked && (
        <AddressNotes place={place} known={known} />
      )}
    </div>
  );
}
