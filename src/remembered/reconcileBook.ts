// Reconciliations as this browser keeps them (contract 4.5 rule 5 made usable): named, per service and account.
import * as v from 'valibot';
import { parseExact, stringifyExact } from '#src/lib/exactJson.ts';

/** A deposit as it was stated: the contract's fields (2.3), each as it came. */
const statedRowSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: v.nullable(v.string()),
  asset: v.nullable(v.string()),
  chain: v.nullable(v.string()),
  received_amount: v.unknown(),
  created_at: v.unknown(),
});
export type StatedRow = v.InferOutput<typeof statedRowSchema>;

const totalSchema = v.object({
  asset: v.nullable(v.string()),
  status: v.nullable(v.string()),
  rows: v.number(),
  /** Exact. */
  sum: v.string(),
  /** Rows without a readable amount, not in the sum. */
  unreadable: v.number(),
});
export type StatedTotal = v.InferOutput<typeof totalSchema>;

const unix = v.number();

/** Where a statement ended: the next one begins about an hour before it. */
const placeSchema = v.object({ id: v.string(), created_at: v.nullable(unix) });
export type Place = v.InferOutput<typeof placeSchema>;

/** A deposit that was not completed when it was stated; followed until it changes, or for 30 days. */
const carriedSchema = v.object({
  id: v.string(),
  /** As last stated. */
  status: v.nullable(v.string()),
  /** Number of the statement that has it. */
  statement: v.number(),
  /** Unix seconds by the service's clock, when it was stated. */
  since: unix,
});
export type Carried = v.InferOutput<typeof carriedSchema>;

const snapshotSchema = v.object({
  asset: v.string(),
  total: v.string(),
  updated_at: unix,
});

/** The balances when a statement was closed, for the movements since. */
const ledgerMarkSchema = v.object({
  balances: v.array(snapshotSchema),
  asOf: v.nullable(unix),
});
export type LedgerMark = v.InferOutput<typeof ledgerMarkSchema>;

const bookSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  service: v.pipe(v.string(), v.nonEmpty()),
  account: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(80)),
  /** Only deposits created from this second on; null: all. */
  since: v.nullable(unix),
  /** Statements closed so far; they are numbered from 1. */
  statements: v.pipe(v.number(), v.integer(), v.minValue(0)),
  last: v.nullable(placeSchema),
  carried: v.array(carriedSchema),
  /** null where the service offers no ledger. */
  ledger: v.nullable(ledgerMarkSchema),
});
/** One named reconciliation and how far it has come. */
export type Book = v.InferOutput<typeof bookSchema>;

const changeSchema = v.object({
  id: v.string(),
  was: v.nullable(v.string()),
  /** Number of the statement that had it. */
  statement: v.number(),
  row: statedRowSchema,
});
export type ChangedRow = v.InferOutput<typeof changeSchema>;

const statementSchema = v.object({
  book: v.string(),
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Unix seconds by the service's clock: nothing younger than 120 s before it is in the statement. */
  asOf: unix,
  /** The last deposit of the statement before. */
  after: v.nullable(placeSchema),
  last: v.nullable(placeSchema),
  fresh: v.array(statedRowSchema),
  /** New ones that stand before the last deposit of the statement before. */
  late: v.array(statedRowSchema),
  changed: v.array(changeSchema),
  /** No longer followed: never completed in 30 days. */
  givenUp: v.array(carriedSchema),
  totals: v.array(totalSchema),
});
/** What one run found, closed and never changed again. */
export type Statement = v.InferOutput<typeof statementSchema>;

const FORMAT = 'countinghouse-reconciliation';
const exportSchema = v.object({
  format: v.literal(FORMAT),
  version: v.literal(1),
  book: bookSchema,
  statements: v.array(statementSchema),
});

/** A book with all its statements, as a file for another browser. */
export function exportBook(book: Book, statements: readonly Statement[]): string {
  return `${stringifyExact({ format: FORMAT, version: 1, book, statements }, 1)}\n`;
}

/** What a file holds, or why it cannot be taken, in words. */
export function readBookFile(text: string): { book: Book; statements: Statement[] } | { fault: string } {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return { fault: 'This file is no JSON.' };
  }
  const parsed = v.safeParse(exportSchema, value);
  if (!parsed.success) {
    const place = v.getDotPath(parsed.issues[0]);
    return { fault: `This is no reconciliation of this app${place === null ? '' : ` (at “${place}”)`}.` };
  }
  const { book, statements } = parsed.output;
  const ordered = statements.toSorted((a, b) => a.number - b.number);
  const whole = ordered.every(({ number, book: of }, index) => number === index + 1 && of === book.id);
  if (!whole || ordered.length !== book.statements) return { fault: 'Statements are missing from this file.' };
  const ids = ordered.flatMap(({ fresh, late }) => [...fresh, ...late].map(({ id }) => id));
  if (new Set(ids).size !== ids.length) return { fault: 'A deposit stands in two statements of this file.' };
  return { book, statements: ordered };
}
