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

/** Who prepared a batch and who approved it. */
export interface BatchSigners {
  preparedBy: string;
  approvedBy: readonly string[];
}

/**
 * The lines of the CSV file. `listed`: withdrawals as the provider lists them now; other lines have what is recorded here.
 * `signers`: null where nobody signs payments.
 */
export function resultFile(
  lines: readonly BatchLineView[],
  listed: readonly ListedWithdrawal[],
  signers: BatchSigners | null,
): string[] {
  const byId = new Map(listed.map((row) => [row.id, row]));
  const columns = signers === null ? COLUMNS : [...COLUMNS, 'prepared_by', 'approved_by'];
  const rows = lines.map((line) => [...cellsOf(line, byId.get(line.withdrawal ?? '')), ...signerCells(line, signers)]);
  return [csvHead(columns), ...rows.map(csvRow)];
}

/** An unsent line names no approvers: it may have been excluded before the others were approved. */
function signerCells({ state }: BatchLineView, signers: BatchSigners | null): CsvCell[] {
  if (signers === null) return [];
  return [{ text: signers.preparedBy }, { text: state === 'not-sent' ? '' : signers.approvedBy.join(', ') }];
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
