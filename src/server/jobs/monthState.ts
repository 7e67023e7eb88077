import * as v from 'valibot';
import { shownLateSchema, shownMonthSchema } from '#src/shared/contract/monthJobContract.ts';

/** The format version of a stored reading. With another version, the month is read again. */
export const READING_VERSION = 1;

const nullableNumber = v.nullable(v.number());

/** The progress of a reading, and the part of it that a page shows. The rows are in the job's parts once it has ended. */
export const monthStateSchema = v.object({
  version: v.number(),
  doing: v.picklist(['reading', 'finding', 'checking']),
  progress: v.nullable(
    v.object({
      list: v.picklist(['deposits', 'withdrawals', 'ledger']),
      rows: v.number(),
      reached: nullableNumber,
      share: nullableNumber,
      secondsLeft: nullableNumber,
    }),
  ),
  /** Rows read so far, of all lists. */
  rows: v.number(),
  /** Total size of the parts. */
  bytes: v.number(),
  month: v.nullable(shownMonthSchema),
  late: v.nullable(shownLateSchema),
  moved: v.array(v.tuple([v.string(), v.string()])),
  /** The files in the parts, in order. */
  files: v.array(v.object({ name: v.string(), pieces: v.number() })),
});
export type MonthState = v.InferOutput<typeof monthStateSchema>;

export const NOTHING_READ: MonthState = {
  version: READING_VERSION,
  doing: 'reading',
  progress: null,
  rows: 0,
  bytes: 0,
  month: null,
  late: null,
  moved: [],
  files: [],
};
