import type { KeyboardEvent } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { takeApart } from '#src/lib/chains/takeApart.ts';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { AddressNotes } from './AddressNotes.tsx';
import { addressRule } from './addressRule.ts';
import { PastedLink } from './PastedLink.tsx';
import type { useSeen } from './seen.ts';

interface AddressFieldProps {
  form: UseFormReturn<WithdrawalFields>;
  seen: ReturnType<typeof useSeen>;
}

/** An address has no line breaks, so Enter does what it does in the other fields. */
function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.form?.requestSubmit();
}

export function AddressField({ form, seen }: AddressFieldProps) {
  const [chain, address] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const paste = takeApart(address);
  const error = form.formState.errors.address?.message;
  return (
    <div className="grid gap-2">
      <Field label="Destination address" error={error}>
        {(control) => (
          <textarea
            {...form.register('address', {
              validate: (text, values) => addressRule(values.chain, text),
            })}
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
      {paste.kind === 'plain' && address !== '' && error === undefined && (
        <AddressNotes chain={chain.trim()} address={address} seen={seen} />
      )}
    </div>
  );
}
