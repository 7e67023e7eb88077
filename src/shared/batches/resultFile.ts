import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import { type CsvCell, csvHead, csvRow } from '#src/shared/files/csv.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { textOrNull } from '#src/shared/text.ts';

const COLUMNS = [
  'line',
  'reference',
  'recipient',
  'address',
  'chain',
  'asset',
  'amount',
  'fee',
  'status',
  'withdrawal_id',
  'tx_hash',
] as const;

type ListedWithdrawal = Readonly<Record<string, unknown>> & { readonly id: string };

/**
 * The lines of the CSV file. `listed`: withdrawals as the provider lists them now; other lines have what is recorded here.
 * `preparedBy`: null in key mode.
 */
export function resultFile(
  lines: readonly BatchLineView[],
  listed: readonly ListedWithdrawal[],
  preparedBy: string | null,
): string[] {
  const byId = new Map(listed.map((row) => [row.id, row]));
  const columns = preparedBy === null ? COLUMNS : [...COLUMNS, 'prepared_by', 'approved_by'];
  const rows = lines.map((line) => [
    ...cellsOf(line, byId.get(line.withdrawal ?? '')),
    ...signerCells(line, preparedBy),
  ]);
  return [csvHead(columns), ...rows.map(csvRow)];
}

/** A line that wasn't sent names no approvers: what they approved has not happened. */
function signerCells({ state, approved_by: approvers }: BatchLineView, preparedBy: string | null): CsvCell[] {
  if (preparedBy === null) return [];
  return [{ text: preparedBy }, { text: state === 'not-sent' ? '' : approvers.join(', ') }];
}

function cellsOf(view: BatchLineView, row: ListedWithdrawal | undefined): CsvCell[] {
  const { line, reference, recipient, body, withdrawal } = view;
  const sent = readWithdrawalBody(body);
  const stated = (name: string): string => textOrNull(row?.[name]) ?? '';
  return [
    String(line),
    { text: reference ?? '' },
    { text: recipient ?? '' },
    sent?.address ?? '',
    sent?.chain ?? '',
    sent?.asset ?? '',
    sent?.amount ?? '',
    stated('fee'),
    stated('status') || statusHere(view),
    withdrawal ?? '',
    stated('tx_hash'),
  ];
}

/** The provider's status, or else the outcome of the request. */
function statusHere({ state, status, error_code: code }: BatchLineView): string {
  if (state === 'succeeded') return status ?? 'accepted';
  return state === 'refused' && code !== null ? `refused: ${code}` : state;
}
