import { authorName } from '#src/shared/author.ts';
import { isAmount } from '#src/shared/amount.ts';
import { type ClosedPeriod, type FrozenSum, SUM_LINES } from '#src/shared/contract/statementContract.ts';
import { csvHead, csvRow, csvTextRow } from '#src/shared/files/csv.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { cellText } from '#src/shared/export/exportColumns.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { evidenceJson } from '#src/shared/operations/evidenceFiles.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { statementFileName } from './fileName.ts';
import { createStatementJournal, journalCells, journalColumns, type JournalInput, type JournalRow } from './journal.ts';
import { createPaymentFacts, type PaymentFacts } from './paymentFacts.ts';
import type { Rates } from './rates.ts';
import { README_FILE, readmeText } from './readme.ts';
import { statementPage, type StatementAdjustment } from './statementPage.ts';
import { isoUtc, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import {
  ADJUSTMENTS_FILE,
  BEFORE_FILE,
  evidencePath,
  type NamedFile,
  readCells,
  SUMMARY_FILE,
  zipOf,
} from './archive.ts';
import { movementsByTime, readMovements } from './movements.ts';
import { type Adjustment, type MonthCheck, lateMovements } from './reportedRows.ts';
import { createLines, type FileBytes, fileBytes, type FileLines, NO_BYTES } from './lines.ts';
import { type Month, closedTotals } from './readMonth.ts';
import type { TeamRecords } from './teamRecords.ts';
import { periodRowAmount, cellsOf, destinationOf, FILE_COLUMNS, NOUNS, PERIOD_LISTS, stateOf } from './periodRows.ts';

/** Who closes a period, and on which service and account. */
interface ClosedBy {
  service: string;
  account: string;
  name: string | null;
}

export interface Closing {
  name: string;
  number: number;
  zone: Zone;
  /** Its sums include the adjustments. */
  month: Month;
  checked: MonthCheck;
  session: ClosedBy;
  closing: string;
  /** What the team recorded about the payments. */
  records: TeamRecords;
  rates: RateFile | null;
}

/** A rate file without faults, with its bytes. */
export interface RateFile {
  rates: Rates;
  bytes: FileBytes;
}

export async function freezePeriod(of: Closing) {
  const { name, number, zone, month, checked, session, closing } = of;
  const { bounds, asOf, parts, sums } = month;
  const { adjustments } = checked;
  const files = await filesOf(of);
  const names = [...files.map((file) => file.name), STATEMENT_FILE, evidencePath(TOTALS_FILE)];
  const currency = of.rates?.rates.currency ?? null;
  const readme = readmeText({
    period: name,
    number,
    zone,
    hasLedger: sums !== null,
    currency,
    names,
    isSigned: of.records.operations.some(isSignedOperation),
  });
  const made = await zipOf([{ name: README_FILE, rows: 1, text: fileBytes(readme) }, ...files], {
    at: asOf,
    last: [(hashed) => pageFile(of, hashed), (hashed) => controlTotals({ name, number, month, session, hashed })],
  });
  const period: Omit<ClosedPeriod, 'parts'> = {
    number,
    name,
    ...bounds,
    asOf,
    checkpoint: parts.deposits.last,
    sums: sums?.map(({ asset, counts, ...sum }) => ({ asset, ...linesIn(sum), counts })) ?? null,
    totals: closedTotals(parts),
    rows: {
      deposits: parts.deposits.rows,
      withdrawals: parts.withdrawals?.rows ?? null,
      ledger: parts.ledger?.rows ?? null,
      adjustments: adjustments.length,
    },
    files: made.files,
    zip: {
      // No account has a label yet.
      name: statementFileName({ label: null, account: session.account, number, ...bounds, zone }),
      bytes: made.zip.size,
      sha256: made.sha256,
    },
    closing,
  };
  return { period, zip: made.zip };
}

const STATEMENT_FILE = 'statement.html';
const RATES_NAME = 'rates.csv';
/** The path of the rate file in a closed period's ZIP. */
export const RATES_FILE = evidencePath(RATES_NAME);
const TOTALS_FILE = 'control-totals.json';

/** All files that name no hashes, in the order of the ZIP. */
async function filesOf(of: Closing): Promise<NamedFile[]> {
  const { number, month, checked, rates } = of;
  const facts = await factsOf(of);
  const { withdrawals } = month.parts;
  const listed = withdrawals && (await withdrawalsFile(withdrawals, facts, of.records));
  const journals = await journalFiles({ month, checked }, journalInput(of, facts));
  const proof: NamedFile[] = [
    ...partFiles(month.parts).filter(({ name }) => name !== WITHDRAWALS_FILE),
    adjustmentsFile(checked.adjustments),
    ...(number === 1 ? [fileOf(BEFORE_FILE, ['list', 'id', 'status'], checked.before)] : []),
    summaryFile(month),
    ...(listed ? operationsFile(of, listed.ids) : []),
    ...(rates ? [{ name: RATES_NAME, rows: rates.rates.count, text: rates.bytes }] : []),
  ];
  return [
    ...journals,
    ...(listed ? [listed.file] : []),
    ...proof.map((file) => ({ ...file, name: evidencePath(file.name) })),
  ];
}

async function factsOf({ month, checked, records }: Pick<Closing, 'month' | 'checked' | 'records'>) {
  const { recipients, notes } = records;
  const operations = records.operations.map(({ operation }) => operation);
  return createPaymentFacts({ recipients, notes, operations, destinations: await destinationsOf({ month, checked }) });
}

/** Where each withdrawal of the statement went, by its ID. */
async function destinationsOf({ month, checked }: JournalSource): Promise<Map<string, ChainAddress>> {
  const destinations = new Map(month.destinations);
  const add = (id: string, destination: ChainAddress | null): void => {
    if (destination) destinations.set(id, destination);
  };
  for (const { list, id, row } of checked.adjustments)
    if (list === 'withdrawals') add(id, destinationOf(row['chain'], row['address']));
  for await (const rows of readCells(month.parts.withdrawals?.text ?? NO_BYTES))
    for (const cells of rows) {
      const [id = '', chain, address] = ['id', 'chain', 'address'].map((name) => withdrawalCell(cells, name));
      add(id, destinationOf(chain, address));
    }
  return destinations;
}

function withdrawalCell(cells: readonly string[], name: string): string {
  return cells[FILE_COLUMNS.withdrawals.indexOf(name)] ?? '';
}

function journalInput(
  { month, zone, rates }: Pick<Closing, 'month' | 'zone' | 'rates'>,
  facts: JournalInput['facts'],
): JournalInput {
  const opening = month.sums && new Map(month.sums.map((sum) => [sum.asset, sum.opening]));
  return { zone, opening, fees: month.fees, facts, rates: rates?.rates ?? null };
}

type JournalSource = Pick<Closing, 'month' | 'checked'>;

/** The journal's rows in steps: adjustments first, then the period. */
async function* journalRows({ month, checked }: JournalSource, input: JournalInput): AsyncGenerator<JournalRow[]> {
  const journal = createStatementJournal(input);
  const late = lateMovements(month, checked.adjustments).sort((a, b) => a.at - b.at);
  yield late.flatMap((movement) => journal.add(movement, true));
  // Without a ledger they come from two lists, each in order.
  const lines = month.sums === null ? await movementsByTime(month.movements.text) : month.movements.text;
  for await (const movements of readMovements(lines)) yield movements.flatMap((movement) => journal.add(movement));
  yield journal.end();
}

async function journalFiles(source: JournalSource, input: JournalInput): Promise<NamedFile[]> {
  const columns = journalColumns(input);
  const [journal, exact] = [createLines(), createLines()];
  for await (const rows of journalRows(source, input)) {
    const lines = rows.map((row) => journalCells(row, columns));
    journal.add(lines.map(csvRow).join(''), lines.length);
    exact.add(lines.map(csvTextRow).join(''), lines.length);
  }
  return [fileOf('journal.csv', columns, journal.all()), fileOf('exact.csv', columns, exact.all())];
}

const NO_FACTS: JournalInput['facts'] = { of: () => ({ recipient: '', reference: '' }) };

/** Days and assets that the journal names, each pair once: a rate file should have a rate for it. */
export async function daysMoved(of: Pick<Closing, 'month' | 'checked' | 'zone'>): Promise<[string, string][]> {
  const pairs = new Map<string, [string, string]>();
  for await (const rows of journalRows(of, journalInput({ ...of, rates: null }, NO_FACTS)))
    for (const { date, asset } of rows) pairs.set(`${date} ${asset}`, [date, asset]);
  return [...pairs.values()];
}

const WITHDRAWALS_FILE = 'withdrawals.csv';
const PEOPLE_COLUMNS = ['recipient', 'reference', 'note', 'person'] as const;

/** Columns that exist only where people sign payments. */
const SIGNED_COLUMNS = ['prepared_by', 'approved_by'] as const;

async function withdrawalsFile(
  part: FileLines,
  facts: PaymentFacts,
  { operations }: TeamRecords,
): Promise<{ file: NamedFile; ids: Set<string> }> {
  const names = FILE_COLUMNS.withdrawals;
  const signed = operations.filter(isSignedOperation);
  const signers = new Map(
    signed.map(({ operation, approved }) => [
      knownResultId(operation),
      [authorName(operation), approved.map(({ name }) => name).join(', ')],
    ]),
  );
  const signedColumns = signed.length === 0 ? [] : SIGNED_COLUMNS;
  const lines = createLines();
  const ids = new Set<string>();
  for await (const rows of readCells(part.text)) {
    for (const cells of rows) {
      const id = withdrawalCell(cells, 'id');
      ids.add(id);
      const fact = facts.withdrawal(id);
      const by = signedColumns.map((_, at) => ({ text: signers.get(id)?.[at] ?? '' }));
      lines.add(csvRow([...cells, ...PEOPLE_COLUMNS.map((name) => ({ text: fact[name] })), ...by]), 1);
    }
  }
  return { file: fileOf(WITHDRAWALS_FILE, [...names, ...PEOPLE_COLUMNS, ...signedColumns], lines.all()), ids };
}

function isSignedOperation({ operation }: TeamRecords['operations'][number]): boolean {
  return operation.signed !== undefined;
}

/** Withdrawals recorded in the period, whatever became of them, and those that the service lists in it. */
function operationsFile({ month, session, records }: Closing, ids: ReadonlySet<string>): NamedFile[] {
  const { bounds, asOf } = month;
  const lines = createLines();
  for (const { operation, checks, approved, stopped } of records.operations.toReversed()) {
    const { service: at } = operation.firstSent;
    const isIn = at >= bounds.from && at < bounds.to;
    if (!isIn && !ids.has(knownResultId(operation) ?? '')) continue;
    const { service, account } = session;
    lines.add(evidenceJson({ record: operation, checks, approved, stopped, service, account }, asOf * 1000, 0), 1);
  }
  const written = lines.all();
  return written.rows === 0 ? [] : [{ name: 'operations.jsonl', ...written }];
}

function pageFile(of: Closing, hashed: ClosedPeriod['files']): NamedFile {
  const { name, number, zone, month, checked, session } = of;
  const { bounds, asOf, sums, parts } = month;
  const facts = {
    label: null,
    account: session.account,
    service: session.service,
    period: name,
    number,
    ...bounds,
    zone,
    asOf,
    closedBy: session.name,
    sums: sums?.map(({ balance, ...sum }) => ({ ...sum, balance: balance?.total ?? null })) ?? null,
    totals: closedTotals(parts),
    adjustments: checked.adjustments.map(statedAdjustment),
  };
  return { name: STATEMENT_FILE, rows: 1, text: fileBytes(statementPage(facts, hashed)) };
}

function statedAdjustment({ list, what, id, was, row }: Adjustment): StatementAdjustment {
  const amount = periodRowAmount(list, row);
  return {
    what,
    noun: NOUNS[list].one,
    id,
    was,
    status: stateOf(list, row),
    asset: row.asset ?? '',
    amount: isAmount(amount) ? amount : cellText(amount),
    at: isPlausibleTime(row.created_at) ? row.created_at : null,
  };
}

type SumLines = Pick<FrozenSum, (typeof SUM_LINES)[number]>;

function linesIn(sum: SumLines): SumLines {
  const { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing } = sum;
  return { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing };
}

/** The counts in the order of the file, whatever their order in the object. */
function countsIn({ deposits, withdrawals, swaps, fees, other, entries }: FrozenSum['counts']): FrozenSum['counts'] {
  return { deposits, withdrawals, swaps, fees, other, entries };
}

function fileOf(name: string, head: readonly string[], { rows, text }: FileLines): NamedFile {
  return { name, rows, text: fileBytes(csvHead(head), text) };
}

function tableOf(name: string, head: readonly string[], lines: readonly string[][]): NamedFile {
  return fileOf(name, head, { rows: lines.length, text: fileBytes(lines.map(csvRow).join('')) });
}

export function partFiles(parts: Month['parts']): NamedFile[] {
  return PERIOD_LISTS.flatMap((list) => {
    const part: FileLines | null = parts[list];
    return part ? fileOf(`${list}.csv`, FILE_COLUMNS[list], part) : [];
  });
}

const ADJUSTED = ['list', 'what', 'id', 'was', 'status', 'asset', 'amount', 'created_at', 'created_at_utc'];

function adjustmentsFile(adjustments: readonly Adjustment[]): NamedFile {
  const lines = adjustments.map(({ list, what, id, was, row }) => {
    const cells = [
      list,
      what,
      id,
      was ?? '',
      stateOf(list, row),
      cellText(row.asset),
      cellText(periodRowAmount(list, row)),
    ];
    return [...cells, ...cellsOf(row, ['created_at', 'created_at_utc'])];
  });
  return tableOf(ADJUSTMENTS_FILE, ADJUSTED, lines);
}

/** Without a ledger there is no opening or closing, only totals of the lists. */
function summaryFile({ sums, parts }: Month): NamedFile {
  if (sums === null) {
    const head = ['list', 'asset', 'status', 'rows', 'sum', 'rows_not_in_sum'];
    const lines = closedTotals(parts).map((total) => {
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
      to_exclusive: true,
      provider: session.service,
      account: session.account,
      as_of_utc: isoUtc(asOf),
      files: hashed,
      totals: closedTotals(parts),
      balances: sums?.map(({ asset, since, balance, difference, verdict, counts, ...sum }) => ({
        asset,
        ...linesIn(sum),
        since,
        balance: balance?.total ?? null,
        difference,
        verdict,
        counts: countsIn(counts),
      })),
      not_in_it: {
        without_time_asset_or_amount: unplaced.map(({ list, row: { id } }) => ({ list, id })),
        without_id: malformed,
        withdrawals_whose_fee_is_not_stated: feesUnknown,
      },
    },
    2,
  );
  return { name: evidencePath(TOTALS_FILE), rows: 1, text: fileBytes(`${text}\n`) };
}
