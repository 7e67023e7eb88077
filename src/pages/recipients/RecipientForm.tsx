import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import * as v from 'valibot';
import { balanceQueries } from '#src/api/balances.ts';
import { describeError } from '#src/api/errors.ts';
import { type KnownRecipient, useRecipients, useRecipientsNow } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { useTeamChange } from '#src/api/team.ts';
import { MovedOn } from '#src/api/teamItems.ts';
import { recipientId } from '#src/api/teamContract.ts';
import { addressRule } from '#src/lib/chains/addressRule.ts';
import { type Place, placeKey } from '#src/lib/chains/lookAlike.ts';
import { assetRule, chainRule, recipientNameRule, ruledName } from '#src/lib/fieldRules.ts';
import { chainChoices } from '#src/list/chainChoices.ts';
import { FormCombobox } from '#src/list/sending/FormCombobox.tsx';
import { schemaResolver } from '#src/list/sending/schemaResolver.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, type FieldProps, inputClass, submitByEnter } from '#src/ui/Field.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { LookAlikes } from './LookAlikes.tsx';
import { nameOf } from './RecipientTable.tsx';

interface RecipientFormProps {
  session: Session;
  known: Known;
  rows: readonly Record<string, unknown>[];
  draft: Place & { name: string };
  /** The recipient to be changed; null: a new one. */
  entry: KnownRecipient | null;
  /** With the name that was saved, or null. */
  onClose: (saved: string | null) => void;
}

type Fields = Record<'name' | 'chain' | 'address' | 'asset' | 'reference' | 'note', string>;

const atMost = (count: number) => v.pipe(v.string(), v.trim(), v.maxLength(count, `Use ${count} characters or fewer.`));

/**
 * Names an address: checked as a withdrawal's is, and compared in full where it looks like a known one. Of a saved one
 * the address stays: another is another recipient.
 */
export function RecipientForm({ session: { account }, known, rows, draft, entry, onClose }: RecipientFormProps) {
  const headingId = useId();
  const { entries } = useRecipients(account);
  const recipientsNow = useRecipientsNow(account);
  const { data: held } = useQuery(balanceQueries.list(account));
  const { mutateAsync, error } = useTeamChange(account, 'recipients');
  // What the person saw: a colleague may change it while they type.
  const [seen, setSeen] = useState(entry?.revision ?? 0);
  const isNew = async (chain: string, address: string): Promise<true | string> => {
    const ruling = await addressRule(chain, address, 'Copy the address alone.');
    const there = recipientsNow().find((each) => placeKey(each) === placeKey({ chain, address }));
    return ruling !== true || entry || there === undefined ? ruling : `Already saved as “${there.name}”.`;
  };
  const form = useForm<Fields>({
    mode: 'onTouched',
    defaultValues: { ...draft, asset: entry?.asset ?? '', reference: entry?.reference ?? '', note: entry?.note ?? '' },
    resolver: schemaResolver(({ chain }) => ({
      name: ruledName(recipientNameRule),
      chain: ruledName(chainRule),
      address: v.pipeAsync(
        v.string(),
        v.trim(),
        v.rawCheckAsync(async ({ dataset, addIssue }) => {
          const ruling = dataset.typed ? await isNew(chain, dataset.value) : true;
          if (ruling !== true) addIssue({ message: ruling });
        }),
      ),
      asset: ruledName((text) => text === '' || assetRule(text)),
      reference: atMost(200),
      note: atMost(2_000),
    })),
  });
  const [name, chain, typed] = useWatch({ control: form.control, name: ['name', 'chain', 'address'] });
  const { errors } = form.formState;
  const place = { chain: chain.trim(), address: typed.trim() };
  const alike = entry || place.address === '' || place.chain === '' ? [] : known.known.lookAlikes(place);
  const problems = Object.values(errors)
    .flatMap(({ message }) => message ?? [])
    .join(' ');
  useEffect(() => {
    if (problems !== '') announce(problems);
  }, [problems]);
  const { setFocus } = form;
  useEffect(() => setFocus('name'), [setFocus]);
  // Which address was compared: not the next one that is typed.
  const [compared, setCompared] = useState<string | null>(null);
  const isCompared = compared === placeKey(place);
  const [notCompared, setNotCompared] = useState(false);
  const saving = useRef(false);
  const save = async ({ name: called, chain: on, address, asset, reference, note }: Fields) => {
    const value = { name: called, chain: on, address, asset, reference, note };
    const looksKnown = entry === null && (await known.settled()).lookAlikes(value).length > 0;
    setNotCompared(looksKnown && !isCompared);
    if (looksKnown && !isCompared) return;
    try {
      await mutateAsync({ id: entry?.id ?? recipientId(value), value, revision: seen });
      onClose(called);
    } catch (failure) {
      if (entry === null) form.setError('address', { message: problemOf(failure) });
      // Told of their colleague's version, they may still save their own.
      else if (failure instanceof MovedOn) setSeen(failure.item?.revision ?? 0);
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
  const sameName = entries.some(
    (each) => each.id !== entry?.id && each.name.toLowerCase() === name.trim().toLowerCase(),
  );
  const text = (field: keyof Fields, of: Omit<FieldProps, 'children'>) => (
    <Field {...of} error={errors[field]?.message}>
      {(control) => <input {...form.register(field)} {...control} className={inputClass} autoComplete="off" />}
    </Field>
  );
  const recheck = () => {
    if (form.getValues('address') !== '') void form.trigger('address');
  };
  return (
    <section className="grid gap-3" aria-labelledby={headingId}>
      <h2 id={headingId}>{entry ? 'Edit recipient' : 'New recipient'}</h2>
      <form className="form max-w-measure border border-rule bg-inset p-4" noValidate onSubmit={submit}>
        <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
          {text('name', {
            label: 'Name',
            required: true,
            warning: sameName ? 'Another address has this name.' : undefined,
          })}
          <FormCombobox
            label="Chain"
            control={form.control}
            name="chain"
            required
            options={chainChoices(rows, '').options}
            readOnly={entry !== null}
            onLeave={recheck}
          />
        </div>
        <Field
          label="Address"
          required
          error={errors.address?.message}
          warning={known.ownDeposit(place) ? 'This is your own deposit address.' : undefined}
        >
          {(control) => (
            <textarea
              {...form.register('address')}
              {...control}
              readOnly={entry !== null}
              className={`${inputClass} in-mono`}
              rows={2}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onKeyDown={submitByEnter}
            />
          )}
        </Field>
        <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
          <FormCombobox
            label="Default asset"
            hint="(optional)"
            control={form.control}
            name="asset"
            options={(held?.balances ?? []).map(({ asset }) => ({ value: asset }))}
          />
          {text('reference', { label: 'Reference', hint: '(optional)' })}
        </div>
        {text('note', { label: 'Note', hint: '(optional)' })}
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
          entry === null &&
          place.address !== '' &&
          errors.address === undefined && (
            <div className="[&_.chunks]:text-small">
              <GroupedAddress value={place.address} />
            </div>
          )
        )}
        {entry && error && <TeamProblem error={error} heading="The recipient was not changed" theirs={nameOf} />}
        <div className="acts-row">
          <Button type="submit" variant="primary">
            Save recipient
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
  if (!(error instanceof MovedOn)) return `It was not saved. ${describeError(error).message}`;
  return 'A colleague saved this address meanwhile.';
}
