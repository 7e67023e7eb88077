import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import * as v from 'valibot';
import { receiveDeposit } from '#src/api/sandboxControls.ts';
import { amountField, assetRule, chainRule, ruledName } from '#src/lib/fieldRules.ts';
import { paths } from '#src/lib/paths.ts';
import { FormCombobox } from '#src/list/sending/FormFields.tsx';
import { schemaResolver } from '#src/list/sending/schemaResolver.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { SelectField } from '#src/ui/SelectField.tsx';
import { AssetAmount } from './AssetAmount.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Outcome, useControl } from './useControl.tsx';

type Sample = Record<'asset' | 'chain' | 'amount', string>;
type Fields = Record<keyof Sample | 'status', string>;

/** One for each asset of a seeded account. */
export const SAMPLES: readonly [Sample, ...Sample[]] = [
  { asset: 'BTC', chain: 'bitcoin', amount: '0.015' },
  { asset: 'ETH', chain: 'ethereum', amount: '0.6' },
  { asset: 'USDT', chain: 'tron', amount: '250' },
  { asset: 'SOL', chain: 'solana', amount: '9' },
  { asset: 'LTC', chain: 'litecoin', amount: '7' },
  { asset: 'USDC', chain: 'polygon', amount: '450' },
  { asset: 'DOGE', chain: 'dogecoin', amount: '2400' },
];
const STATUSES = [
  { value: 'pending', label: 'Pending', help: 'Not confirmed on its chain yet: its funds are pending.' },
  { value: 'completed', label: 'Completed', help: 'Its funds are available at once.' },
  { value: 'failed', label: 'Failed', help: 'It came to nothing.' },
  { value: 'under_review', label: 'under_review', help: 'A status that is not documented.' },
] as const;

/** A customer pays: a deposit as a person wants it. */
export function NewDeposit({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
  const form = useForm<Fields>({
    mode: 'onTouched',
    defaultValues: { ...SAMPLES[0], status: 'pending' },
    resolver: schemaResolver<Fields>(() => ({
      asset: ruledName(assetRule),
      chain: ruledName(chainRule),
      amount: amountField,
      status: v.string(),
    })),
  });
  const [asset, status] = useWatch({ control: form.control, name: ['asset', 'status'] });
  const { errors } = form.formState;
  const takeSample = () => {
    const sample = SAMPLES.find((known) => known.asset === form.getValues('asset').trim());
    if (!sample) return;
    form.setValue('chain', sample.chain, { shouldValidate: true });
    form.setValue('amount', sample.amount, { shouldValidate: true });
  };
  const create = (arrival: Fields) =>
    control.run(async () => {
      const { id } = await receiveDeposit(owner.sandbox, arrival);
      return (
        <>
          A deposit of <Amount value={arrival.amount} asset={arrival.asset} flow /> arrived, {arrival.status}.{' '}
          <Link to={paths.deposit(id)}>Open the deposit</Link>
        </>
      );
    });
  return (
    <form className="form gap-3" noValidate onSubmit={(event) => void form.handleSubmit(create)(event)}>
      <div className="grid grid-cols-2 gap-3">
        <FormCombobox
          label="Asset"
          control={form.control}
          name="asset"
          required
          options={SAMPLES.map((sample) => ({ value: sample.asset }))}
          onChanged={takeSample}
        />
        <FormCombobox
          label="Chain"
          control={form.control}
          name="chain"
          required
          options={SAMPLES.map((sample) => ({ value: sample.chain }))}
        />
      </div>
      <div className="grid grid-cols-2 gap-3">
        <AssetAmount label="Amount" error={errors.amount?.message} field={form.register('amount')} asset={asset} />
        <SelectField
          label="Status"
          help={STATUSES.find(({ value }) => value === status)?.help}
          value={status}
          options={STATUSES}
          onChange={(next) => form.setValue('status', next)}
        />
      </div>
      <div className="acts-row">
        <Button type="submit" disabledReason={control.busy ? 'Creating…' : undefined} reasonHidden>
          Create deposit
        </Button>
      </div>
      <Outcome of={control} />
    </form>
  );
}
