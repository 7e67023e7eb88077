import type { Session } from '#src/web/api/session.ts';
import { type ClosedPeriod, type FrozenSum, SUM_LINES } from '#src/shared/contract/statementContract.ts';
import { csvHead, csvRow } from '#src/shared/files/csv.ts';
import { cellText } from '#src/web/export/exportColumns.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isoUtc } from '#src/shared/time.ts';
import { ADJUSTMENTS_FILE, BEFORE_FILE, type NamedFile, SUMMARY_FILE, zipOf } from './archive.ts';
import type { Adjustment, Checked } from './reportedRows.ts';
import { type Lines, type Month, totalsOf } from './readMonth.ts';
import { amountOf, cellsOf, FILE_COLUMNS, PERIOD_LISTS, stateOf } from './rows.ts';

interface Closing {
  name: string;
  number: number;
  /** Its sums include the adjustments. */
  month: Month;
  checked: Checked;
  session: Pick<Session, 'service' | 'account'>;
  closing: string;
}

export async function freezePeriod({ name, number, month, checked, session, closing }: Closing) {
  const { bounds, asOf, parts, sums } = month;
  const { adjustments, before } = checked;
  const files: NamedFile[] = [
    ...partFiles(parts),
    adjustmentsFile(adjustments),
    ...(number === 1 ? [fileOf(BEFORE_FILE, ['list', 'id', 'status'], before)] : []),
    summaryFile(month),
  ];
  const lastOf = (hashed: ClosedPeriod['files']) => controlTotals({ name, number, month, session, hashed });
  const made = await zipOf(files, { at: asOf, lastOf });
  const period: Omit<ClosedPeriod, 'parts'> = {
    number,
    name,
    ...bounds,
    asOf,
    checkpoint: parts.deposits.last,
    sums: sums?.map(({ asset, counts, ...sum }) => ({ asset, ...linesIn(sum), counts })) ?? null,
    totals: totalsOf(parts),
    rows: {
      deposits: parts.deposits.rows,
      withdrawals: parts.withdrawals?.rows ?? null,
      ledger: parts.ledger?.rows ?? null,
      adjustments: adjustments.length,
    },
    files: made.files,
    zip: { name: fileName(name), bytes: made.zip.size, sha256: made.sha256 },
    closing,
  };
  return { period, zip: made.zip };
}

/** "october-2026-utc.zip" */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${safe.toLowerCase() || 'period'}.zip`;
}

type SumLines = Pick<FrozenSum, (typeof SUM_LINES)[number]>;

function linesIn(sum: SumLines): SumLines {
  const { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing } = sum;
  return { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing };
}

function fileOf(name: string, head: readonly string[], { rows, text }: Lines): NamedFile {
  return { name, rows, text: new Blob([csvHead(head), text]) };
}

function tableOf(name: string, head: readonly string[], lines: readonly string[][]): NamedFile {
  return fileOf(name, head, { rows: lines.length, text: new Blob(lines.map(csvRow)) });
}

export function partFiles(parts: Month['parts']): NamedFile[] {
  return PERIOD_LISTS.flatMap((list) => {
    const part: Lines | null = parts[list];
    return part ? fileOf(`${list}.csv`, FILE_COLUMNS[list], part) : [];
  });
}

const ADJUSTED = ['list', 'what', 'id', 'was', 'status', 'asset', 'amount', 'created_at', 'created_at_utc'];

function adjustmentsFile(adjustments: readonly Adjustment[]): NamedFile {
  const lines = adjustments.map(({ list, what, id, was, row }) => {
    const cells = [list, what, id, was ?? '', stateOf(list, row), cellText(row.asset), cellText(amountOf(list, row))];
    return [...cells, ...cellsOf(row, ['created_at', 'created_at_utc'])];
  });
  return tableOf(ADJUSTMENTS_FILE, ADJUSTED, lines);
}

/** Without a ledger there is no opening or closing, only totals of the lists. */
function summaryFile({ sums, parts }: Month): NamedFile {
  if (sums === null) {
    const head = ['list', 'asset', 'status', 'rows', 'sum', 'rows_not_in_sum'];
    const lines = totalsOf(parts).map((total) => {
      const { list, asset, status, rows, sum, unreadable } = total;
      return [list, asset ?? '', status ?? '', String(rows), sum, String(unreadable)];
    });
    return tableOf(SUMMARY_FILE, head, lines);
  }
  const head = ['asset', ...SUM_LINES, 'since', 'balance', 'difference', 'verdict'];
  const lines = sums.map((sum) => {
    const { asset, since, balance, difference, verdict } = sum;
    return [asset, ...SUM_LINES.map((name) => sum[name]), since, balance?.total ?? '', difference ?? '', verdict ?? ''];
  });
  return tableOf(SUMMARY_FILE, head, lines);
}

interface Hashed extends Pick<Closing, 'name' | 'number' | 'month' | 'session'> {
  hashed: ClosedPeriod['files'];
}

function controlTotals({ name, number, month, session, hashed }: Hashed): NamedFile {
  const { bounds, asOf, parts, sums, unplaced, malformed, feesUnknown } = month;
  const text = stringifyExact(
    {
      statement: number,
      period: name,
      from_utc: isoUtc(bounds.from),
      to_utc: isoUtc(bounds.to),
      to_is: 'the first second that is not in it',
      service: session.service,
      account: session.account,
      read_at_utc: isoUtc(asOf),
      files: hashed,
      totals: totalsOf(parts),
      balances: sums?.map(({ asset, since, balance, difference, verdict, counts, ...sum }) => ({
        asset,
        ...linesIn(sum),
        since,
        balance: balance?.total ?? null,
        difference,
        verdict,
        counts,
      })),
      not_in_it: {
        without_time_asset_or_amount: unplaced.map(({ list, row: { id } }) => ({ list, id })),
        without_id: malformed,
        withdrawals_whose_fee_is_not_stated: feesUnknown,
      },
    },
    2,
  );
  return { name: 'control-totals.json', rows: 1, text: new Blob([`${text}\n`]) };
}
