import type { KnownRecipient } from '#src/api/recipients.ts';
import { csvRow } from '#src/lib/csv.ts';

/** The head of the CSV file; an import needs the first three. */
const HEAD = ['name', 'chain', 'address', 'asset', 'reference', 'note'] as const;

type Exported = Pick<KnownRecipient, (typeof HEAD)[number]>;

/** The lines of a CSV file; cells that a spreadsheet would run get a quote, which an import takes off again. */
export function toCsv(entries: readonly Exported[]): string[] {
  return [csvRow(HEAD), ...entries.map((entry) => csvRow(HEAD.map((name) => entry[name])))];
}
