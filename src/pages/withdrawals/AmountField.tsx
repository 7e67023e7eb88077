import { type UseFormReturn, useWatch } from 'react-hook-form';
import { isAmount, isNegative, isZero } from '#src/lib/amount.ts';
import { compare } from '#src/lib/money.ts';
import { typedAmount } from '#src/lib/typedAmount.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { AsOf } from './AsOf.tsx';
import type { AssetBalance } from './useAssetBalance.ts';

interface AmountFieldProps {
  form: UseFormReturn<WithdrawalFields>;
  balance: AssetBalance;
}

/** A suffix longer than this would cover what is typed. */
const LONGEST_SUFFIX = 6;

/** Text, never a number: what is typed is what is sent, or it is refused with the reason. */
export function AmountField({ form, balance }: AmountFieldProps) {
  const [amount, asset] = useWatch({ control: form.control, name: ['amount', 'asset'] });
  const available = balance.balance?.available;
  const code = asset.trim();
  return (
    <Field
      label="Amount"
      error={form.formState.errors.amount?.message}
      warning={
        isMore(amount, available) ? 'This is more than was available when it was read. The service decides.' : undefined
      }
      help={<Available form={form} balance={balance} />}
    >
      {(control) => (
        <span className="affix">
          <input
            {...form.register('amount')}
            {...control}
            className={inputClass}
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
          />
          {code.length <= LONGEST_SUFFIX && <span className="suffix">{code}</span>}
        </span>
      )}
    </Field>
  );
}

function isMore(amount: string, available: unknown): boolean {
  return typedAmount(amount).ok && isAmount(available) && compare(amount, available) > 0;
}

function Available({ form, balance }: AmountFieldProps) {
  const { available } = balance.balance ?? {};
  const fee = 'The fee is unknown until the service answers.';
  if (balance.failed) return <>The balance could not be read. {fee}</>;
  if (!balance.balance) return <>{fee}</>;
  const usable = isAmount(available) && !isZero(available) && !isNegative(available);
  const fill = () => {
    if (!usable) return;
    form.setValue('amount', available, { shouldValidate: true, shouldDirty: true, shouldTouch: true });
  };
  return (
    <>
      Available <Amount value={available} asset={balance.balance.asset} flow /> <AsOf {...balance} />.{' '}
      {usable && (
        <Button size="small" onClick={fill}>
          Max
        </Button>
      )}{' '}
      {fee}
    </>
  );
}
