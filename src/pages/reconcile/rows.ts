import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { csvRow } from '#src/lib/csv.ts';
import { asText } from '#src/lib/text.ts';
import { isoUtc, isPlausibleTime } from '#src/lib/time.ts';

/** The service's lists that a period is made of. */
export type ListName = 'deposits' | 'withdrawals' | 'ledger';
/** A row of any of them: they share id, asset and created_at. */
export type AnyRow = LedgerEntryRow;

/** The columns of each list's file, by the service's names; the first is the id. */
export const COLUMNS: Record<ListName, readonly string[]> = {
  deposits: ['id', 'status', 'asset', 'chain', 'received_amount', 'created_at', 'created_at_utc'],
  withdrawals: [
    'id',
    'status',
    'asset',
    'chain',
    'amount',
    'fee',
    'address',
    'tx_hash',
    'created_at',
    'created_at_utc',
  ],
  ledger: ['id', 'type', 'asset', 'book', 'amount', 'source', 'created_at', 'created_at_utc'],
};

/** Every character as it came; what is no text as its JSON, what is missing empty. */
export function cell(value: unknown): string {
  return value === undefined || value === null ? '' : asText(value);
}

export function cellsOf(row: AnyRow, columns: readonly string[]): string[] {
  return columns.map((name) => (name === 'created_at_utc' ? utc(row.created_at) : cell(row[name])));
}

function utc(at: unknown): string {
  return isPlausibleTime(at) ? isoUtc(at) : '';
}

export function lineOf(list: ListName, row: AnyRow): string {
  return csvRow(cellsOf(row, COLUMNS[list]));
}

/** What may change of a row after its period was closed; an entry of the ledger never does. */
export function stateOf(list: ListName, row: AnyRow): string {
  return list === 'ledger' ? '' : cell(row['status']);
}

export function amountOf(list: ListName, row: AnyRow): unknown {
  return row[list === 'deposits' ? 'received_amount' : 'amount'];
}
