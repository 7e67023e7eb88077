import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useState } from 'react';
import { useController, type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { chainLabel } from '#src/shared/chains/names.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { nextDay } from '#src/shared/due/dueDates.ts';
import { dayAndDistance } from '#src/shared/due/dueWords.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { revealHidden, shorten } from '#src/shared/text.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import type { StandingPayment, StandingPaymentItem } from '#src/web/api/standingPayments.ts';
import { EditConflictError, useTeamChange } from '#src/web/api/team.ts';
import { assetOption, chainChoices } from '#src/web/list/chainChoices.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import {
  focusField,
  FormAddress,
  FormAmount,
  FormCombobox,
  FormDay,
  FormText,
  recheckAddress,
  schemaResolver,
  useSubmit,
} from '#src/web/send/FormFields.tsx';
import { forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Combobox } from '#src/web/ui/Combobox.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import {
  canBeMonthEnd,
  EMPTY,
  fieldsFor,
  MONTH_END,
  repeatChoices,
  scheduleOf,
  type StandingFields,
  standingSchemas,
} from './standingForm.ts';

interface StandingPaymentFormProps {
  /** Null for a new standing payment. */
  item: StandingPaymentItem | null;
  /** Key of the draft of a new standing payment. */
  draftKey: string;
  /** `saved`: the saved name, or null if cancelled. */
  onClose: (saved: string | null) => void;
}

type StandingForm = UseFormReturn<StandingFields>;

const FIELDS = [
  'name',
  'chain',
  'address',
  'asset',
  'amount',
  'reference',
  'first',
  'repeats',
  'monthEnd',
] as const satisfies (keyof StandingFields)[];

/** Saves the template of a payment and how often it repeats. Preparing a payment from it has all checks of a new withdrawal. */
export function StandingPaymentForm(props: StandingPaymentFormProps) {
  const { item } = props;
  const headingId = useId();
  const { form, submit, error, close } = useStandingForm(props);
  return (
    <section className="grid gap-3 pb-5" aria-labelledby={headingId}>
      <h2 id={headingId}>{item ? 'Edit standing payment' : 'New standing payment'}</h2>
      <form className="form max-w-measure border border-rule bg-inset p-4" noValidate onSubmit={submit}>
        <PaymentFields form={form} />
        <DateFields form={form} handledThrough={item?.value.handled_through ?? null} />
        {error && (
          <TeamProblem
            error={error}
            heading="The standing payment was not saved"
            theirs={['name', 'amount', 'asset', 'chain', 'address', 'reference', 'first']}
          />
        )}
        <div className="acts-row">
          <Button type="submit" variant="primary">
            Save standing payment
          </Button>
          <Button variant="quiet" onClick={() => close(null)}>
            Cancel
          </Button>
        </div>
      </form>
    </section>
  );
}

/** The form's fields, and saving. Text typed for a new standing payment is kept as a draft. */
function useStandingForm({ item, draftKey, onClose }: StandingPaymentFormProps) {
  const { mutateAsync, error } = useTeamChange('standing-payments');
  // One id per form, so that saving again after a lost response doesn't save it twice.
  const [id] = useState(() => item?.id ?? newKey());
  // The version this form started from: a colleague may change it meanwhile.
  const [base, setBase] = useState({ value: item?.value ?? null, revision: item?.revision ?? 0 });
  const today = useToday();
  const [typedBefore] = useState(() => (item ? undefined : readDraft(draftKey)?.values));
  const form = useForm<StandingFields>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: { ...(item ? fieldsFor(item.value) : { ...EMPTY, first: today }), ...typedBefore },
    resolver: schemaResolver((typed) => {
      const isUnchanged = typed.first === base.value?.first;
      return standingSchemas(typed, isUnchanged ? typed.first : today);
    }),
  });
  const { subscribe } = form;
  const { dirtyFields } = form.formState;
  useEffect(() => {
    if (item !== null) return undefined;
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keepDraft(draftKey, { entry: '', values }),
    });
  }, [subscribe, item, draftKey]);
  useLayoutEffect(() => focusField('name'), []);
  const close = (saved: string | null) => {
    if (item === null) forgetDraft(draftKey);
    onClose(saved);
  };
  const submit = useSubmit(form, async ({ repeats, monthEnd, ...typed }) => {
    const schedule = scheduleOf({ ...typed, repeats, monthEnd });
    if (schedule === null) return;
    const value: StandingPayment = { ...typed, ...schedule, handled_through: base.value?.handled_through ?? null };
    try {
      await mutateAsync({ id, value, revision: base.revision });
      close(value.name);
    } catch (failure) {
      if (!(failure instanceof EditConflictError)) return;
      // The error shows the colleague's version. Unchanged fields take it over; saving again replaces the rest.
      const theirs: StandingPaymentItem | null = failure.item;
      const fields = theirs && fieldsFor(theirs.value);
      for (const field of FIELDS) if (fields && !dirtyFields[field]) form.setValue(field, fields[field]);
      setBase({ value: theirs?.value ?? null, revision: theirs?.revision ?? 0 });
    }
  });
  return { form, submit, error, close };
}

function PaymentFields({ form }: { form: StandingForm }) {
  const { control } = form;
  const { account } = useSession();
  const { data } = useQuery(balanceQueries.list(account));
  const rows = useRowsRead();
  const asset = useWatch({ control, name: 'asset' }).trim();
  return (
    <>
      <NameField form={form} />
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormCombobox
          label="Asset"
          control={control}
          name="asset"
          required
          options={(data?.balances ?? []).map((balance) => assetOption(balance.asset))}
        />
        <FormCombobox
          label="Chain"
          control={control}
          name="chain"
          required
          options={chainChoices(rows, asset).options}
          onLeave={() => recheckAddress(form)}
        />
      </div>
      <FormAddress label="Address" control={control} name="address" />
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormAmount control={control} name="amount" suffix={asset} />
        <FormText
          label="Reference"
          hint="(optional)"
          help="Only your team sees it."
          control={control}
          name="reference"
        />
      </div>
    </>
  );
}

/** Choosing the name of a saved recipient fills in its saved data. */
function NameField({ form: { control, setValue } }: { form: StandingForm }) {
  const { field, fieldState } = useController({ control, name: 'name' });
  const { entries } = useRecipients();
  const pick = (picked: string) => {
    const entry = entries.find(({ id }) => id === picked);
    if (entry === undefined) return field.onChange(picked);
    for (const name of ['name', 'chain', 'address', 'asset', 'reference'] as const)
      if (entry[name]) setValue(name, entry[name], { shouldValidate: true, shouldDirty: true });
    return undefined;
  };
  return (
    <Combobox
      label="Name"
      help="Choose a saved recipient or type a name."
      required
      free
      name="name"
      inputRef={field.ref}
      text={field.value}
      error={fieldState.error?.message}
      onText={field.onChange}
      onPick={pick}
      onLeave={field.onBlur}
      options={entries.map(({ id, name, chain, address }) => ({
        value: id,
        label: revealHidden(name.slice(0, 120)),
        detail: (
          <>
            {chainLabel(chain)} ·{' '}
            <bdi className="mono" translate="no">
              {revealHidden(shorten(address))}
            </bdi>
          </>
        ),
      }))}
    />
  );
}

/** `handledThrough`: the last date that was prepared or skipped. */
function DateFields({ form, handledThrough }: { form: StandingForm; handledThrough: string | null }) {
  const { control, setValue, formState } = form;
  const today = useToday();
  const [first, repeats, monthEnd] = useWatch({ control, name: ['first', 'repeats', 'monthEnd'] });
  const typed = { first, repeats, monthEnd };
  const schedule = scheduleOf(typed);
  return (
    <>
      <div className="grid grid-cols-2 gap-4 narrow:grid-cols-1">
        <FormDay
          label="First date"
          control={control}
          name="first"
          required
          help={schedule === null ? undefined : `${dayAndDistance(first, today)}.`}
        />
        <SelectField
          label="Repeats"
          value={repeats}
          options={repeatChoices(typed, formState.defaultValues?.repeats ?? EMPTY.repeats)}
          onChange={(value) => setValue('repeats', value, { shouldDirty: true })}
        />
      </div>
      {canBeMonthEnd(typed) && (
        <Check
          isChecked={monthEnd === MONTH_END}
          onChange={(isChecked) => setValue('monthEnd', isChecked ? MONTH_END : '', { shouldDirty: true })}
        >
          Always on the month’s last day
        </Check>
      )}
      {schedule !== null && (
        <output className="small sub">
          {`Next dates: ${threeDays((after) => nextDay(schedule, after), handledThrough)
            .map(dayWords)
            .join(', ')}.`}
        </output>
      )}
    </>
  );
}

function threeDays(next: (after: string | null) => string, after: string | null): string[] {
  const one = next(after);
  const two = next(one);
  return [one, two, next(two)];
}
