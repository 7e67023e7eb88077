import { ArrowDown, ArrowUp } from 'lucide-react';
import type { FilterNames, ListFilters } from '#src/api/contract.ts';
import { visible } from '#src/lib/text.ts';
import { CreatedFilter } from './CreatedFilter.tsx';
import { describeRange } from '#src/list/createdRange.ts';
import { FILTER_READS } from './filterReads.ts';
import type { ControlProps, Filter, FilterTable, Hints } from './filterTable.ts';
import { FilterToggle } from './FilterControl.tsx';
import { WordFilter } from './WordFilter.tsx';

interface WordOf {
  label: string;
  help: string;
  suggest?: (hints: Hints) => readonly string[];
}

function wordFilter({ label, help, suggest }: WordOf): Filter<ListFilters, string> {
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

/** Every filter of every list. */
export const FILTERS: FilterTable<ListFilters> = {
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
  created_after: { ...FILTER_READS.created_after, words: range, Control: CreatedFilter, leads: true },
  created_before: {
    ...FILTER_READS.created_before,
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
export type FiltersOf<L extends keyof FilterNames> = Pick<FilterTable<ListFilters>, FilterNames[L]>;

function OrderToggle({ value, onChange }: ControlProps<ListFilters, 'asc'>) {
  const oldest = value === 'asc';
  const Icon = oldest ? ArrowUp : ArrowDown;
  return (
    <FilterToggle
      label="Order"
      value={oldest ? 'Oldest first' : 'Newest first'}
      icon={<Icon className="icon-s" aria-hidden />}
      set={oldest}
      onChange={(asc) => onChange(asc ? 'asc' : undefined)}
    />
  );
}

/** Each once, in the order of the alphabet. */
function sorted(...words: Iterable<string>[]): string[] {
  return [...new Set(words.flatMap((some) => [...some]))].sort((one, other) => one.localeCompare(other));
}
