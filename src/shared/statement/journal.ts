// The rows of journal.csv and exact.csv: a period's movements, oldest first, with the balance after each.
import { isNegative, isPositive, isZero } from '#src/shared/amount.ts';
import type { CsvCell } from '#src/shared/files/csv.ts';
import { add, multiply, subtract } from '#src/shared/money.ts';
import { capital } from '#src/shared/text.ts';
import { dateOf, formatClock, type Zone } from '#src/shared/time.ts';
import { type Movement, sourceKey } from './movement.ts';
import type { PaymentFacts } from './paymentFacts.ts';
import { type Rates, rateOn } from './rates.ts';

export const JOURNAL_COLUMNS = [
  'date',
  'time',
  'description',
  'recipient',
  'reference',
  'asset',
  'in',
  'out',
  'fee',
  'balance_after',
] as const;
export const VALUE_COLUMNS = ['value', 'currency', 'rate', 'rate_source'] as const;
const SOURCE_COLUMN = 'id';

/** Text from people and the provider, which a spreadsheet could take for a number or date. */
const TEXT_COLUMNS: ReadonlySet<string> = new Set([
  'description',
  'recipient',
  'reference',
  'asset',
  'rate_source',
  SOURCE_COLUMN,
]);

type JournalColumn = (typeof JOURNAL_COLUMNS)[number] | (typeof VALUE_COLUMNS)[number] | typeof SOURCE_COLUMN;
/** The cells as text, with exact amounts; empty if there is no value. */
export type JournalRow = Record<JournalColumn, string>;

export interface JournalInput {
  zone: Zone;
  /** The balance at the period's start, by asset; null without a ledger, and then there are no balances. */
  opening: ReadonlyMap<string, string> | null;
  /** By sourceKey(): fees that a withdrawal's movement includes. */
  fees: ReadonlyMap<string, string>;
  facts: Pick<PaymentFacts, 'of'>;
  rates: Rates | null;
}

export function journalColumns({ rates }: Pick<JournalInput, 'rates'>): readonly JournalColumn[] {
  return [...JOURNAL_COLUMNS, ...(rates === null ? [] : VALUE_COLUMNS), SOURCE_COLUMN];
}

/** The cells of a row, in the order of `columns`. */
export function journalCells(row: JournalRow, columns: readonly JournalColumn[]): CsvCell[] {
  return columns.map((column) => (TEXT_COLUMNS.has(column) ? { text: row[column] } : row[column]));
}

/** The sum of what one source moved in one asset and second. Moves between two books of an asset add up to zero. */
interface SourceMovement {
  first: Movement;
  amount: string;
  fee: string;
}

/** Takes movements oldest first and returns the rows that they complete. Movements of one second belong together. */
export function createStatementJournal({ zone, opening, fees, facts, rates }: JournalInput) {
  const balances = new Map(opening);
  const chargedSources = new Set<string>();
  /** By sourceKey(). */
  let currentSecond = new Map<string, SourceMovement>();
  let at: number | null = null;
  let isLate = false;

  /** The fee included in the first amount that a withdrawal sends; undefined if there is none. */
  function takeIncludedFee({ first: { asset, source, kind }, amount }: SourceMovement): string | undefined {
    const key = sourceKey(asset, source);
    if (kind !== 'withdrawals' || !isNegative(amount) || chargedSources.has(key)) return undefined;
    const fee = fees.get(key);
    if (fee !== undefined) chargedSources.add(key);
    return fee;
  }

  function rowOf(moved: SourceMovement): JournalRow | null {
    const { first } = moved;
    const { asset, source } = first;
    const includedFee = takeIncludedFee(moved);
    // Sums of zeros are skipped: most of 300,000 entries have no fee.
    const amount = includedFee === undefined ? moved.amount : add(moved.amount, includedFee);
    const fee = includedFee === undefined ? moved.fee : add(moved.fee, includedFee);
    if (isZero(amount) && isZero(fee)) return null;
    const net = isZero(fee) ? amount : subtract(amount, fee);
    const balance = opening === null ? '' : add(balances.get(asset) ?? '0', net);
    balances.set(asset, balance);
    const date = dateOf(first.at, zone);
    return {
      date,
      time: formatClock(first.at, zone),
      description: (isLate ? 'Adjustment of a closed period: ' : '') + describe(first, amount),
      ...facts.of(source),
      asset,
      in: isPositive(amount) ? amount : '',
      out: isNegative(amount) ? subtract('0', amount) : '',
      fee: isZero(fee) ? '' : fee,
      balance_after: balance,
      ...valueOf(net, rateOn(rates, date, asset)),
      id: source,
    };
  }

  function complete(): JournalRow[] {
    const rows = [...currentSecond.values()].map(rowOf).filter((row) => row !== null);
    currentSecond = new Map();
    at = null;
    return rows;
  }

  return {
    /** `late`: the movement is dated in a closed period but counts in this one. */
    add(movement: Movement, late = false): JournalRow[] {
      const rows = movement.at === at && late === isLate ? [] : complete();
      ({ at } = movement);
      isLate = late;
      const { asset, source, amount, kind } = movement;
      const key = sourceKey(asset, source);
      const moved = currentSecond.get(key) ?? { first: movement, amount: '0', fee: '0' };
      if (kind === 'fees') moved.fee = subtract(moved.fee, amount);
      else moved.amount = isZero(moved.amount) ? amount : add(moved.amount, amount);
      if (moved.first.kind === 'fees') moved.first = movement;
      currentSecond.set(key, moved);
      return rows;
    },
    end: complete,
  };
}

function valueOf(net: string, dayRate: ReturnType<typeof rateOn>): Pick<JournalRow, (typeof VALUE_COLUMNS)[number]> {
  if (dayRate === null) return { value: '', currency: '', rate: '', rate_source: '' };
  const { currency, rate, source } = dayRate;
  return { value: multiply(net, rate), currency, rate, rate_source: source };
}

function describe({ kind, type }: Movement, amount: string): string {
  switch (kind) {
    case 'deposits':
      return isNegative(amount) ? 'Deposit reversed' : 'Deposit';
    case 'withdrawals':
      return isNegative(amount) ? 'Withdrawal' : 'Withdrawal returned';
    case 'swaps':
      return 'Swap';
    case 'fees':
      return 'Fee';
    case 'other':
    case null:
      return type === '' ? 'Other movement' : capital(type);
  }
}
