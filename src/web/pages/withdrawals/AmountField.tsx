import { visibleCode } from '#src/shared/text.ts';
import { useWatch } from 'react-hook-form';
import { isPositive } from '#src/shared/amount.ts';
import { readBack, typedAmount } from '#src/shared/typedAmount.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { FormAmount } from '#src/web/send/FormFields.tsx';
import { AsOf } from '#src/web/send/PaymentReadBack.tsx';
import { type AssetBalance, isMoreThan } from '#src/web/send/useAssetBalance.ts';
import { fill, type WithdrawalForm } from './withdrawalForm.ts';

interface AmountFieldProps {
  form: WithdrawalForm;
  balance: AssetBalance;
}

export function AmountField({ form, balance }: AmountFieldProps) {
  const [amount, asset] = useWatch({ control: form.control, name: ['amount', 'asset'] });
  const available = balance.balance?.available;
  const code = asset.trim();
  const typed = typedAmount(amount);
  const isMore = typed.ok && isMoreThan(typed.amount, available);
  return (
    <FormAmount
      control={form.control}
      name="amount"
      suffix={visibleCode(code)}
      warning={
        isMore ? (
          <>
            More than you have available (<Amount value={available} asset={code} flow />
            ).
          </>
        ) : undefined
      }
      help={<Available form={form} balance={balance} amount={amount} />}
    />
  );
}

function Available({ form, balance, amount }: AmountFieldProps & { amount: string }) {
  const { available } = balance.balance ?? {};
  const plainly = readBack(amount);
  return (
    <>
      {plainly !== null && <b className="mr-2">= {plainly}</b>} {balance.failed && 'Your balance couldn’t be loaded.'}
      {balance.balance && (
        <>
          Available <Amount value={available} asset={balance.balance.asset} flow /> <AsOf {...balance} />{' '}
          {isPositive(available) && (
            <Button size="small" className="ml-1" onClick={() => fill(form, 'amount', available)}>
              Max
            </Button>
          )}
        </>
      )}
    </>
  );
}
