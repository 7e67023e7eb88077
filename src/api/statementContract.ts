import * as v from 'valibot';

// Reconciliations as the team keeps them (contract 4.5 rule 5 made usable). A statement's rows stand in parts, for
// there may be 100,000 of them; what was stated is never changed.

const given = (longest: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const unix = v.number();
const word = v.nullable(v.string());

const placeSchema = v.strictObject({ id: v.string(), created_at: v.nullable(unix) });
/** Where a statement ended: the next one begins about an hour before it. */
export type Place = v.InferOutput<typeof placeSchema>;

const ledgerMarkSchema = v.strictObject({
  balances: v.array(v.strictObject({ asset: v.string(), total: v.string(), updated_at: unix })),
  asOf: v.nullable(unix),
});
/** The balances when a statement was closed, for the movements since. */
export type LedgerMark = v.InferOutput<typeof ledgerMarkSchema>;

export const bookSchema = v.strictObject({
  name: given(80),
  /** Only deposits created from this second on; null: all. */
  since: v.nullable(unix),
  /** Statements closed so far; they are numbered from 1. */
  statements: count,
  last: v.nullable(placeSchema),
  /** Deposits of the last statement that were not completed, and are followed. */
  followed: count,
  /** null where the service offers no ledger. */
  ledger: v.nullable(ledgerMarkSchema),
});
/** A reconciliation and how far it has come. */
export type Book = v.InferOutput<typeof bookSchema>;

const totalSchema = v.strictObject({
  asset: word,
  status: word,
  rows: count,
  /** Exact. */
  sum: v.string(),
  /** Rows without a readable amount, not in the sum. */
  unreadable: count,
});
export type StatedTotal = v.InferOutput<typeof totalSchema>;

const token = v.pipe(v.string(), v.regex(/^\w{8,64}$/));

export const statementSchema = v.strictObject({
  book: given(100),
  number: v.pipe(count, v.minValue(1)),
  /** Made by whoever closed it: its rows are the parts under this name. */
  closing: token,
  /** How many parts. */
  parts: count,
  /** Unix seconds by the service's clock: nothing younger than 120 s before it is in the statement. */
  asOf: unix,
  /** The last deposit of the statement before. */
  after: v.nullable(placeSchema),
  last: v.nullable(placeSchema),
  counts: v.strictObject({ fresh: count, late: count, changed: count, givenUp: count, carried: count }),
  totals: v.array(totalSchema),
});
/** A statement without its rows; closed and never changed again. */
export type Statement = v.InferOutput<typeof statementSchema>;

const statedRowSchema = v.strictObject({
  id: v.pipe(v.string(), v.nonEmpty()),
  status: word,
  asset: word,
  chain: word,
  /** As it came, a number with its digits. */
  received_amount: v.unknown(),
  created_at: v.unknown(),
});
/** A deposit as it was stated: the contract's fields (2.3), each as it came. */
export type StatedRow = v.InferOutput<typeof statedRowSchema>;

const carriedSchema = v.strictObject({
  id: v.string(),
  /** As last stated. */
  status: word,
  /** Number of the statement that has it. */
  statement: count,
  /** Unix seconds by the service's clock, when it was stated. */
  since: unix,
});
/** A deposit that was not completed when it was stated; followed until it changes, or for 30 days. */
export type Carried = v.InferOutput<typeof carriedSchema>;

const changedSchema = v.strictObject({
  id: v.string(),
  was: word,
  /** Number of the statement that had it. */
  statement: count,
  row: statedRowSchema,
});
export type ChangedRow = v.InferOutput<typeof changedSchema>;

export const partSchema = v.strictObject({
  closing: token,
  part: count,
  fresh: v.array(statedRowSchema),
  /** New ones that stand before the last deposit of the statement before. */
  late: v.array(statedRowSchema),
  changed: v.array(changedSchema),
  /** No longer followed: never completed in 30 days. */
  givenUp: v.array(carriedSchema),
  /** Followed from this statement on. */
  carried: v.array(carriedSchema),
});
/** Rows of a statement: as many as fit in one item. */
export type StatementPart = v.InferOutput<typeof partSchema>;

export function statementId({ book, number }: Pick<Statement, 'book' | 'number'>): string {
  return `${book}.${number}`;
}

export function partId({ closing, part }: Pick<StatementPart, 'closing' | 'part'>): string {
  return `${closing}.${part}`;
}

/** POST /api/team/reconciliations/:id/close: statement and book at once; `revision`: the book's. Answers with the book. */
export const closeSchema = v.object({
  revision: count,
  statement: statementSchema,
  ledger: v.nullable(ledgerMarkSchema),
});
