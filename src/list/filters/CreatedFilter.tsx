import { dateOf, zoneName } from '#src/lib/time.ts';
import { useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { useLoaded } from '#src/ui/useLoaded.ts';
import {
  ANY_TIME,
  boundsOfDays,
  boundsOfPeriod,
  daysOfBounds,
  daysOfPeriod,
  describeRange,
  type Period,
  PERIOD_NAMES,
  PERIODS,
  shortDays,
} from '#src/list/createdRange.ts';
import { FilterControl, useCloseFilter } from './FilterControl.tsx';
import type { ControlProps } from './filterTable.ts';
import type { PageFilters } from './listFilters.tsx';

type CreatedFilterProps = Pick<ControlProps<PageFilters, number>, 'filters' | 'change'>;

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
      <Choices key={words} filters={filters} change={change} period={period} />
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

const loadDays = () => import('./DayForm.tsx');

function Choices({ filters, change, period }: CreatedFilterProps & { period: Period | undefined }) {
  const zone = useZone();
  const close = useCloseFilter();
  const { value: days } = useLoaded(loadDays);
  return (
    <div className="filter-days">
      <div className="filter-choices filter-choices-alone" role="group" aria-label={`Period, ${zoneName(zone)}`}>
        {PERIOD_NAMES.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={name === period}
            onClick={() => {
              change({ ...ANY_TIME, ...boundsOfPeriod(name, zone) });
              close();
            }}
          >
            {PERIODS[name]}
          </button>
        ))}
      </div>
      {days && (
        <days.DayForm
          filters={filters}
          onChange={(range) => {
            change({ ...ANY_TIME, ...boundsOfDays(range, zone) });
            close();
          }}
        />
      )}
    </div>
  );
}
