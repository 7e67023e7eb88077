import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { type Zone, zoneName } from '#src/lib/time.ts';
import { boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import { FilterControl, useCloseFilter } from '#src/list/filters/FilterControl.tsx';
import { useLoaded } from '#src/ui/useLoaded.ts';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';
import { type Bounds, filtersOf, isSame, monthOf, nextPeriod, periodName } from './period.ts';

interface PeriodControlProps {
  bounds: Bounds;
  /** Oldest first. */
  closed: readonly ClosedPeriod[];
  onChange: (bounds: Bounds) => void;
}

const MONTHS = 6;
const loadDays = () => import('#src/list/filters/DayForm.tsx');

/** Which days: a month, what comes after the last closed period, or a first and a last day. */
export function PeriodControl({ bounds, closed, onChange }: PeriodControlProps) {
  const zone = useZone();
  return (
    <FilterControl label="Period" value={periodName(bounds, zone)} set={false}>
      <Choices bounds={bounds} closed={closed} onChange={onChange} />
    </FilterControl>
  );
}

function Choices({ bounds, closed, onChange }: PeriodControlProps) {
  const zone = useZone();
  const now = useNow(60);
  const close = useCloseFilter();
  const { value: days } = useLoaded(loadDays);
  const choose = (next: Bounds) => {
    onChange(next);
    close();
  };
  const chooseDays = (range: DayRange) => {
    const { created_after: after, created_before: before } = boundsOfDays(range, zone);
    if (after !== undefined && before !== undefined) choose({ from: after + 1, to: before });
  };
  return (
    <div className="filter-days">
      <div className="filter-choices filter-choices-alone" role="group" aria-label={`Months, ${zoneName(zone)}`}>
        {choicesOf(now, closed, zone).map(({ label, period }) => (
          <button type="button" key={label} aria-pressed={isSame(period, bounds)} onClick={() => choose(period)}>
            {label}
          </button>
        ))}
      </div>
      {days && <days.DayForm filters={filtersOf(bounds)} onChange={chooseDays} />}
    </div>
  );
}

function choicesOf(now: number, closed: readonly ClosedPeriod[], zone: Zone): { label: string; period: Bounds }[] {
  const months = Array.from({ length: MONTHS }, (_, earlier) => {
    const period = monthOf(now, zone, earlier);
    const [name = ''] = periodName(period, zone).split(',');
    return { label: ['This month', 'Last month'][earlier] ?? name, period };
  });
  const last = closed.at(-1);
  const next = last ? nextPeriod(last, zone) : null;
  const isListed = next === null || months.some(({ period }) => isSame(period, next));
  return isListed ? months : [{ label: `Next to close: ${periodName(next, zone)}`, period: next }, ...months];
}
