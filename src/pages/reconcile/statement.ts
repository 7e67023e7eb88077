import type { Session } from '#src/api/session.ts';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { csvRow } from '#src/lib/csv.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { isoUtc } from '#src/lib/time.ts';
import type { Adjustment, Checked } from './known.ts';
import { type Month, type Part, totalsOf } from './readMonth.ts';
import { amountOf, cell, cellsOf, COLUMNS, stateOf } from './rows.ts';
import { ADJUSTMENTS_FILE, BEFORE_FILE, FILE_OF, type TextFile, zipOf } from './zip.ts';

interface Closing {
  /** "October 2026, UTC" */
  name: string;
  number: number;
  /** With the adjustments in its sums. */
  month: Month;
  checked: Checked;
  session: Pick<Session, 'service' | 'account'>;
  /** Names the parts. */
  closing: string;
}

const SUMMED = ['opening', 'deposits', 'withdrawals', 'fees', 'swaps', 'other', 'adjustments', 'closing'] as const;

/** Everything of a period in one ZIP, and what is kept of it beside the ZIP. */
export async function freeze({ name, number, month, checked, session, closing }: Closing) {
  const { bounds, asOf, parts, sums } = month;
  const { adjustments, before } = checked;
  const files: TextFile[] = [
    ...partFiles(parts),
    adjustmentsFile(adjustments),
    ...(number === 1 ? [fileOf(BEFORE_FILE, ['list', 'id', 'status'], before)] : []),
    sums === null ? totalsFile(parts) : sumsFile(sums),
  ];
  const { bytes, ...zip } = await zipOf(files, (hashed) => controlTotals({ name, number, month, session, hashed }));
  const period: Omit<ClosedPeriod, 'parts'> = {
    number,
    name,
    ...bounds,
    asOf,
    checkpoint: parts.deposits.last,
    sums:
      sums?.map(({ asset, counts, ...sum }) => ({
        asset,
        ...pick(sum),
        counts,
      })) ?? null,
    totals: totalsOf(parts),
    rows: {
      deposits: parts.deposits.states.size,
      withdrawals: parts.withdrawals?.states.size ?? null,
      ledger: parts.ledger?.states.size ?? null,
      adjustments: adjustments.length,
    },
    files: zip.files,
    zip: { name: fileName(name), bytes: bytes.length, sha256: zip.sha256 },
    closing,
  };
  return { period, bytes };
}

type Summed = Record<(typeof SUMMED)[number], string>;

function pick(sum: Summed): Summed {
  const { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing } = sum;
  return { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing };
}

/** "october-2026-utc.zip" */
function fileName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${safe.toLowerCase() || 'period'}.zip`;
}

/** `rows`: of the lines, which come by pages. */
function fileOf(name: string, head: readonly string[], lines: readonly string[], rows = lines.length): TextFile {
  return { name, rows, text: [csvRow(head), ...lines] };
}

function partFiles(parts: Month['parts']): TextFile[] {
  return (['deposits', 'withdrawals', 'ledger'] as const).flatMap((list) => {
    const part: Part | null = parts[list];
    return part ? [fileOf(FILE_OF[list], COLUMNS[list], part.lines, part.states.size)] : [];
  });
}

const ADJUSTED = ['list', 'what', 'id', 'was', 'status', 'asset', 'amount', 'created_at', 'created_at_utc'];

function adjustmentsFile(adjustments: readonly Adjustment[]): TextFile {
  const lines = adjustments.map(({ list, what, id, was, row }) => {
    const times = cellsOf(row, ['created_at', 'created_at_utc']);
    return csvRow([
      list,
      what,
      id,
      was ?? '',
      stateOf(list, row),
      cell(row.asset),
      cell(amountOf(list, row)),
      ...times,
    ]);
  });
  return fileOf(ADJUSTMENTS_FILE, ADJUSTED, lines);
}

function sumsFile(sums: NonNullable<Month['sums']>): TextFile {
  const lines = sums.map((sum) =>
    csvRow([
      sum.asset,
      ...SUMMED.map((name) => sum[name]),
      sum.since,
      sum.balance?.total ?? '',
      sum.difference ?? '',
      sum.verdict ?? '',
    ]),
  );
  const head = ['asset', ...SUMMED, 'since', 'balance', 'difference', 'verdict'];
  return fileOf('summary.csv', head, lines);
}

/** Without a ledger there is no opening and no closing: only what the lists say. */
function totalsFile(parts: Month['parts']): TextFile {
  const lines = totalsOf(parts).map(({ list, asset, status, rows, sum, unreadable }) =>
    csvRow([list, asset ?? '', status ?? '', String(rows), sum, String(unreadable)]),
  );
  const head = ['list', 'asset', 'status', 'rows', 'sum', 'rows_not_in_sum'];
  return fileOf('summary.csv', head, lines);
}

interface Hashed extends Pick<Closing, 'name' | 'number' | 'month' | 'session'> {
  hashed: ClosedPeriod['files'];
}

function controlTotals({ name, number, month, session, hashed }: Hashed): TextFile {
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
        ...pick(sum),
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
  return { name: 'control-totals.json', rows: 1, text: [`${text}\n`] };
}
