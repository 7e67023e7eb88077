import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import { createSwap, type Swap } from '#src/api/sandboxControls.ts';
import { amountField, assetRule, ruledName } from '#src/lib/fieldRules.ts';
import { paths } from '#src/lib/paths.ts';
import { FormCombobox } from '#src/list/sending/FormFields.tsx';
import { schemaResolver } from '#src/list/sending/schemaResolver.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { AssetAmount } from './AssetAmount.tsx';
import { SAMPLES } from './NewDeposit.tsx';
import type { SandboxAccount } from './sandboxAccount.ts';
import { Outcome, useControl } from './useControl.tsx';

const HELD = SAMPLES.map(({ asset }) => ({ value: asset }));

/** Value moves between two balances, with no transaction on a chain. */
export function SwapForm({ owner }: { owner: SandboxAccount }) {
  const control = useControl(owner.account);
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
      await createSwap(owner.sandbox, swap);
      return (
        <>
          <Amount value={swap.from_amount} asset={swap.from} flow /> became{' '}
          <Amount value={swap.to_amount} asset={swap.to} flow />.{' '}
          <Link to={paths.ledger(new URLSearchParams({ asset: swap.to }))}>Open the ledger</Link>
        </>
      );
    });
  return (
    <form className="form gap-3" noValidate onSubmit={(event) => void form.handleSubmit(create)(event)}>
      <Side form={form} side="from" label="From" />
      <Side form={form} side="to" label="To" />
      <div className="acts-row">
        <Button type="submit" disabledReason={control.busy ? 'Creating…' : undefined} reasonHidden>
          Create swap
        </Button>
      </div>
      <Outcome of={control} />
    </form>
  );
}

interface SideProps {
  form: ReturnType<typeof useForm<Swap>>;
  side: 'from' | 'to';
  label: string;
}

function Side({ form, side, label }: SideProps) {
  const asset = useWatch({ control: form.control, name: side });
  const amount = `${side}_amount` as const;
  return (
    <div className="grid grid-cols-2 gap-3">
      <FormCombobox label={`${label} asset`} control={form.control} name={side} required options={HELD} />
      <AssetAmount
        label={`${label} amount`}
        error={form.formState.errors[amount]?.message}
        field={form.register(amount)}
        asset={asset}
      />
    </div>
  );
}
