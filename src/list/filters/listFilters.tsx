import { ArrowDown, ArrowUp } from 'lucide-react';
import type { FilterNames, ListFilters } from '#src/api/contract.ts';
import { visible } from '#src/lib/text.ts';
import { compareAmounts, isAmount } from '#src/lib/amount.ts';
import { readChoice } from '#src/lib/searchParams.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { describeRange } from '#src/list/createdRange.ts';
import { type Period, PERIOD_NAMES } from './periods.ts';
import { AmountFilter } from './AmountFilter.tsx';
import { CreatedFilter } from './CreatedFilter.tsx';
import { FILTER_READS } from './filterReads.ts';
import type { ControlProps, Filter, FilterTable, Hints, SomeFilters } from './filterTable.ts';
import { FilterToggle } from './FilterControl.tsx';
import { WordFilter } from './WordFilter.tsx';

/** The service's filters and those that only the page has: it applies them to the rows that it loaded. */
export interface PageFilters extends ListFilters {
  /** What the days of `created_after` and `created_before` were chosen as. */
  period?: Period;
  chain?: string;
  min_amount?: string;
  max_amount?: string;
}

interface WordOf {
  label: string;
  help: string;
  suggest?: (hints: Hints) => readonly string[];
}

function wordFilter({ label, help, suggest }: WordOf): Filter<PageFilters, string> {
  return {
    ...FILTER_READS.source,
    ...(suggest && { known: suggest }),
    words: (value) => `${label.toLowerCase()} ${visible(value)}`,
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

/** Offered before any was seen. */
const USUAL_STATUSES = ['completed', 'pending', 'broadcasted', 'failed'];

const range = (_: number, filters: ListFilters, zone: Parameters<typeof describeRange>[1]) =>
  `created ${describeRange(filters, zone)}`;

const readAmount = (search: URLSearchParams, name: string): string | undefined => {
  const text = search.get(name);
  return isAmount(text) && !text.startsWith('-') ? text : undefined;
};

/** Every filter of every list. */
export const FILTERS: FilterTable<PageFilters> = {
  status: wordFilter({
    label: 'Status',
    help: 'Choose or type a status.',
    suggest: ({ seen }) => sorted(seen('status'), USUAL_STATUSES),
  }),
  asset: wordFilter({
    label: 'Asset',
    help: 'Asset code, e.g. BTC.',
    suggest: ({ seen, held }) => sorted(seen('asset'), held()),
  }),
  source: wordFilter({ label: 'Source', help: 'The whole id of a deposit or a withdrawal.' }),
  chain: {
    ...wordFilter({
      label: 'Chain',
      help: 'Choose or type a chain. It is searched for in the rows that are loaded.',
      suggest: ({ seen }) => sorted(seen('chain')),
    }),
    local: true,
    keeps: (chain, row) => row['chain'] === chain,
  },
  min_amount: {
    read: readAmount,
    words: (amount) => `amount at least ${amount}`,
    Control: AmountFilter,
    local: true,
    keeps: (least, _, amount) => isAmount(amount) && compareAmounts(amount, least) >= 0,
  },
  max_amount: {
    read: readAmount,
    words: (amount) => `amount at most ${amount}`,
    Control: null,
    local: true,
    keeps: (most, _, amount) => isAmount(amount) && compareAmounts(amount, most) <= 0,
  },
  // Whether a service counts a bound itself as inside is not stated: a row of that very second is left out here.
  created_after: {
    ...FILTER_READS.created_after,
    words: range,
    Control: CreatedFilter,
    leads: true,
    keeps: (after, { created_at: at }) => !isPlausibleTime(at) || at > after,
  },
  period: {
    read: (search, name) => readChoice(search, name, PERIOD_NAMES),
    words: () => '',
    Control: null,
    local: true,
    sorts: true,
  },
  created_before: {
    ...FILTER_READS.created_before,
    keeps: (before, { created_at: at }) => !isPlausibleTime(at) || at < before,
    words: (value, filters, zone) => (filters.created_after === undefined ? range(value, filters, zone) : ''),
    Control: null,
  },
  order: {
    ...FILTER_READS.order,
    words: () => 'oldest first',
    Control: OrderToggle,
    sorts: true,
  },
};

/** The filters of a list, checked against those that it has by the contract. */
export type FiltersOf<L extends keyof FilterNames> = Pick<FilterTable<PageFilters>, FilterNames[L]> &
  SomeFilters<PageFilters>;

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

/** Each once, in the order of the alphabet. */
function sorted(...words: Iterable<string>[]): string[] {
  return [...new Set(words.flatMap((some) => [...some]))].sort((one, other) => one.localeCompare(other));
}
