import { type FormEvent, useState } from 'react';
import { DayPicker } from 'react-day-picker';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import { dateOf, zoneName } from '#src/shared/time.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { TextField } from '#src/web/ui/Field.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { ANY_TIME, boundsOfDays, type DayRange, daysOfBounds, dayWords } from '#src/shared/createdRange.ts';
import { Choices, useCloseFilter } from './FilterControl.tsx';
import type { CreatedFormProps } from './filterProps.ts';
import { boundsOfPeriod, PERIOD_NAMES, PERIODS } from './periods.ts';
import { readDay } from './readDay.ts';

export function CreatedForm({ filters, change, period }: CreatedFormProps) {
  const zone = useZone();
  const close = useCloseFilter();
  return (
    <div className="filter-days">
      <Choices
        label={`Period, ${zoneName(zone)}`}
        choices={PERIOD_NAMES.map((value) => ({ value, label: PERIODS[value] }))}
        value={period}
        onChange={(name) => name && change({ ...ANY_TIME, ...boundsOfPeriod(name, zone) })}
      />
      <DayForm
        filters={filters}
        onChange={(range) => {
          change({ ...ANY_TIME, ...boundsOfDays(range, zone) });
          close();
        }}
      />
    </div>
  );
}

/** DayPicker works with local Dates; only their year, month and day are used. */
const toDate = (day: string): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date, 12);
};
const toDateOrNone = (day: string): Date | undefined => (day === '' ? undefined : toDate(day));
const toDay = (date: Date | undefined): string => (date ? dateOf(date.getTime() / 1000, 'local') : '');
const words = (day: string): string => (day === '' ? '' : dayWords(day));

export function DayForm({ filters, onChange }: { filters: ListFilters; onChange: (range: DayRange) => void }) {
  const zone = useZone();
  const [days, setDays] = useState(() => daysOfBounds(filters, zone));
  const [text, setText] = useState({ from: words(days.from), to: words(days.to) });
  const today = dateOf(useNow(60), zone);
  const errors = errorsOf(text, today);
  const [errorsVisible, setErrorsVisible] = useState(false);
  const type = (part: Partial<DayRange>) => {
    const next = { ...text, ...part };
    setText(next);
    setErrorsVisible(false);
    setDays({ from: readDay(next.from, today) ?? '', to: readDay(next.to, today) ?? '' });
  };
  const pick = (from: string, to: string) => {
    setDays({ from, to });
    setText({ from: words(from), to: words(to) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setErrorsVisible(true);
    if (errors.from === undefined && errors.to === undefined) onChange(days);
  };
  const query = queryWords(filters);
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <DayPicker
        mode="range"
        weekStartsOn={1}
        today={toDate(today)}
        defaultMonth={toDate(days.to === '' ? today : days.to)}
        selected={{ from: toDateOrNone(days.from), to: toDateOrNone(days.to) }}
        onSelect={(range) => pick(toDay(range?.from), toDay(range?.to))}
        classNames={CALENDAR}
      />
      <div className="grid grid-cols-2 gap-2">
        {(['from', 'to'] as const).map((side) => (
          <TextField
            key={side}
            label={`Created ${side}`}
            text={text[side]}
            error={errorsVisible && errors[side]}
            onText={(day) => type({ [side]: day })}
            placeholder="1 Oct 2026"
            maxLength={30}
          />
        ))}
      </div>
      <div className="acts-row">
        <Button type="submit" size="small">
          Apply days
        </Button>
        <span className="help">Full days in {zoneName(zone)}, both included.</span>
      </div>
      {query !== '' && <p className="help">Sent as {query} (Unix seconds).</p>}
    </form>
  );
}

function errorsOf({ from, to }: DayRange, today: string): { from?: string; to?: string } {
  const [first, last] = [readDay(from, today), readDay(to, today)];
  return {
    ...(first === null && { from: 'Enter a day, e.g. 1 Oct 2026.' }),
    ...(last === null && { to: 'Enter a day, e.g. 31 Oct 2026.' }),
    ...(first && last && first > last && { to: 'The start date is after the end date.' }),
  };
}

function queryWords({ created_after, created_before }: ListFilters): string {
  const bounds = Object.entries({ created_after, created_before }).filter(([, bound]) => bound !== undefined);
  return bounds.map(([name, bound]) => `${name}=${bound}`).join(', ');
}

const CALENDAR = {
  root: 'relative',
  month_caption: 'flex h-8 items-center px-2 font-semibold',
  nav: 'absolute top-0 right-0 flex gap-1',
  button_previous: 'icon-btn',
  button_next: 'icon-btn',
  chevron: 'size-4 fill-ink-2',
  month_grid: 'w-full border-collapse',
  weekday: 'h-7 text-label font-normal text-ink-3',
  day: 'p-0 text-center',
  day_button: 'h-8 w-full hover:bg-hover',
  outside: 'text-ink-3',
  today: 'font-semibold underline underline-offset-4',
  range_start: 'bg-accent text-on-accent [&_button]:hover:text-ink',
  range_middle: 'bg-selected',
  range_end: 'bg-accent text-on-accent [&_button]:hover:text-ink',
};
