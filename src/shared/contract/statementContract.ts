import * as v from 'valibot';

// Closed periods as the team keeps them. Each holds its own files as one ZIP, in parts; what was closed never changes.

const given = (longest: number) => v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(longest));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const unix = v.pipe(v.number(), v.integer());
const exact = v.pipe(v.string(), v.regex(/^-?\d+(?:\.\d+)?$/));
const token = v.pipe(v.string(), v.regex(/^\w{8,64}$/));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** The first ones make the last; what left is negative. Adjustments are of what belongs to closed periods and was not in them. */
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
const COUNTED = ['deposits', 'withdrawals', 'fees', 'swaps', 'other', 'entries'] as const;

const frozenSumSchema = v.strictObject({
  asset: v.string(),
  ...v.entriesFromList(SUM_LINES, exact),
  counts: v.strictObject(v.entriesFromList(COUNTED, count)),
});
export type FrozenSum = v.InferOutput<typeof frozenSumSchema>;

const totalSchema = v.strictObject({
  list: v.picklist(['deposits', 'withdrawals', 'ledger']),
  asset: v.nullable(v.string()),
  status: v.nullable(v.string()),
  rows: count,
  sum: exact,
  /** Rows without a readable amount, not in the sum. */
  unreadable: count,
});
export type ClosedTotal = v.InferOutput<typeof totalSchema>;

export const closedPeriodSchema = v.strictObject({
  /** From 1; each begins where the one before ended. */
  number: v.pipe(count, v.minValue(1)),
  /** "October 2026, UTC" */
  name: given(120),
  /** Unix seconds: its first second, and the one after its last. */
  from: unix,
  to: unix,
  /** Unix seconds by the service's clock, when it was read. */
  asOf: unix,
  /** The newest deposit in it: the next one is read from there (contract 4.5 rule 5). */
  checkpoint: v.nullable(v.string()),
  /** null: the service offers no ledger. */
  sums: v.nullable(v.array(frozenSumSchema)),
  totals: v.array(totalSchema),
  rows: v.strictObject({
    deposits: count,
    withdrawals: v.nullable(count),
    ledger: v.nullable(count),
    adjustments: count,
  }),
  files: v.array(v.strictObject({ name: given(80), rows: count, bytes: count, sha256 })),
  zip: v.strictObject({ name: given(120), bytes: count, sha256 }),
  /** Names the parts that hold its ZIP. */
  closing: token,
  parts: v.pipe(count, v.minValue(1)),
});
/** A period that was closed; its item says by whom and when. */
export type ClosedPeriod = v.InferOutput<typeof closedPeriodSchema>;

export const closedPartSchema = v.strictObject({
  closing: token,
  part: count,
  /** Bytes of the ZIP, base64. */
  data: v.pipe(v.string(), v.base64()),
});
export type ClosedPart = v.InferOutput<typeof closedPartSchema>;

export function closedPeriodId({ number }: Pick<ClosedPeriod, 'number'>): string {
  return String(number);
}

export function closedPartId({ closing, part }: Pick<ClosedPart, 'closing' | 'part'>): string {
  return `${closing}.${part}`;
}
