import { type FormEvent, useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import type { WithdrawalFields } from '#src/operations/body.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { AddressField } from './AddressField.tsx';
import { AmountField } from './AmountField.tsx';
import { AssetAndChain } from './AssetAndChain.tsx';
import { BalanceAside } from './BalanceAside.tsx';
import { EMPTY } from './formValues.ts';
import { useSeen } from './seen.ts';
import { useAssetBalance } from './useAssetBalance.ts';

interface FormStepProps {
  form: UseFormReturn<WithdrawalFields>;
  account: string;
  onReview: (values: WithdrawalFields) => void;
}

export function FormStep({ form, account, onReview }: FormStepProps) {
  const asset = useWatch({ control: form.control, name: 'asset' }).trim();
  const balance = useAssetBalance(account, asset);
  const seen = useSeen(account, asset);
  const { errors } = form.formState;
  const problems = [errors.asset, errors.chain, errors.amount, errors.address]
    .flatMap((error) => (error?.message === undefined ? [] : [error.message]))
    .join(' ');
  useEffect(() => {
    if (problems !== '') announce(problems);
  }, [problems]);
  const checking = useRef(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Enter held down: one review, not one for each repeat that waited for the address check.
    if (checking.current) return;
    checking.current = true;
    void form
      .handleSubmit(onReview)(event)
      .finally(() => {
        checking.current = false;
      });
  };
  return (
    <div className="cols">
      <form className="form" noValidate onSubmit={submit}>
        <AssetAndChain form={form} balance={balance} seen={seen} />
        <AmountField form={form} balance={balance} />
        <AddressField form={form} seen={seen} />
        <div className="form-end">
          <Button variant="primary" type="submit">
            Review withdrawal
          </Button>
          <Button variant="quiet" onClick={() => form.reset(EMPTY)}>
            Clear
          </Button>
          <span className="dim small">Nothing is recorded or sent until you send.</span>
        </div>
      </form>
      <BalanceAside asset={asset} balance={balance} />
    </div>
  );
}
