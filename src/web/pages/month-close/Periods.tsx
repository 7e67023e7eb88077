import { closedFilePath } from '#src/web/api/team.ts';
import { saveFrom } from '#src/web/ui/saveFile.ts';
import { Download } from 'lucide-react';
import { Link } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import type { TeamItem } from '#src/shared/contract/teamContract.ts';
import { numberWords } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import {
  searchOf,
  type Bounds,
  filtersOf,
  isSamePeriod,
  monthOf,
  nextPeriod,
  periodName,
} from '#src/shared/statement/period.ts';
import { type Zone, zoneName } from '#src/shared/time.ts';
import { boundsOfDays, type DayRange } from '#src/shared/createdRange.ts';
import { FilterControl, useCloseFilter } from '#src/web/list/filters/FilterControl.tsx';
import { useLoaded } from '#src/web/ui/useLoaded.ts';
import { useNow } from '#src/web/ui/useNow.ts';

/** Downloads a closed period, byte for byte as it was closed. */
export function downloadPeriod({ closing }: ClosedPeriod): void {
  saveFrom(closedFilePath(closing));
}

export function ClosedPeriods({ closed }: { closed: readonly Period[] }) {
  if (closed.length === 0) return null;
  return (
    <section aria-labelledby="closed-periods" className="grid gap-3 pb-6">
      <h2 id="closed-periods" className="px-gutter">
        Closed periods
      </h2>
      <DataTable
        className="grid-table labelled"
        label="Closed periods"
        rows={closed.toReversed()}
        columns={COLUMNS}
        keyOf={({ id }) => id}
      />
    </section>
  );
}

type Period = TeamItem<ClosedPeriod>;

const COLUMNS: readonly DataColumn<Period>[] = [
  {
    name: 'Period',
    isHead: true,
    cell: ({ value }) => (
      <Link to={`${paths.monthClose}?${searchOf(value)}`}>
        <UntrustedText value={value.name} max={80} />
      </Link>
    ),
  },
  { name: 'Statement', className: 'num', cell: ({ value }) => value.number },
  { name: 'Deposits', className: 'num', cell: ({ value }) => numberWords(value.rows.deposits) },
  { name: 'Adjustments', className: 'num', cell: ({ value }) => numberWords(value.rows.adjustments) },
  {
    name: 'Closed',
    cell: (item) => (
      <>
        <Time unix={item.created_at} />
        {byWhom(item)}
      </>
    ),
  },
  { name: 'SHA-256', cell: ({ value }) => <Hash value={value.zip.sha256} /> },
  {
    name: 'File',
    cell: ({ value }) => (
      <Button
        size="small"
        icon={<Download className="icon-s" aria-hidden />}
        aria-label={`Download ${value.name}`}
        onClick={() => downloadPeriod(value)}
      >
        ZIP
      </Button>
    ),
  },
];

function Hash({ value }: { value: string }) {
  return (
    <span className="whitespace-nowrap">
      <span className="mono" translate="no" data-tip={value}>
        {value.slice(0, 12)}…
      </span>{' '}
      <CopyButton value={value} label="Copy SHA-256" />
    </span>
  );
}

interface PeriodControlProps {
  bounds: Bounds;
  closed: readonly ClosedPeriod[];
  onChange: (bounds: Bounds) => void;
}

const MONTHS = 6;
const loadDays = () => import('#src/web/list/filters/DayForm.tsx');

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
          <button type="button" key={label} aria-pressed={isSamePeriod(period, bounds)} onClick={() => choose(period)}>
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
  const isListed = next === null || months.some(({ period }) => isSamePeriod(period, next));
  return isListed ? months : [{ label: `Next to close: ${periodName(next, zone)}`, period: next }, ...months];
}
