import type { ListFilters } from '#src/api/contract.ts';
import { readChoice, readInteger, readText } from '#src/lib/searchParams.ts';
import type { FilterReads } from './filterTable.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const word = { read: readText };
const time = { read: (search: URLSearchParams, name: string) => readInteger(search, name, 0, LATEST) };

/** How every filter of every list stands in URLs. */
export const FILTER_READS = {
  status: word,
  asset: word,
  source: word,
  created_after: time,
  created_before: time,
  order: { read: (search, name) => readChoice(search, name, ['asc']), fallback: 'desc' },
} satisfies FilterReads<ListFilters>;
