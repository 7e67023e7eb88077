import { type FormEvent, useState } from 'react';
import type { ListFilters } from '#src/api/contract.ts';
import { dateOf, daysBefore, zoneName } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { ANY_TIME, boundsOfDays, type DayRange, daysOfBounds, describeRange } from './createdRange.ts';
import { FilterControl, useCloseFilter } from './FilterControl.tsx';
import type { ControlProps } from './filterTable.ts';

/** Whole days in the zone that times are read in; bounds of another kind are shown to the second. */
export function CreatedFilter({ filters, change }: Pick<ControlProps<ListFilters, number>, 'filters' | 'change'>) {
  const zone = useZone();
  const value = describeRange(filters, zone);
  const set = filters.created_after !== undefined || filters.created_before !== undefined;
  return (
    <FilterControl label="Created" value={value} set={set} onClear={() => change(ANY_TIME)}>
      <DayForm
        key={value}
        filters={filters}
        onChange={(range) => change({ ...ANY_TIME, ...boundsOfDays(range, zone) })}
      />
    </FilterControl>
  );
}

function DayForm({ filters, onChange }: { filters: ListFilters; onChange: (range: DayRange) => void }) {
  const zone = useZone();
  const close = useCloseFilter();
  const [days, setDays] = useState(() => daysOfBounds(filters, zone));
  const reversed = days.from !== '' && days.to !== '' && days.from > days.to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reversed) return;
    onChange(days);
    close();
  };
  const lastDays = (count: number) => {
    const now = Math.floor(Date.now() / 1000);
    const today = dateOf(now, zone);
    onChange({ from: daysBefore(today, count - 1), to: today });
    close();
  };
  const exact = [filters.created_after, filters.created_before].filter((bound) => bound !== undefined);
  return (
    <form onSubmit={submit} className="contents">
      <div className="grid grid-cols-2 gap-2">
        <Field label="Created from">
          {(control) => (
            <input
              {...control}
              type="date"
              className={inputClass}
              value={days.from}
              onChange={({ target }) => setDays({ ...days, from: target.value })}
            />
          )}
        </Field>
        <Field label="Created to" error={reversed ? 'Before the first day' : undefined}>
          {(control) => (
            <input
              {...control}
              type="date"
              className={inputClass}
              value={days.to}
              onChange={({ target }) => setDays({ ...days, to: target.value })}
            />
          )}
        </Field>
      </div>
      <div className="acts-row">
        <Button type="submit" size="small" disabledReason={reversed ? 'The days are the wrong way round' : undefined}>
          Apply days
        </Button>
        <Button size="small" variant="quiet" onClick={() => lastDays(1)}>
          Today
        </Button>
        <Button size="small" variant="quiet" onClick={() => lastDays(7)}>
          7 days
        </Button>
        <Button size="small" variant="quiet" onClick={() => lastDays(30)}>
          30 days
        </Button>
      </div>
      <p className="help">
        Whole days, {zoneName(zone)}, first and last included.
        {exact.length > 0 && ` Sent as Unix seconds: ${sentAs(filters)}.`} Services differ in whether the bound itself
        counts, so both bounds lie a second outside: a row of exactly that second may be among the rows.
      </p>
    </form>
  );
}

function sentAs({ created_after, created_before }: ListFilters): string {
  const parts: string[] = [];
  if (created_after !== undefined) parts.push(`created_after=${created_after}`);
  if (created_before !== undefined) parts.push(`created_before=${created_before}`);
  return parts.join(', ');
}
