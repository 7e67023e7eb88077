import { type FormEvent, useState } from 'react';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { type Zone, zoneName } from '#src/lib/time.ts';
import { boundsOfDays } from '#src/list/createdRange.ts';
import { FilterControl, useCloseFilter } from '#src/list/filters/FilterControl.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { daysOf, monthOf, nextPeriod, periodName } from './period.ts';
import type { Bounds } from './sums.ts';

interface PeriodControlProps {
  bounds: Bounds;
  /** Oldest first. */
  closed: readonly ClosedPeriod[];
  onChange: (bounds: Bounds) => void;
}

const MONTHS = 12;

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
  const close = useCloseFilter();
  const choose = (next: Bounds) => {
    onChange(next);
    close();
  };
  return (
    <>
      <div className="filter-choices filter-choices-alone" role="group" aria-label={`Months, ${zoneName(zone)}`}>
        {choicesOf(closed, zone).map(({ label, period }) => (
          <button
            type="button"
            key={label}
            aria-pressed={period.from === bounds.from && period.to === bounds.to}
            onClick={() => choose(period)}
          >
            {label}
          </button>
        ))}
      </div>
      <DaysForm bounds={bounds} onChange={choose} />
    </>
  );
}

function choicesOf(closed: readonly ClosedPeriod[], zone: Zone): { label: string; period: Bounds }[] {
  const now = Date.now() / 1000;
  const months = Array.from({ length: MONTHS }, (_, earlier) => monthOf(now, zone, earlier));
  const last = closed.at(-1);
  const next = last ? nextPeriod(last, zone) : null;
  const named = months.map((period, earlier) => ({
    label: `${['This month, ', 'Last month, '][earlier] ?? ''}${periodName(period, zone)}`,
    period,
  }));
  const isListed = next === null || months.some(({ from, to }) => from === next.from && to === next.to);
  return isListed ? named : [{ label: `Next to close, ${periodName(next, zone)}`, period: next }, ...named];
}

function DaysForm({ bounds, onChange }: Pick<PeriodControlProps, 'bounds' | 'onChange'>) {
  const zone = useZone();
  const [days, setDays] = useState(() => daysOf(bounds, zone));
  const [fault, setFault] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { created_after: after, created_before: before } = boundsOfDays(days, zone);
    if (after === undefined || before === undefined) setFault('Write both days as 2026-10-31.');
    else if (after + 1 >= before) setFault('The start date is after the end date.');
    else onChange({ from: after + 1, to: before });
  };
  const field = (label: string, side: 'from' | 'to', error?: string) => (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          className={inputClass}
          value={days[side]}
          placeholder="2026-10-31"
          autoComplete="off"
          maxLength={10}
          onChange={({ target }) => setDays({ ...days, [side]: target.value.trim() })}
        />
      )}
    </Field>
  );
  return (
    <form onSubmit={submit} noValidate className="grid gap-2">
      <div className="grid grid-cols-2 gap-2">
        {field('First day', 'from')}
        {field('Last day', 'to', fault)}
      </div>
      <div className="acts-row">
        <Button type="submit" size="small">
          Apply days
        </Button>
        <span className="help">Full days in {zoneName(zone)}, both included.</span>
      </div>
    </form>
  );
}
