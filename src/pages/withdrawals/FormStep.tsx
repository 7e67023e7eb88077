import { type FormEvent, useEffect, useId, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useWatch } from 'react-hook-form';
import type { Session } from '#src/api/session.ts';
import { chainChoices } from '#src/list/chainChoices.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import type { Known } from '#src/list/useKnownAddresses.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { AddressField } from './AddressField.tsx';
import { AmountField } from './AmountField.tsx';
import { AssetAndChain } from './AssetAndChain.tsx';
import { BalanceAside } from './BalanceAside.tsx';
import { EMPTY } from './formValues.ts';
import { RecipientField } from './RecipientField.tsx';
import { useAssetBalance } from './useAssetBalance.ts';

interface FormStepProps {
  form: UseFormReturn<WithdrawalFields>;
  session: Session;
  known: Known;
  /** Read by lists before, to suggest chains from. */
  rows: readonly Record<string, unknown>[];
  onReview: (values: WithdrawalFields) => void;
}

/**
 * The fields scroll and the buttons below them stay where they are: whatever a field has to say while the mouse is
 * down on "Review withdrawal", the button is still under it when the mouse comes up, and the click is a click.
 */
export function FormStep({ form, session, known, rows, onReview }: FormStepProps) {
  const id = useId();
  const asset = useWatch({ control: form.control, name: 'asset' }).trim();
  const balance = useAssetBalance(session.account, asset);
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
    <>
      <div className="page-body form-body">
        <div className="pad">
          <div className="cols">
            <form className="form" id={id} noValidate onSubmit={submit}>
              <AssetAndChain form={form} balance={balance} chains={chainChoices(rows, asset)} />
              <AmountField form={form} balance={balance} />
              <RecipientField form={form} account={session.account} known={known} />
              <AddressField form={form} known={known} />
            </form>
            <BalanceAside asset={asset} balance={balance} />
          </div>
        </div>
      </div>
      <div className="form-foot">
        <Button variant="primary" type="submit" form={id}>
          Review withdrawal
        </Button>
        <Button variant="quiet" onClick={() => form.reset(EMPTY)}>
          Clear
        </Button>
      </div>
    </>
  );
}
