import { type FormEvent, useState } from 'react';
import { compareAmounts } from '#src/shared/amount.ts';
import { plainAmount } from '#src/shared/classifyQuery.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { TextField } from '#src/web/ui/Field.tsx';
import { useCloseFilter } from './FilterControl.tsx';
import type { RangeProps } from './filterProps.ts';

const AMOUNT = { inputMode: 'decimal', maxLength: 100 } as const;

export function AmountForm({ filters, change }: RangeProps) {
  const close = useCloseFilter();
  const [lower, setLower] = useState(filters.min_amount ?? '');
  const [upper, setUpper] = useState(filters.max_amount ?? '');
  const [errors, setErrors] = useState<{ lower?: string; upper?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [plainAmount(lower.trim()), plainAmount(upper.trim())];
    const nextErrors = {
      ...(lower.trim() !== '' && from === null && { lower: 'Enter an amount, e.g. 0.5 or 1,250.' }),
      ...(upper.trim() !== '' && to === null && { upper: 'Enter an amount, e.g. 0.5 or 1,250.' }),
      ...(from !== null && to !== null && compareAmounts(from, to) > 0 && { upper: 'Less than the lower amount.' }),
    };
    setErrors(nextErrors);
    if (nextErrors.lower !== undefined || nextErrors.upper !== undefined) return;
    change({ min_amount: from ?? undefined, max_amount: to ?? undefined });
    close();
  };
  return (
    <form onSubmit={submit} className="contents" noValidate>
      <div className="grid grid-cols-2 gap-2">
        <TextField label="At least" text={lower} onText={setLower} error={errors.lower} {...AMOUNT} />
        <TextField label="At most" text={upper} onText={setUpper} error={errors.upper} {...AMOUNT} />
      </div>
      <p className="help">Compared in each row’s own asset, in the loaded rows.</p>
      <div className="acts-row">
        <Button type="submit" size="small">
          Apply amount
        </Button>
      </div>
    </form>
  );
}
