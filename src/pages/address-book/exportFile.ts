import { csvRow } from '#src/lib/csv.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { isoUtc } from '#src/lib/time.ts';
import type { AddressBookEntry } from '#src/remembered/addressBookStore.ts';

export const KIND = 'countinghouse-address-book';

/** The head of the CSV file; an import needs the first three. */
const HEAD = ['name', 'chain', 'address', 'created_at'];

/** The lines of a CSV file; cells that a spreadsheet would run get a quote, which an import takes off again. */
export function toCsv(entries: readonly AddressBookEntry[]): string[] {
  const rows = entries.map(({ name, chain, address, created }) => [name, chain, address, String(created)]);
  return [HEAD, ...rows].map((cells) => csvRow(cells));
}

export function toJson(entries: readonly AddressBookEntry[], service: string, now: number): string {
  const rows = entries.map(({ name, chain, address, created }) => ({ name, chain, address, created_at: created }));
  return `${stringifyExact({ kind: KIND, version: 1, service, exported_at: isoUtc(now), entries: rows }, 2)}\n`;
}
