import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { balanceQueries } from '#src/web/api/balances.ts';
import { describeError, outcomeUnknown } from '#src/web/api/errors.ts';
import { type KnownRecipient, useRecipients, useRecipientsNow } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeamChange, EditConflictError } from '#src/web/api/team.ts';
import { type Recipient, recipientId, type TeamItem } from '#src/shared/contract/teamContract.ts';
import { type ChainAddress, addressKey } from '#src/shared/chains/lookAlike.ts';
import { tokenContractWarning } from '#src/shared/chains/tokenContracts.ts';
import { atMost, chainRule, recipientNameRule, ruledLater, ruledName, type Ruling } from '#src/shared/fieldRules.ts';
import { defaultAssetRule, recipientAddressRule } from '#src/shared/recipientRules.ts';
import { assetOption, chainChoices } from '#src/web/list/chainChoices.ts';
import {
  FormAddress,
  FormCombobox,
  FormText,
  focusField,
  recheckAddress,
  useSubmit,
  schemaResolver,
} from '#src/web/send/FormFields.tsx';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import type { KnownAddress } from '#src/shared/operations/knownAddresses.ts';
import { searchForm } from '#src/shared/text.ts';
import { AddressDiff } from '#src/web/ui/AddressDiff.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { UntrustedText, GroupedAddress } from '#src/web/ui/UntrustedText.tsx';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';

interface RecipientFormProps {
  history: AddressHistory;
  rows: readonly Record<string, unknown>[];
  draft: ChainAddress & { name: string };
  /** Key of the draft of a new recipient. */
  draftKey: string;
  entry: KnownRecipient | null;
  /** `saved`: the saved name, or null if cancelled. */
  onClose: (saved: string | null) => void;
}

const CHANGEABLE = ['name', 'asset', 'reference', 'note'] as const;
type Fields = Record<'name' | 'chain' | 'address' | 'asset' | 'reference' | 'note', string>;

/**
 * Saves a recipient. Its address is checked as in a withdrawal, and compared in full if it looks like a known one. The
 * address of a saved recipient cannot change.
 */
export function RecipientForm(props: RecipientFormProps) {
  const { history, rows, entry } = props;
  const headingId = useId();
  const { form, submit, error, close, place, lookAlikes, comparison } = useRecipientForm(props);
  const isShownInGroups = entry === null && place.address !== '' && form.formState.errors.address === undefined;
  return (
    <section className="grid gap-3" aria-labelledby={headingId}>
      <h2 id={headingId}>{entry ? 'Edit recipient' : 'New recipient'}</h2>
      <form className="form max-w-measure border border-rule bg-inset p-4" noValidate onSubmit={submit}>
        <RecipientInputs form={form} rows={rows} entry={entry} isOwnDeposit={history.ownDeposit(place) !== null} />
        {lookAlikes.length > 0 ? (
          <LookAlikes place={place} addresses={lookAlikes} comparison={comparison} />
        ) : (
          isShownInGroups && (
            <div className="[&_.chunks]:text-small">
              <GroupedAddress value={place.address} />
            </div>
          )
        )}
        {entry && error && <TeamProblem error={error} heading="The recipient was not changed" theirs={CHANGEABLE} />}
        <div className="acts-row">
          <Button type="submit" variant="primary">
            Save recipient
          </Button>
          <Button variant="quiet" onClick={() => close(null)}>
            Cancel
          </Button>
        </div>
      </form>
    </section>
  );
}

interface RecipientInputsProps extends Pick<RecipientFormProps, 'rows' | 'entry'> {
  form: UseFormReturn<Fields>;
  isOwnDeposit: boolean;
}

function RecipientInputs({ form, rows, entry, isOwnDeposit }: RecipientInputsProps) {
  const { control } = form;
  const { account } = useSession();
  const { entries } = useRecipients();
  const { data } = useQuery(balanceQueries.list(account));
  const balances = data?.balances ?? [];
  const [name, chain, address] = useWatch({ control, name: ['name', 'chain', 'address'] });
  const sameName = entries.some((each) => each.id !== entry?.id && searchForm(each.name) === searchForm(name.trim()));
  const place = { chain: chain.trim(), address: address.trim() };
  return (
    <>
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormText
          label="Name"
          control={control}
          name="name"
          required
          warning={sameName ? 'Another address has this name.' : undefined}
        />
        <FormCombobox
          label="Chain"
          control={control}
          name="chain"
          required
          options={chainChoices(rows, '').options}
          readOnly={entry !== null}
          onLeave={() => recheckAddress(form)}
        />
      </div>
      <FormAddress
        label="Address"
        control={control}
        name="address"
        readOnly={entry !== null}
        warning={
          isOwnDeposit ? 'This is your own deposit address.' : (tokenContractWarning(place, balances) ?? undefined)
        }
      />
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormCombobox
          label="Default asset"
          hint="(optional)"
          control={control}
          name="asset"
          options={balances.map(({ asset }) => assetOption(asset))}
        />
        <FormText label="Reference" hint="(optional)" control={control} name="reference" />
      </div>
      <FormText label="Note" hint="(optional)" control={control} name="note" />
    </>
  );
}

/** The form's fields, the comparison of look-alike addresses, and saving. */
function useRecipientForm({ history, draft, draftKey, entry, onClose }: RecipientFormProps) {
  const { mutateAsync, error } = useTeamChange('recipients');
  // The version this form started from: a colleague may change the recipient meanwhile.
  const [revision, setRevision] = useState(entry?.revision ?? 0);
  const form = useRecipientFields({ draft, draftKey, entry });
  const [chain, typed] = useWatch({ control: form.control, name: ['chain', 'address'] });
  const { dirtyFields } = form.formState;
  const close = (saved: string | null) => {
    if (entry === null) forgetDraft(draftKey);
    onClose(saved);
  };
  const place = { chain: chain.trim(), address: typed.trim() };
  const lookAlikes = entry || place.address === '' || place.chain === '' ? [] : history.known.lookAlikes(place);
  useLayoutEffect(() => focusField('name'), []);
  const comparison = useComparison(addressKey(place));
  const submit = useSubmit(form, async (value) => {
    const looksKnown = entry === null && (await history.settled()).lookAlikes(value).length > 0;
    if (!comparison.allows(looksKnown)) return;
    try {
      await mutateAsync({ id: entry?.id ?? recipientId(value), value, revision });
      close(value.name);
    } catch (failure) {
      if (entry === null) form.setError('address', { message: problemOf(failure) });
      else if (failure instanceof EditConflictError) {
        // The error shows the colleague's version. Unchanged fields take it over; saving again replaces the rest.
        const theirs: TeamItem<Recipient> | null = failure.item;
        for (const field of CHANGEABLE)
          if (theirs && !dirtyFields[field]) form.setValue(field, theirs.value[field] ?? '');
        setRevision(theirs?.revision ?? 0);
      }
    }
  });
  return { form, submit, error, close, place, lookAlikes, comparison };
}

/** The fields with their rules. Text typed for a new recipient is kept as a draft. */
function useRecipientFields({ draft, draftKey, entry }: Pick<RecipientFormProps, 'draft' | 'draftKey' | 'entry'>) {
  const recipientsNow = useRecipientsNow();
  const isNew = async (chain: string, address: string): Promise<Ruling> => {
    const ruling = await recipientAddressRule(chain, address);
    const there = recipientsNow().find((each) => addressKey(each) === addressKey({ chain, address }));
    return ruling !== true || entry || there === undefined ? ruling : `Already saved as “${there.name}”.`;
  };
  const [typedBefore] = useState(() => (entry ? undefined : readDraft(draftKey)?.values));
  const form = useForm<Fields>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: {
      name: draft.name,
      chain: draft.chain,
      address: draft.address,
      asset: entry?.asset ?? '',
      reference: entry?.reference ?? '',
      note: entry?.note ?? '',
      ...typedBefore,
    },
    resolver: schemaResolver(({ chain }) => ({
      name: ruledName(recipientNameRule),
      chain: ruledName(chainRule),
      address: ruledLater((address) => isNew(chain, address)),
      asset: ruledName(defaultAssetRule),
      reference: atMost(200),
      note: atMost(2_000),
    })),
  });
  const { subscribe } = form;
  useEffect(() => {
    if (entry !== null) return undefined;
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keepDraft(draftKey, { entry: '', values }),
    });
  }, [subscribe, entry, draftKey]);
  return form;
}

/** Whether the person has compared this address with those that it looks like. A changed address must be compared again. */
function useComparison(address: string) {
  const [compared, setCompared] = useState<string | null>(null);
  const isCompared = compared === address;
  const [isMissing, setMissing] = useState(false);
  return {
    isCompared,
    /** Shown beside the missing confirmation. */
    error: isMissing && !isCompared ? 'Compare the addresses first, and say so.' : undefined,
    confirm: (done: boolean) => {
      setCompared(done ? address : null);
      setMissing(false);
    },
    /** Whether the address may be saved. `isNeeded`: it looks like a known address. */
    allows: (isNeeded: boolean): boolean => {
      setMissing(isNeeded && !isCompared);
      return !isNeeded || isCompared;
    },
  };
}

function problemOf(error: unknown): string {
  if (error instanceof EditConflictError) return 'A colleague saved this address meanwhile.';
  const { message } = describeError(error);
  if (outcomeUnknown(error))
    return `${message} We don’t know whether this was saved. Save again: it is saved only once.`;
  return `It was not saved. ${message}`;
}

interface LookAlikesProps {
  place: ChainAddress;
  addresses: readonly KnownAddress[];
  comparison: ReturnType<typeof useComparison>;
}

/** The known addresses that this one looks like, in full. The person has to confirm that they compared them. */
function LookAlikes({ place, addresses, comparison }: LookAlikesProps) {
  const errorId = useId();
  const { isCompared, confirm, error } = comparison;
  return (
    <Notice tone="alarm" live title="Possible address poisoning.">
      Scammers create addresses with the same first and last characters. Ask the recipient, by another channel than the
      one this address came by.
      {addresses.map((address) => (
        <AddressDiff
          key={addressKey(address)}
          one={{ ...place, label: 'New' }}
          other={{ ...address, label: <AddressOwner address={address} /> }}
        />
      ))}
      <Check
        isChecked={isCompared}
        onChange={confirm}
        describedBy={error ? errorId : undefined}
        isInvalid={error !== undefined}
      >
        I compared all {place.address.length} characters with what the recipient told me, not with an earlier payment.
      </Check>
      {error && (
        <p className="msg msg-alarm" id={errorId} role="alert">
          {error}
        </p>
      )}
    </Notice>
  );
}

function AddressOwner({ address: { name } }: { address: KnownAddress }) {
  return name === null ? <>Paid before</> : <UntrustedText value={name} max={80} />;
}
