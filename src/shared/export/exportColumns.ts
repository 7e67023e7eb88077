import type { ListName } from '#src/shared/contract/contract.ts';
import { csvRow } from '#src/shared/files/csv.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { textOrNull } from '#src/shared/text.ts';
import { isoUtc, isoZoned, isPlausibleTime, timeAsCame, type Zone } from '#src/shared/time.ts';

/** An item of a list, as the service sent it. */
export type ExportRow = Readonly<Record<string, unknown>> & { readonly id: string };

export interface CsvColumn {
  name: string;
  /** The value exactly as received; the zone is for columns of zoned times. */
  of(row: ExportRow, zone: Zone): unknown;
}

interface ExportedList {
  columns: readonly CsvColumn[];
  /** The field that is summed. */
  amount: string;
  /** Rows are payments, which have references and notes. */
  payment: PaymentKind | null;
}

/** created_at as received, as ISO in UTC, and as ISO in the person's zone. The ISO columns are empty if it isn't a time. */
const CREATED: readonly CsvColumn[] = [
  { name: 'created_at', of: (row) => row['created_at'] },
  { name: 'created_at_utc', of: (row) => timeText(row, isoUtc) },
  { name: 'created_at_zoned', of: (row, zone) => timeText(row, (at) => isoZoned(at, zone)) },
];

/** The columns of each list's file. Raise COLUMN_VERSION when you change them. */
export const EXPORTED_LISTS = {
  deposits: {
    columns: [...fields('id', 'status', 'asset', 'chain', 'received_amount'), ...CREATED],
    amount: 'received_amount',
    payment: 'deposit',
  },
  withdrawals: {
    columns: [...fields('id', 'status', 'asset', 'chain', 'amount', 'fee', 'address', 'tx_hash'), ...CREATED],
    amount: 'amount',
    payment: 'withdrawal',
  },
  'ledger-entries': {
    columns: [
      ...fields('id', 'transaction', 'type', 'asset', 'book', 'amount'),
      { name: 'source', of: sourceOf },
      ...CREATED,
    ],
    amount: 'amount',
    payment: null,
  },
} as const satisfies Record<ListName, ExportedList>;

function fields(...names: string[]): CsvColumn[] {
  return names.map((name) => ({ name, of: (row) => row[name] }));
}

/** The row's time, Unix seconds; null if created_at isn't a plausible time. */
export function plausibleCreatedAt(row: Readonly<Record<string, unknown>>): number | null {
  const at = timeAsCame(row['created_at']);
  return isPlausibleTime(at) ? at : null;
}

function timeText(row: ExportRow, text: (at: number) => string): string {
  const at = plausibleCreatedAt(row);
  return at === null ? '' : text(at);
}

/** A cell with every character as received: JSON if it isn't text, empty if it is missing. */
export function cellText(value: unknown): string {
  return textOrNull(value) ?? '';
}

export function csvLine(columns: readonly CsvColumn[], row: ExportRow, zone: Zone): string {
  return csvRow(columns.map((column) => cellText(column.of(row, zone))));
}
