import * as v from 'valibot';

// Closed periods as stored for the team. Each has its files as one ZIP, stored beside it. A closed period never changes.

const nonEmptyText = (longest: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const unix = v.pipe(v.number(), v.integer());
export const exactAmount = v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/));
const token = v.pipe(v.string(), v.regex(/^\w{8,64}$/));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** The last line is the sum of the others; money sent is negative. Adjustments are late rows of periods already closed. */
export const SUM_LINES = [
  'opening',
  'deposits',
  'withdrawals',
  'fees',
  'swaps',
  'other',
  'adjustments',
  'closing',
] as const;
export const SUM_COUNTS = ['deposits', 'withdrawals', 'fees', 'swaps', 'other', 'entries'] as const;

export const frozenSumSchema = v.strictObject({
  asset: v.string(),
  ...v.entriesFromList(SUM_LINES, exactAmount),
  counts: v.strictObject(v.entriesFromList(SUM_COUNTS, count)),
});
export type FrozenSum = v.InferOutput<typeof frozenSumSchema>;

export const closedTotalSchema = v.strictObject({
  list: v.picklist(['deposits', 'withdrawals', 'ledger']),
  asset: v.nullable(v.string()),
  status: v.nullable(v.string()),
  rows: count,
  sum: exactAmount,
  /** Number of rows without a readable amount, which are not in the sum. */
  unreadable: count,
});
export type ClosedTotal = v.InferOutput<typeof closedTotalSchema>;

export const closedPeriodSchema = v.strictObject({
  /** From 1; each period begins where the previous one ended. */
  number: v.pipe(count, v.minValue(1)),
  /** "October 2026, UTC" */
  name: nonEmptyText(120),
  /** Unix seconds: the period's first second, and the one after its last. */
  from: unix,
  to: unix,
  /** When the period was read, in Unix seconds by the service's clock. */
  asOf: unix,
  /** The newest deposit in it: the next period is read from there (contract 4.5 rule 5). */
  checkpoint: v.nullable(v.string()),
  /** Null if the service offers no ledger. */
  sums: v.nullable(v.array(frozenSumSchema)),
  totals: v.array(closedTotalSchema),
  rows: v.strictObject({
    deposits: count,
    withdrawals: v.nullable(count),
    ledger: v.nullable(count),
    adjustments: count,
  }),
  files: v.array(v.strictObject({ name: nonEmptyText(80), rows: count, bytes: count, sha256 })),
  zip: v.strictObject({ name: nonEmptyText(120), bytes: count, sha256 }),
  /** Names its ZIP. */
  closing: token,
  /** The number of pieces in which the ZIP is stored. */
  parts: v.pipe(count, v.minValue(1)),
});
/** A closed period; the item that contains it says by whom and when. */
export type ClosedPeriod = v.InferOutput<typeof closedPeriodSchema>;

export function closedPeriodId({ number }: Pick<ClosedPeriod, 'number'>): string {
  return String(number);
}
