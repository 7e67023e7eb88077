import { dateOf } from '#src/lib/time.ts';
import { useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { useLoaded } from '#src/ui/useLoaded.ts';
import { ANY_TIME, daysOfBounds, describeRange } from '#src/list/createdRange.ts';
import { FilterControl } from './FilterControl.tsx';
import type { ControlProps } from './filterTable.ts';
import { daysOfPeriod, type Period, PERIODS, shortDays } from './periods.ts';
import type { PageFilters } from './listFilters.tsx';

type CreatedFilterProps = Pick<ControlProps<PageFilters, number>, 'filters' | 'change'>;

export interface CreatedFormProps extends CreatedFilterProps {
  period: Period | undefined;
}

/** Whole days in the zone that times are read in; bounds of another kind are shown to the second. */
export function CreatedFilter({ filters, change }: CreatedFilterProps) {
  const zone = useZone();
  const words = describeRange(filters, zone);
  const period = usePeriod(filters);
  const set = filters.created_after !== undefined || filters.created_before !== undefined;
  return (
    <FilterControl
      label="Created"
      value={period === undefined ? words : PERIODS[period]}
      detail={period && shortDays(daysOfBounds(filters, zone))}
      set={set}
      onClear={() => change(ANY_TIME)}
    >
      <Form key={words} filters={filters} change={change} period={period} />
    </FilterControl>
  );
}

/** The period that the days were chosen as, while they still are its days. */
function usePeriod({ period, ...filters }: Partial<PageFilters>): Period | undefined {
  const zone = useZone();
  const today = dateOf(useNow(60), zone);
  if (period === undefined) return undefined;
  const [days, now] = [daysOfBounds(filters, zone), daysOfPeriod(period, today)];
  return days.from === now.from && days.to === now.to ? period : undefined;
}

const loadForm = () => import('./DayForm.tsx');

function Form(props: CreatedFormProps) {
  const { value } = useLoaded(loadForm);
  return value && <value.CreatedForm {...props} />;
}
