import { type FormEvent, useState } from 'react';
import { compareAmounts } from '#src/shared/amount.ts';
import { plainAmount } from '#src/shared/classifyQuery.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { TextField } from '#src/web/ui/Field.tsx';
import { useCloseFilter } from './FilterControl.tsx';
import type { RangeProps } from './listFilters.tsx';

const AMOUNT = { inputMode: 'decimal', maxLength: 100 } as const;

export function AmountForm({ filters, change }: RangeProps) {
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
        <TextField label="At least" text={least} onText={setLeast} error={wrong.least} {...AMOUNT} />
        <TextField label="At most" text={most} onText={setMost} error={wrong.most} {...AMOUNT} />
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
