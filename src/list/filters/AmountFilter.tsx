import { formatAmount } from '#src/lib/amount.ts';
import { useLoaded } from '#src/ui/useLoaded.ts';
import { FilterControl } from './FilterControl.tsx';
import type { ControlProps } from './filterTable.ts';
import type { PageFilters } from './listFilters.tsx';

export type AmountFilterProps = Pick<ControlProps<PageFilters, string>, 'filters' | 'change'>;

const ANY = { min_amount: undefined, max_amount: undefined };

/** From an amount to another, whatever the asset. */
export function AmountFilter({ filters, change }: AmountFilterProps) {
  const value = rangeWords(filters);
  return (
    <FilterControl label="Amount" value={value} set={value !== 'any'} onClear={() => change(ANY)}>
      <Form key={value} filters={filters} change={change} />
    </FilterControl>
  );
}

function rangeWords({ min_amount: least, max_amount: most }: Partial<PageFilters>): string {
  if (least === undefined) return most === undefined ? 'any' : `up to ${formatAmount(most)}`;
  if (most === undefined) return `from ${formatAmount(least)}`;
  return least === most ? formatAmount(least) : `${formatAmount(least)} – ${formatAmount(most)}`;
}

const loadForm = () => import('./AmountForm.tsx');

function Form(props: AmountFilterProps) {
  const { value } = useLoaded(loadForm);
  return value && <value.AmountForm {...props} />;
}
