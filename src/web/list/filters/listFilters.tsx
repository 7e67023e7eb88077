import { USUAL_STATUSES } from '#src/shared/paymentStatus.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { FilterNamesByList, ListFilters } from '#src/shared/contract/contract.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { ROW_FILTERS } from '#src/shared/export/rowFilters.ts';
import { readChoice } from '#src/shared/searchParams.ts';
import { capital, revealHidden, shorten, visibleCode } from '#src/shared/text.ts';
import { dateOf, isPlausibleTime } from '#src/shared/time.ts';
import { ANY_TIME, daysOfBounds, describeRange } from '#src/shared/createdRange.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { deferred, useLoaded } from '#src/web/ui/useLoaded.ts';
import { useNow } from '#src/web/ui/useNow.ts';
import type { PageFilters, RangeProps, WordFilterProps } from './filterProps.ts';
import { FilterControl, FilterToggle } from './FilterControl.tsx';
import {
  type ControlProps,
  type Filter,
  FILTER_READS,
  READS_TEXT,
  type FilterTable,
  type Hints,
  type SomeFilters,
} from './filterTable.ts';
import { daysOfPeriod, PERIOD_NAMES, PERIODS, shortDays } from './periods.ts';

interface WordOf {
  label: string;
  help: string;
  suggest?: (hints: Hints) => readonly string[];
}

function wordFilter({ label, help, suggest }: WordOf): Filter<PageFilters, string> {
  return {
    ...READS_TEXT,
    ...(suggest && { codes: suggest }),
    words: (value) => `${label.toLowerCase()} ${suggest ? visibleCode(value) : revealHidden(value)}`,
    Control: ({ value, onChange, hints }) => (
      <WordFilter
        label={label}
        value={value}
        suggestions={() => suggest?.(hints) ?? []}
        help={help}
        codes={suggest !== undefined}
        onChange={onChange}
      />
    ),
  };
}

const range = (_: number, filters: ListFilters, zone: Parameters<typeof describeRange>[1]) =>
  `created ${describeRange(filters, zone)}`;

const readAmount = (search: URLSearchParams, name: string): string | undefined => {
  const text = search.get(name);
  return isAmount(text) && !text.startsWith('-') ? text : undefined;
};

export const FILTERS: FilterTable<PageFilters> = {
  status: wordFilter({
    label: 'Status',
    help: 'Choose or type a status.',
    suggest: ({ valuesSeen }) => sorted(valuesSeen('status'), USUAL_STATUSES),
  }),
  asset: wordFilter({
    label: 'Asset',
    help: 'Asset code, e.g. BTC.',
    suggest: ({ valuesSeen, assetsHeld }) => sorted(valuesSeen('asset'), assetsHeld()),
  }),
  source: wordFilter({ label: 'Source', help: 'The whole ID of a deposit or a withdrawal.' }),
  chain: {
    ...wordFilter({
      label: 'Chain',
      help: 'Filters the loaded rows. Load all to be complete.',
      suggest: ({ valuesSeen }) => sorted([...valuesSeen('chain')].map(chainLabel)),
    }),
    // One name for a chain, however a link or a row spells it.
    read: (search, name) => {
      const chain = READS_TEXT.read(search, name);
      return chain && chainLabel(chain);
    },
    isPageOnly: true,
    keepsRow: ROW_FILTERS.chain,
  },
  to: {
    read: READS_TEXT.read,
    words: (address) => `to ${revealHidden(shorten(address))}`,
    Control: ToFilter,
    isPageOnly: true,
    keepsRow: ROW_FILTERS.to,
  },
  min_amount: {
    read: readAmount,
    words: (amount) => `amount at least ${amount}`,
    Control: AmountFilter,
    isPageOnly: true,
    keepsRow: ROW_FILTERS.min_amount,
  },
  max_amount: {
    read: readAmount,
    words: (amount) => `amount at most ${amount}`,
    Control: null,
    isPageOnly: true,
    keepsRow: ROW_FILTERS.max_amount,
  },
  // The service may count a bound as inside; a row at exactly that second is always left out here.
  created_after: {
    ...FILTER_READS.created_after,
    words: range,
    Control: CreatedFilter,
    isFirst: true,
    keepsRow: (after, { created_at: at }) => !isPlausibleTime(at) || at > after,
  },
  period: {
    read: (search, name) => readChoice(search, name, PERIOD_NAMES),
    words: () => '',
    Control: null,
    isPageOnly: true,
    excludesNoRows: true,
  },
  created_before: {
    ...FILTER_READS.created_before,
    keepsRow: (before, { created_at: at }) => !isPlausibleTime(at) || at < before,
    words: (value, filters, zone) => (filters.created_after === undefined ? range(value, filters, zone) : ''),
    Control: null,
  },
  order: {
    ...FILTER_READS.order,
    words: () => 'oldest first',
    Control: OrderToggle,
    excludesNoRows: true,
  },
  sort: {
    read: (search, name) => readChoice(search, name, ['largest', 'smallest']),
    words: () => '',
    Control: SortToggle,
    isPageOnly: true,
    excludesNoRows: true,
  },
};

/** The filters of a list's page: exactly those that FILTER_NAMES has for the list, and any of the page's own. */
export type FiltersOf<L extends keyof FilterNamesByList> = Pick<FilterTable<PageFilters>, FilterNamesByList[L]> & {
  readonly [N in Exclude<keyof ListFilters, FilterNamesByList[L]>]?: never;
} & SomeFilters<Omit<PageFilters, keyof ListFilters>>;

function sorted(...words: Iterable<string>[]): string[] {
  return [...new Set(words.flatMap((some) => [...some]))].sort((one, other) => one.localeCompare(other, 'en'));
}

const WordChooser = deferred(() => import('./WordChooser.tsx').then((read) => read.WordChooser));

/** A filter by one word: chosen from suggestions, or typed, because the set is open. */
export function WordFilter(props: WordFilterProps) {
  const { label, value, codes, onChange } = props;
  const shown = codes && value !== undefined ? visibleCode(value.slice(0, 120)) : value;
  return (
    <FilterControl label={label} value={shown ?? 'any'} set={value !== undefined} onClear={() => onChange(undefined)}>
      <WordChooser {...props} />
    </FilterControl>
  );
}

const loadTo = () => import('./ToForm.tsx');
const ToForm = deferred(() => loadTo().then((read) => read.ToForm));

/** The recipient's name needs the saved recipients, so their code is loaded once the filter is set. */
function ToFilter({ value, onChange }: ControlProps<PageFilters, string>) {
  return (
    <FilterControl
      label="To"
      value={value === undefined ? 'anyone' : <ToValue address={value} />}
      set={value !== undefined}
      onClear={() => onChange(undefined)}
    >
      <ToForm value={value} onChange={onChange} />
    </FilterControl>
  );
}

function ToValue({ address }: { address: string }) {
  const { value } = useLoaded(loadTo);
  return value ? <value.ToName address={address} /> : revealHidden(shorten(address));
}

const AmountForm = deferred(() => import('./AmountForm.tsx').then((read) => read.AmountForm));
const ANY_AMOUNT = { min_amount: undefined, max_amount: undefined };

function AmountFilter({ filters, change }: RangeProps) {
  const value = amountWords(filters);
  return (
    <FilterControl label="Amount" value={value} set={value !== 'any'} onClear={() => change(ANY_AMOUNT)}>
      <AmountForm key={value} filters={filters} change={change} />
    </FilterControl>
  );
}

function amountWords({ min_amount: least, max_amount: most }: Partial<PageFilters>): string {
  if (least === undefined) return most === undefined ? 'any' : `up to ${formatAmount(most)}`;
  if (most === undefined) return `from ${formatAmount(least)}`;
  return least === most ? formatAmount(least) : `${formatAmount(least)} – ${formatAmount(most)}`;
}

const CreatedForm = deferred(() => import('./DayForm.tsx').then((read) => read.CreatedForm));

/** Whole days in the person's time zone. Bounds that are not whole days are shown to the second. */
function CreatedFilter({ filters, change }: RangeProps) {
  const zone = useZone();
  const today = dateOf(useNow(60), zone);
  const words = describeRange(filters, zone);
  const days = daysOfBounds(filters, zone);
  const chosen = filters.period && daysOfPeriod(filters.period, today);
  // The period counts only while its days are still the chosen ones.
  const period = chosen?.from === days.from && chosen.to === days.to ? filters.period : undefined;
  return (
    <FilterControl
      label="Created"
      value={period === undefined ? words : PERIODS[period]}
      detail={period && shortDays(days)}
      set={filters.created_after !== undefined || filters.created_before !== undefined}
      onClear={() => change(ANY_TIME)}
    >
      <CreatedForm key={words} filters={filters} change={change} period={period} />
    </FilterControl>
  );
}

function OrderToggle({ value, onChange }: ControlProps<PageFilters, 'asc'>) {
  const oldest = value === 'asc';
  const Icon = oldest ? ArrowUp : ArrowDown;
  return (
    <FilterToggle
      label="Order"
      value={oldest ? 'Oldest first' : 'Newest first'}
      icon={<Icon className="icon-s filter-order" aria-hidden />}
      set={oldest}
      onChange={(asc) => onChange(asc ? 'asc' : undefined)}
    />
  );
}

/** Sorts cards by amount, or back by time: they have no column heads for it. */
function SortToggle({ value, filters, onChange }: ControlProps<PageFilters, 'largest' | 'smallest'>) {
  if (filters.asset === undefined) return null;
  return (
    <FilterToggle
      label="Sort"
      value={value === undefined ? 'By time' : `${capital(value)} loaded first`}
      icon={<ArrowDown className="icon-s filter-order" aria-hidden />}
      set={value !== undefined}
      onChange={(isSorted) => onChange(isSorted ? 'largest' : undefined)}
    />
  );
}
