import { useWatch } from 'react-hook-form';
import { isAmount, isNegative, isZero } from '#src/lib/amount.ts';
import { compare } from '#src/lib/money.ts';
import { age } from '#src/lib/time.ts';
import { readBack, typedAmount } from '#src/lib/typedAmount.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import type { AssetBalance } from './useAssetBalance.ts';
import { CHOSEN, type WithdrawalForm } from './withdrawalForm.ts';

interface AmountFieldProps {
  form: WithdrawalForm;
  balance: AssetBalance;
}

/** A suffix longer than this would cover what is typed. */
const LONGEST_SUFFIX = 6;

/** Text, never a number: what it reads as is what is sent, or it is refused with the reason. */
export function AmountField({ form, balance }: AmountFieldProps) {
  const [amount, asset] = useWatch({ control: form.control, name: ['amount', 'asset'] });
  const available = balance.balance?.available;
  const code = asset.trim();
  return (
    <Field
      label="Amount"
      required
      error={form.formState.errors.amount?.message}
      warning={
        isMore(amount, available) ? (
          <>
            More than your available balance (<Amount value={available} asset={code} flow />
            ). It will probably be refused.
          </>
        ) : undefined
      }
      help={<Available form={form} balance={balance} amount={amount} />}
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
  const typed = typedAmount(amount);
  return typed.ok && isAmount(available) && compare(typed.amount, available) > 0;
}

function Available({ form, balance, amount }: AmountFieldProps & { amount: string }) {
  const { available } = balance.balance ?? {};
  const usable = isAmount(available) && !isZero(available) && !isNegative(available);
  const plainly = readBack(amount);
  return (
    <>
      {plainly !== null && <b className="mr-3">= {plainly}</b>}
      {balance.failed && 'Your balance couldn’t be loaded.'}
      {balance.balance && (
        <>
          Available <Amount value={available} asset={balance.balance.asset} flow /> <AsOf {...balance} />{' '}
          {usable && (
            <Button size="small" onClick={() => form.setValue('amount', available, CHOSEN)}>
              Max
            </Button>
          )}
        </>
      )}
    </>
  );
}

/** "as of 21 Nov 14:01:47 UTC, 1 min ago": when a balance was loaded. */
export function AsOf({ at, readAt }: Pick<AssetBalance, 'at' | 'readAt'>) {
  const zone = useZone();
  const now = useNow(10);
  if (at === null || readAt === null) return null;
  return (
    <span>
      as of <Time unix={at} />
      {zone === 'utc' && ' UTC'}, {age(readAt, Math.max(now, readAt))}
    </span>
  );
}
