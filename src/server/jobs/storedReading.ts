// Stores a reading in the parts of its job: one file after the other, each in compressed pieces.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import * as v from 'valibot';
import { ledgerEntrySchema } from '#src/shared/contract/rows.ts';
import { count, frozenSumSchema, SUM_COUNTS, SUM_LINES } from '#src/shared/contract/statementContract.ts';
import { rowSumSchema } from '#src/shared/export/rowTotals.ts';
import { VERDICTS } from '#src/shared/statement/sums.ts';
import { isZero } from '#src/shared/amount.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import {
  type FileBytes,
  fileBytes,
  type FileLines,
  NO_BYTES,
  piecesOf,
  wholeBytes,
} from '#src/shared/statement/lines.ts';
import { type AnyRow, cellsOf, FILE_COLUMNS, PERIOD_LISTS, type PeriodList } from '#src/shared/statement/periodRows.ts';
import type { Month } from '#src/shared/statement/readMonth.ts';
import type { MonthCheck } from '#src/shared/statement/reportedRows.ts';
import type { SavedPart } from './jobRows.ts';
import type { MonthState } from './monthState.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Size of a piece before compression. */
const PIECE_BYTES = 1 << 22;

/** A month that was read. `checked`: late rows that were found; null if they weren't searched for. */
export interface Reading {
  /** Its sums include the adjustments. */
  month: Month;
  checked: MonthCheck | null;
}

const text = v.string();
const unix = v.nullable(v.number());
const list = v.picklist(PERIOD_LISTS);
const row = ledgerEntrySchema;
const verdict = v.nullable(v.picklist(VERDICTS));

const sumSchema = v.object({
  ...frozenSumSchema.entries,
  since: text,
  sinceEntries: count,
  pendingSince: v.nullable(text),
  takenOver: v.exactOptional(text),
  balance: v.nullable(v.object({ total: text, pending: v.nullable(text), at: unix })),
  difference: v.nullable(text),
  verdict,
  closingVerdict: v.exactOptional(verdict),
  newest: v.array(row),
  ahead: v.array(row),
  swapped: v.array(v.object({ source: text, out: row, in: row })),
});
const partSchema = v.nullable(v.object({ rows: count, totals: v.array(rowSumSchema), last: v.nullable(text) }));
/** The values of a reading that aren't stored as lines of a file. */
const factsSchema = v.object({
  bounds: v.object({ from: v.number(), to: v.number() }),
  asOf: v.number(),
  sums: v.nullable(v.array(sumSchema)),
  malformed: count,
  feesUnknown: count,
  parts: v.object({ deposits: partSchema, withdrawals: partSchema, ledger: partSchema }),
  beforeRows: count,
  movementRows: count,
  checked: v.nullable(
    v.object({
      rows: v.object({
        deposits: v.exactOptional(count),
        withdrawals: v.exactOptional(count),
        ledger: v.exactOptional(count),
      }),
      beforeRows: count,
    }),
  ),
});
const adjustmentSchema = v.object({
  list,
  what: v.picklist(['late', 'changed']),
  id: text,
  was: v.nullable(text),
  row,
});

type Stored = { parts: SavedPart[]; files: MonthState['files']; bytes: number; sha256: string };

export async function storeReading({ month, checked }: Reading): Promise<Stored> {
  const { bounds, asOf, sums, malformed, feesUnknown, parts, before, movements, fees, destinations, unplaced } = month;
  const factsOf = (part: Month['parts']['ledger']) => part && { rows: part.rows, totals: part.totals, last: part.last };
  const facts = {
    bounds,
    asOf,
    sums,
    malformed,
    feesUnknown,
    parts: {
      deposits: factsOf(parts.deposits),
      withdrawals: factsOf(parts.withdrawals),
      ledger: factsOf(parts.ledger),
    },
    beforeRows: before.rows,
    movementRows: movements.rows,
    checked: checked && { rows: checked.rows, beforeRows: checked.before.rows },
  };
  const named: [string, FileBytes][] = [
    ['facts', fileBytes(stringifyExact(facts))],
    ...PERIOD_LISTS.map((list): [string, FileBytes] => [list, parts[list]?.text ?? NO_BYTES]),
    ['before', before.text],
    ['movements', movements.text],
    ['fees', jsonLines([...fees])],
    ['destinations', jsonLines([...destinations])],
    ['unplaced', jsonLines(unplaced)],
    ['adjustments', jsonLines(checked?.adjustments ?? [])],
    ['checked-before', checked?.before.text ?? NO_BYTES],
  ];
  const stored: Stored = { parts: [], files: [], bytes: 0, sha256: await hashOf({ month, checked }) };
  for (const [name, text] of named) {
    let pieces = 0;
    for await (const piece of piecesOf(text, PIECE_BYTES)) {
      const bytes = await deflate(piece, { level: 1 });
      stored.parts.push({ bytes, ids: [] });
      stored.bytes += bytes.length;
      pieces += 1;
    }
    stored.files.push({ name, pieces });
  }
  return stored;
}

export async function loadReading(parts: AsyncIterable<SavedPart>, files: MonthState['files']): Promise<Reading> {
  const texts = new Map<string, FileBytes>();
  const left = files.flatMap(({ name, pieces }) => Array.from({ length: pieces }, () => name)).values();
  for await (const { bytes } of parts) {
    const name = left.next().value ?? '';
    texts.set(name, fileBytes(texts.get(name) ?? NO_BYTES, await inflate(bytes)));
  }
  const file = (name: string): FileBytes => texts.get(name) ?? NO_BYTES;
  const linesIn = (name: string, rows: number): FileLines => ({ rows, text: file(name) });
  const [facts] = await jsonIn(factsSchema, file('facts'));
  if (facts === undefined) throw new SyntaxError('The reading has no facts.');
  const part = (list: (typeof PERIOD_LISTS)[number]): Month['parts']['ledger'] => {
    const storedPart = facts.parts[list];
    return storedPart && { ...storedPart, text: file(list) };
  };
  const deposits = part('deposits');
  if (deposits === null) throw new SyntaxError('The reading has no deposits.');
  const month: Month = {
    bounds: facts.bounds,
    asOf: facts.asOf,
    sums: facts.sums,
    malformed: facts.malformed,
    feesUnknown: facts.feesUnknown,
    parts: { deposits, withdrawals: part('withdrawals'), ledger: part('ledger') },
    before: linesIn('before', facts.beforeRows),
    movements: linesIn('movements', facts.movementRows),
    fees: new Map(await jsonIn(v.tuple([text, text]), file('fees'))),
    destinations: new Map(
      await jsonIn(v.tuple([text, v.object({ chain: text, address: text })]), file('destinations')),
    ),
    unplaced: await jsonIn(v.object({ list, row }), file('unplaced')),
  };
  const checked: MonthCheck | null = facts.checked && {
    rows: facts.checked.rows,
    before: linesIn('checked-before', facts.checked.beforeRows),
    adjustments: await jsonIn(adjustmentSchema, file('adjustments')),
  };
  return { month, checked };
}

/**
 * Hashes only the period, so that two readings at different times are equal if nothing in the period changed. Differences and
 * verdicts depend on the current balance, and an asset without entries may be there only because of its balance.
 */
async function hashOf({ month, checked }: Reading): Promise<string> {
  const hash = createHash('sha256');
  const { bounds, parts, sums, unplaced, malformed, feesUnknown } = month;
  for (const list of PERIOD_LISTS) {
    hash.update(`${list} ${parts[list]?.rows ?? 'none'}\n`);
    for await (const piece of piecesOf(parts[list]?.text ?? NO_BYTES)) hash.update(piece);
  }
  const inPeriod = sums?.filter(
    ({ counts, ...sum }) => SUM_LINES.some((line) => !isZero(sum[line])) || SUM_COUNTS.some((line) => counts[line] > 0),
  );
  const frozen = inPeriod?.map(({ asset, counts, ...sum }) => [
    asset,
    ...SUM_LINES.map((line) => sum[line]),
    ...SUM_COUNTS.map((line) => counts[line]),
  ]);
  const cells = ({ list: listName, row: listRow }: { list: PeriodList; row: AnyRow }) => [
    listName,
    ...cellsOf(listRow, FILE_COLUMNS[listName]),
  ];
  const found = checked?.adjustments.map(({ what, was, ...each }) => [what, was, ...cells(each)]);
  const rest = { bounds, frozen, found, before: checked?.before.rows, malformed, feesUnknown };
  hash.update(JSON.stringify({ ...rest, unplaced: unplaced.map(cells) }));
  return hash.digest('hex');
}

/** One value per line. */
function jsonLines(values: readonly unknown[]): FileBytes {
  return fileBytes(values.map((value) => `${stringifyExact(value)}\n`).join(''));
}

async function jsonIn<S extends v.GenericSchema>(schema: S, file: FileBytes): Promise<v.InferOutput<S>[]> {
  const lines = new TextDecoder().decode(await wholeBytes(file)).split('\n');
  return lines.filter((line) => line !== '').map((line) => v.parse(schema, parseExact(line)));
}
