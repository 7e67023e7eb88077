import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { cellText } from '#src/shared/export/exportColumns.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { counted, type Noun } from '#src/shared/text.ts';
import { csvRow } from '#src/shared/files/csv.ts';
import { isoUtc, isPlausibleTime } from '#src/shared/time.ts';

export const PERIOD_LISTS = ['deposits', 'withdrawals', 'ledger'] as const;
export type PeriodList = (typeof PERIOD_LISTS)[number];
/** A row of any list: all have id, asset and created_at. */
export type AnyRow = LedgerEntryRow;

const CREATED = ['created_at', 'created_at_utc'];
/** The columns of each list's file, by the service's names: the id first, then the fields of stateOf(). */
export const FILE_COLUMNS: Record<PeriodList, readonly string[]> = {
  deposits: ['id', 'status', 'asset', 'chain', 'received_amount', ...CREATED],
  withdrawals: ['id', 'status', 'asset', 'chain', 'amount', 'fee', 'address', 'tx_hash', ...CREATED],
  ledger: ['id', 'type', 'asset', 'book', 'amount', 'source', ...CREATED],
};

/** Cells with every character as received; the UTC time is empty if there is none. */
export function cellsOf(row: AnyRow, columns: readonly string[]): string[] {
  const { created_at: at } = row;
  const utc = isPlausibleTime(at) ? isoUtc(at) : '';
  return columns.map((name) => (name === 'created_at_utc' ? utc : cellText(row[name])));
}

export function periodCsvRows(list: PeriodList, rows: readonly AnyRow[]): string {
  return rows.map((row) => csvRow(cellsOf(row, FILE_COLUMNS[list]))).join('');
}

/** The part of a row that may change after its period was closed; a ledger entry never changes. */
export function stateOf(list: PeriodList, row: AnyRow): string {
  return list === 'ledger' ? '' : cellText(row['status']);
}

export function periodRowAmount(list: PeriodList, row: AnyRow): unknown {
  return row[list === 'deposits' ? 'received_amount' : 'amount'];
}

/** Where a withdrawal went; null if its row doesn't say. */
export function destinationOf(chain: unknown, address: unknown): ChainAddress | null {
  return typeof chain === 'string' && typeof address === 'string' && address !== '' ? { chain, address } : null;
}

export const NOUNS: Record<PeriodList, Noun> = {
  deposits: { one: 'deposit', many: 'deposits' },
  withdrawals: { one: 'withdrawal', many: 'withdrawals' },
  ledger: { one: 'ledger entry', many: 'ledger entries' },
};

/** "4,310 deposits, 200 withdrawals", without lists that were not counted. */
export function countWords(rows: Partial<Record<PeriodList, number | undefined>>): string {
  return PERIOD_LISTS.flatMap((list) =>
    rows[list] === undefined ? [] : counted(rows[list], NOUNS[list].one, NOUNS[list].many),
  ).join(', ');
}
