import type { WholeStatement } from '#src/api/statements.ts';
import { csvRow } from '#src/lib/csv.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { isoUtc, isPlausibleTime } from '#src/lib/time.ts';
import { cellText } from '#src/export/exportColumns.ts';
import type { StatedRow } from '#src/api/statementContract.ts';

const COLUMNS = [
  'statement',
  'kind',
  'id',
  'status',
  'was_status',
  'asset',
  'chain',
  'received_amount',
  'created_at',
  'created_at_utc',
];

/** The lines of a statement as CSV: new deposits, late ones, and what changed since they were stated. */
export function statementCsv({ statement, fresh, late, changed }: WholeStatement): string[] {
  const line = (kind: string, row: StatedRow, was: string | null = null): string =>
    csvRow([
      String(statement.number),
      kind,
      row.id,
      cellText(row.status),
      cellText(was),
      cellText(row.asset),
      cellText(row.chain),
      cellText(row.received_amount),
      cellText(row.created_at),
      isPlausibleTime(row.created_at) ? isoUtc(row.created_at) : '',
    ]);
  return [
    csvRow(COLUMNS),
    ...fresh.map((row) => line('new', row)),
    ...late.map((row) => line('late', row)),
    ...changed.map(({ row, was }) => line('changed', row, was)),
  ];
}

/** The statement as JSON, every number with its digits. */
export function statementJson({ statement, ...rows }: WholeStatement): string {
  const { closing: _closing, parts: _parts, ...stated } = statement;
  return `${stringifyExact({ ...stated, ...rows }, 2)}\n`;
}

export function statementName(book: string, number: number, ending: string): string {
  const safe = book.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'reconciliation';
  return `${safe.toLowerCase()}-statement-${number}.${ending}`;
}
