import * as v from 'valibot';
import { ledgerEntrySchema } from './rows.ts';
import { JOB_STATES, problemSchema } from './jobsContract.ts';
import { closedTotalSchema, count, exactAmount, frozenSumSchema } from './statementContract.ts';

// The job that reads a month so that it can be closed: /api/jobs with the kind month-close, and POST /api/jobs/:id/close.

/**
 * - read: reads the period, and searches for late rows if its sums differ.
 * - search: searches for late rows of the period.
 * - prepare: reads everything before the period, so that it can be closed.
 */
export const MONTH_TASKS = ['read', 'search', 'prepare'] as const;
export type MonthTask = (typeof MONTH_TASKS)[number];

const unix = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(253_402_300_799));
const jobId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

/** POST /api/jobs. Returns the person's job for the same request if it hasn't ended, or if its result wasn't seen yet. */
export const monthRequestSchema = v.pipe(
  v.strictObject({
    kind: v.literal('month-close'),
    task: v.picklist(MONTH_TASKS),
    /** `from` included, `to` excluded. */
    from: unix,
    to: unix,
    /** How many closed periods the person sees; the request is refused if the number differs. */
    closed: count,
    /** The job whose reading it continues; null to read the period from the start. */
    reading: v.nullable(jobId),
  }),
  v.check(({ from, to }) => from < to, 'A period ends after it begins.'),
);
export type MonthRequest = v.InferOutput<typeof monthRequestSchema>;

const LISTS_OF_PERIOD = ['deposits', 'withdrawals', 'ledger'] as const;
const list = v.picklist(LISTS_OF_PERIOD);
const verdict = v.nullable(v.picklist(['agrees', 'explained', 'unexplained']));

const shownSumSchema = v.object({
  ...frozenSumSchema.entries,
  since: exactAmount,
  sinceEntries: count,
  pendingSince: v.nullable(exactAmount),
  takenOver: v.exactOptional(exactAmount),
  balance: v.nullable(v.object({ total: v.string(), pending: v.nullable(v.string()), at: v.nullable(v.number()) })),
  difference: v.nullable(exactAmount),
  verdict,
  closingVerdict: v.exactOptional(verdict),
  /** Entries that the balance doesn't include yet and that explain the difference; `rows`: the newest ones. */
  ahead: v.object({ count, rows: v.array(ledgerEntrySchema) }),
  /** Swaps with both legs; `rows`: the first ones. */
  swapped: v.object({
    count,
    rows: v.array(v.object({ source: v.string(), out: ledgerEntrySchema, in: ledgerEntrySchema })),
  }),
});
/** One asset of a period, as a page shows it. */
export type ShownSum = v.InferOutput<typeof shownSumSchema>;

export const shownMonthSchema = v.object({
  asOf: v.number(),
  /** Null if the service has no ledger. */
  sums: v.nullable(v.array(shownSumSchema)),
  totals: v.array(closedTotalSchema),
  /** Null for a list that the service doesn't offer. */
  rows: v.object({ deposits: count, withdrawals: v.nullable(count), ledger: v.nullable(count) }),
  unplaced: v.object({ count, ids: v.array(v.string()) }),
  malformed: count,
  feesUnknown: count,
});
export type ShownMonth = v.InferOutput<typeof shownMonthSchema>;

const adjustmentSchema = v.object({
  list,
  what: v.picklist(['late', 'changed']),
  id: v.string(),
  was: v.nullable(v.string()),
  row: ledgerEntrySchema,
});

const lateMovesSchema = v.object({
  asset: v.string(),
  amount: exactAmount,
  deposits: count,
  withdrawals: count,
  others: count,
});

/** Rows that are in no statement yet, or changed since they were included in one. */
export const shownLateSchema = v.object({
  rows: v.partial(v.object({ deposits: count, withdrawals: count, ledger: count })),
  adjustments: count,
  /** Without the ledger entries of payments that are listed themselves; `rows`: the first ones. */
  found: v.object({ count, rows: v.array(adjustmentSchema) }),
  /** One per asset. */
  moves: v.array(lateMovesSchema),
});
export type ShownLate = v.InferOutput<typeof shownLateSchema>;

const progressSchema = v.object({
  list,
  rows: count,
  reached: v.nullable(v.number()),
  share: v.nullable(v.number()),
  secondsLeft: v.nullable(v.number()),
});

export const monthJobSchema = v.object({
  id: v.string(),
  task: v.picklist(MONTH_TASKS),
  from: v.number(),
  to: v.number(),
  closed: count,
  state: v.picklist(JOB_STATES),
  doing: v.picklist(['reading', 'finding', 'checking']),
  progress: v.nullable(progressSchema),
  /** When the next request is made, if the provider doesn't answer or asked to wait; ms by the server's clock. */
  waits_until: v.nullable(v.number()),
  problem: v.nullable(problemSchema),
  /** Already available before the search for late rows has ended. */
  month: v.nullable(shownMonthSchema),
  late: v.nullable(shownLateSchema),
  /** For a prepared period: pairs of day and asset with movements, for which rates may be missing. */
  moved: v.array(v.tuple([v.string(), v.string()])),
  /** Hash of the whole reading; null until it has ended. */
  sha256: v.nullable(v.string()),
  /** When the server, on its own, got two equal readings of the month with nothing unresolved; Unix seconds. */
  prepared_at: v.nullable(v.number()),
});
export type MonthJob = v.InferOutput<typeof monthJobSchema>;

/** The `closing` id of a period that was closed from this job's reading. */
export function closingOfJob(id: string): string {
  return `closing_${id.replaceAll('-', '')}`;
}

/** Maximum size of a rate file. */
export const RATE_BYTES_MAX = 4_000_000;

/** valibot's own check overflows the stack on a file of this size, and takes seconds for a smaller one. */
const base64 = v.pipe(
  v.string(),
  v.check((text) => text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text), 'Must be base64.'),
);

/** POST /api/jobs/:id/close. Returns the item of the closed period; a repeated request returns the same item. */
export const closeRequestSchema = v.strictObject({
  /** Hash of the reading that the person saw. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** The rate file in base64, if any. */
  rates: v.nullable(base64),
});
