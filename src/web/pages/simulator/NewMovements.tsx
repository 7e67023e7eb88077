import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import * as v from 'valibot';
import { createSwap, receiveDeposit, type Swap } from '#src/web/api/sandboxControls.ts';
import { amountField, assetRule, chainRule, ruledName } from '#src/shared/fieldRules.ts';
import { paths } from '#src/shared/paths.ts';
import { FormAmount, FormCombobox, schemaResolver } from '#src/web/send/FormFields.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { ControlForm, useControl } from './control.tsx';

type Sample = Record<'asset' | 'chain' | 'amount', string>;
type Fields = Record<keyof Sample | 'status', string>;

/** One sample per asset of a seeded account. */
const SAMPLES: readonly [Sample, ...Sample[]] = [
  { asset: 'BTC', chain: 'bitcoin', amount: '0.015' },
  { asset: 'ETH', chain: 'ethereum', amount: '0.6' },
  { asset: 'USDT', chain: 'tron', amount: '250' },
  { asset: 'SOL', chain: 'solana', amount: '9' },
  { asset: 'LTC', chain: 'litecoin', amount: '7' },
  { asset: 'USDC', chain: 'polygon', amount: '450' },
  { asset: 'DOGE', chain: 'dogecoin', amount: '2400' },
];
const ASSETS = SAMPLES.map(({ asset }) => ({ value: asset }));
const CHAINS = SAMPLES.map(({ chain }) => ({ value: chain }));
const STATUSES = [
  { value: 'pending', label: 'Pending', help: 'Not confirmed on its chain yet: its funds are pending.' },
  { value: 'completed', label: 'Completed', help: 'Its funds are available at once.' },
  { value: 'failed', label: 'Failed', help: 'It wasn’t processed.' },
  { value: 'under_review', label: 'under_review', help: 'A status that is not documented.' },
] as const;

export function NewDeposit() {
  const control = useControl();
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
  const takeSample = () => {
    const sample = SAMPLES.find((known) => known.asset === form.getValues('asset').trim());
    if (!sample) return;
    form.setValue('chain', sample.chain, { shouldValidate: true });
    form.setValue('amount', sample.amount, { shouldValidate: true });
  };
  const create = (arrival: Fields) =>
    control.run(async () => {
      const { id } = await receiveDeposit(control.sandbox, arrival);
      return (
        <>
          A deposit of <Amount value={arrival.amount} asset={arrival.asset} flow /> arrived, {arrival.status}.{' '}
          <Link to={paths.deposit(id)}>Open the deposit</Link>
        </>
      );
    });
  return (
    <ControlForm of={control} onSubmit={form.handleSubmit(create)} submit="Create deposit" doing="Creating…">
      <div className={PAIR}>
        <FormCombobox
          label="Asset"
          control={form.control}
          name="asset"
          required
          options={ASSETS}
          onChanged={takeSample}
        />
        <FormCombobox label="Chain" control={form.control} name="chain" required options={CHAINS} />
      </div>
      <div className={PAIR}>
        <FormAmount control={form.control} name="amount" suffix={suffixOf(asset)} />
        <SelectField
          label="Status"
          help={STATUSES.find(({ value }) => value === status)?.help}
          value={status}
          options={STATUSES}
          onChange={(next) => form.setValue('status', next)}
        />
      </div>
    </ControlForm>
  );
}

export function NewSwap() {
  const control = useControl();
  const form = useForm<Swap>({
    mode: 'onTouched',
    defaultValues: { from: 'USDT', from_amount: '3000', to: 'ETH', to_amount: '1' },
    resolver: schemaResolver<Swap>(({ from }) => ({
      from: ruledName(assetRule),
      from_amount: amountField,
      to: ruledName((text) => (text === from.trim() ? 'Choose another asset.' : assetRule(text))),
      to_amount: amountField,
    })),
  });
  const create = (swap: Swap) =>
    control.run(async () => {
      await createSwap(control.sandbox, swap);
      return (
        <>
          <Amount value={swap.from_amount} asset={swap.from} flow /> became{' '}
          <Amount value={swap.to_amount} asset={swap.to} flow />.{' '}
          <Link to={paths.ledger(new URLSearchParams({ asset: swap.to }))}>Open the ledger</Link>
        </>
      );
    });
  const [from, to] = useWatch({ control: form.control, name: ['from', 'to'] });
  const side = (name: 'from' | 'to', label: string, asset: string) => (
    <div className={PAIR}>
      <FormCombobox label={`${label} asset`} control={form.control} name={name} required options={ASSETS} />
      <FormAmount label={`${label} amount`} control={form.control} name={`${name}_amount`} suffix={suffixOf(asset)} />
    </div>
  );
  return (
    <ControlForm of={control} onSubmit={form.handleSubmit(create)} submit="Create swap" doing="Creating…">
      {side('from', 'From', from)}
      {side('to', 'To', to)}
    </ControlForm>
  );
}

/** Amounts are left-aligned like the other fields. */
const PAIR = 'grid grid-cols-2 gap-3 [&_.affix_.in]:text-left [&_.affix_.in]:text-body';

const suffixOf = (asset: string) => asset.trim().slice(0, 6);
