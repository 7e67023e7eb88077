import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { describeError } from '#src/api/errors.ts';
import { useRecipients, useRecipientsNow } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { useTeamChange } from '#src/api/team.ts';
import { MovedOn } from '#src/api/teamItems.ts';
import { recipientId } from '#src/api/teamContract.ts';
import { addressRule } from '#src/lib/chains/addressRule.ts';
import { type Place, placeKey } from '#src/lib/chains/lookAlike.ts';
import { chainRule, recipientNameRule } from '#src/lib/fieldRules.ts';
import { chainChoices } from '#src/list/chainChoices.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { Button } from '#src/ui/Button.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { Field, inputClass, submitByEnter } from '#src/ui/Field.tsx';
import { SuggestField } from '#src/ui/SuggestField.tsx';
import { LookAlikes } from './LookAlikes.tsx';

interface AddFormProps {
  session: Session;
  known: Known;
  rows: readonly Record<string, unknown>[];
  draft: Place & { name: string };
  /** With the name that was added, or null. */
  onClose: (added: string | null) => void;
}

interface Fields {
  name: string;
  chain: string;
  address: string;
  reference: string;
  note: string;
}

/** Names an address: checked as a withdrawal's is, and compared in full where it looks like a known one. */
export function AddForm({ session, known, rows, draft, onClose }: AddFormProps) {
  const { account } = session;
  const headingId = useId();
  const { entries } = useRecipients(account);
  const recipientsNow = useRecipientsNow(account);
  const { mutateAsync } = useTeamChange(account, 'recipients');
  const form = useForm<Fields>({ mode: 'onTouched', defaultValues: { reference: '', note: '', ...draft } });
  const [name, chain, address] = useWatch({ control: form.control, name: ['name', 'chain', 'address'] });
  const { errors } = form.formState;
  const place = { chain: chain.trim(), address };
  const alike = address === '' || place.chain === '' ? [] : known.known.lookAlikes(place);
  const own = known.ownDeposit(place);
  const problems = Object.values(errors)
    .flatMap(({ message }) => message ?? [])
    .join(' ');
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  // Which address was compared: not the next one that is typed.
  const [compared, setCompared] = useState<string | null>(null);
  const isCompared = compared === placeKey(place);
  const [notCompared, setNotCompared] = useState(false);
  const checkAddress = async (text: string, values: Fields) => {
    const ruling = await addressRule(values.chain, text, 'Copy the address alone.');
    if (ruling !== true) return ruling;
    const key = placeKey({ chain: values.chain, address: text });
    const there = recipientsNow().find((entry) => placeKey(entry) === key);
    return there ? `Already in the address book as “${there.name}”.` : true;
  };
  const saving = useRef(false);
  const save = async (values: Fields) => {
    const { name: typed, address: to, reference, note } = values;
    const entry = { name: typed.trim(), chain: values.chain.trim(), address: to, asset: '', reference, note };
    const looksKnown = (await known.settled()).lookAlikes(entry).length > 0;
    setNotCompared(looksKnown && !isCompared);
    if (looksKnown && !isCompared) return;
    try {
      await mutateAsync({ id: recipientId(entry), value: entry, revision: 0 });
      onClose(entry.name);
    } catch (error) {
      form.setError('address', { message: problemOf(error) });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (saving.current) return;
    saving.current = true;
    void form
      .handleSubmit(save)(event)
      .finally(() => {
        saving.current = false;
      });
  };
  const sameName = entries.some((entry) => entry.name.toLowerCase() === name.trim().toLowerCase());
  const recheck = () => {
    if (form.getValues('address') !== '') void form.trigger('address');
  };
  return (
    <section className="grid gap-3" aria-labelledby={headingId}>
      <h2 id={headingId}>Add an address</h2>
      <p aria-live="polite" className="vh">
        {problems}
      </p>
      <form className="form max-w-measure border border-rule bg-inset p-4" noValidate onSubmit={submit}>
        <div className="grid grid-cols-2 gap-4">
          <Field
            label="Name"
            error={errors.name?.message}
            warning={sameName ? 'Another address has this name.' : undefined}
          >
            {(control) => (
              <input
                {...form.register('name', { validate: recipientNameRule })}
                {...control}
                className={inputClass}
                autoComplete="off"
              />
            )}
          </Field>
          <SuggestField
            label="Chain"
            error={errors.chain?.message}
            suggestions={chainChoices(rows, '')}
            input={form.register('chain', { validate: chainRule, onBlur: recheck })}
          />
        </div>
        <Field
          label="Address"
          error={errors.address?.message}
          warning={own ? 'This is one of this account’s own deposit addresses.' : undefined}
        >
          {(control) => (
            <textarea
              {...form.register('address', { validate: checkAddress })}
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
        <div className="grid grid-cols-2 gap-4">
          <Field label="Reference" hint="(optional)" error={errors.reference?.message}>
            {(control) => (
              <input
                {...form.register('reference', { maxLength: { value: 200, message: 'Use 200 characters or fewer.' } })}
                {...control}
                className={inputClass}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Note" hint="(optional)" error={errors.note?.message}>
            {(control) => (
              <input
                {...form.register('note', { maxLength: { value: 2_000, message: 'Use 2,000 characters or fewer.' } })}
                {...control}
                className={inputClass}
                autoComplete="off"
              />
            )}
          </Field>
        </div>
        {alike.length > 0 ? (
          <LookAlikes
            place={place}
            alike={alike}
            compared={isCompared}
            onCompared={(done) => {
              setCompared(done ? placeKey(place) : null);
              setNotCompared(false);
            }}
            error={notCompared && !isCompared ? 'Compare the addresses first, and say so.' : undefined}
          />
        ) : (
          address !== '' && errors.address === undefined && <GroupedAddress value={address} />
        )}
        <div className="acts-row">
          <Button type="submit" variant="primary">
            Add to the address book
          </Button>
          <Button variant="quiet" onClick={() => onClose(null)}>
            Cancel
          </Button>
        </div>
      </form>
    </section>
  );
}

function problemOf(error: unknown): string {
  if (!(error instanceof MovedOn)) return `It was not added. ${describeError(error).message}`;
  return 'A colleague added this address meanwhile. It is in the address book.';
}
