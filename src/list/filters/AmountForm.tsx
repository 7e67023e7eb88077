import { type FormEvent, useState } from 'react';
import { compareAmounts } from '#src/lib/amount.ts';
import { plainAmount } from '#src/lib/amountQuery.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import type { AmountFilterProps } from './AmountFilter.tsx';
import { useCloseFilter } from './FilterControl.tsx';

/** The least and the most amount, as people write amounts. */
export function AmountForm({ filters, change }: AmountFilterProps) {
  const close = useCloseFilter();
  const [least, setLeast] = useState(filters.min_amount ?? '');
  const [most, setMost] = useState(filters.max_amount ?? '');
  const [wrong, setWrong] = useState<{ least?: string; most?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [plainAmount(least.trim()), plainAmount(most.trim())];
    const faults = {
      ...(least.trim() !== '' && from === null && { least: 'Enter an amount, e.g. 0.5 or 1,250.' }),
      ...(most.trim() !== '' && to === null && { most: 'Enter an amount, e.g. 0.5 or 1,250.' }),
      ...(from !== null && to !== null && compareAmounts(from, to) > 0 && { most: 'Less than the lower amount.' }),
    };
    setWrong(faults);
    if (faults.least !== undefined || faults.most !== undefined) return;
    change({ min_amount: from ?? undefined, max_amount: to ?? undefined });
    close();
  };
  return (
    <form onSubmit={submit} className="contents" noValidate>
      <div className="grid grid-cols-2 gap-2">
        <AmountField label="At least" text={least} onText={setLeast} error={wrong.least} />
        <AmountField label="At most" text={most} onText={setMost} error={wrong.most} />
      </div>
      <p className="help">In the asset of each row. It is searched for in the rows that are loaded.</p>
      <div className="acts-row">
        <Button type="submit" size="small">
          Apply amount
        </Button>
      </div>
    </form>
  );
}

interface AmountFieldProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  error: string | undefined;
}

function AmountField({ label, text, onText, error }: AmountFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          className={inputClass}
          value={text}
          inputMode="decimal"
          autoComplete="off"
          maxLength={100}
          onChange={({ target }) => onText(target.value)}
        />
      )}
    </Field>
  );
}
