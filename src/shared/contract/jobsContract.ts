import * as v from 'valibot';
import { authorEntries } from '#src/shared/author.ts';
import { isAmount } from '#src/shared/amount.ts';
import { rowSumSchema } from '#src/shared/export/rowTotals.ts';
import { FILTER_NAMES, type ListFilters, type ListName, PROVIDER_LISTS } from './contract.ts';
import { zoneNamed } from '#src/shared/time.ts';
import { isStorable } from '#src/shared/text.ts';

// Background jobs, which run even when no page is open: /api/jobs. Errors are the contract's envelope (section 7).

export const JOBS_PATH = '/api/jobs';

/** For how long a file can be downloaded, and a stopped job continued. */
export const FILE_KEPT_HOURS = 24;
/** Maximum jobs per person that have a file or aren't done. */
export const JOBS_MAX = 20;

export const JOB_KINDS = ['export', 'month-close'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const LIST_NAMES = Object.keys(PROVIDER_LISTS).filter((name): name is ListName => Object.hasOwn(PROVIDER_LISTS, name));

const word = v.pipe(v.string(), v.minLength(1), v.maxLength(200), v.check(isStorable));
const unix = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(253_402_300_799));
const amount = v.pipe(
  v.string(),
  v.check((text) => isAmount(text) && !text.startsWith('-')),
);

const providerFilterSchemas = {
  status: v.exactOptional(word),
  asset: v.exactOptional(word),
  source: v.exactOptional(word),
  created_after: v.exactOptional(unix),
  created_before: v.exactOptional(unix),
  order: v.exactOptional(v.literal('asc')),
} satisfies Record<keyof ListFilters, unknown>;

const filtersSchema = v.strictObject({
  ...providerFilterSchemas,
  chain: v.exactOptional(word),
  to: v.exactOptional(word),
  min_amount: v.exactOptional(amount),
  max_amount: v.exactOptional(amount),
});
export type ExportFilters = v.InferOutput<typeof filtersSchema>;

/** Filters that the provider doesn't support: the server itself leaves out rows that don't match. */
export const ROW_FILTER_NAMES = {
  deposits: ['chain', 'min_amount', 'max_amount'],
  withdrawals: ['chain', 'to', 'min_amount', 'max_amount'],
  'ledger-entries': [],
} as const satisfies Record<ListName, readonly (keyof ExportFilters)[]>;
export type RowFilter = (typeof ROW_FILTER_NAMES)[ListName][number];

/** POST /api/jobs for an export. For a month-close: monthJobContract.ts. */
export const exportSchema = v.pipe(
  v.strictObject({
    kind: v.literal('export'),
    list: v.picklist(LIST_NAMES),
    format: v.picklist(EXPORT_FORMATS),
    /** The zone of the column created_at_zoned: "UTC" or a name such as "Europe/Berlin". */
    zone: v.pipe(
      v.string(),
      v.maxLength(60),
      v.check((name) => zoneNamed(name) !== null),
    ),
    filters: filtersSchema,
  }),
  v.check(({ list, filters }) => {
    const known = new Set<string>([...FILTER_NAMES[list], ...ROW_FILTER_NAMES[list]]);
    return Object.keys(filters).every((name) => known.has(name));
  }, 'The list has no such filter.'),
);
export type ExportRequest = v.InferOutput<typeof exportSchema>;

/**
 * - waiting: for another job of the person, or for a free server.
 * - running: a server works on it.
 * - stopped: a person can continue it from its last page; the rows so far can be downloaded.
 * - done, cancelled: final.
 */
export const JOB_STATES = ['waiting', 'running', 'stopped', 'done', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/**
 * Why a job stopped. `server-restarted`: the API key was only in the memory of a server that ended. `signed-out`: the session
 * whose key it used ended. `not-permitted`: the person was blocked or lost their roles. `moved-on`: a period was closed in
 * the meantime.
 */
export const STOP_CODES = [
  'server-restarted',
  'signed-out',
  'not-permitted',
  'provider-refused',
  'provider-silent',
  'not-contract',
  'too-large',
  'moved-on',
  'failed',
] as const;
export type StopCode = (typeof STOP_CODES)[number];

export const problemSchema = v.object({
  /** A code from a newer version reads as 'failed'; the message says more. */
  code: v.fallback(v.picklist(STOP_CODES), 'failed'),
  message: v.string(),
  /** The Request-Id of the provider's response. */
  request_id: v.nullable(v.string()),
});
export type JobProblem = v.InferOutput<typeof problemSchema>;

export const jobSchema = v.object({
  id: v.string(),
  kind: v.string(),
  list: v.picklist(LIST_NAMES),
  format: v.picklist(EXPORT_FORMATS),
  zone: v.string(),
  filters: filtersSchema,
  state: v.picklist(JOB_STATES),
  /** Who started it. */
  ...authorEntries,
  /** Unix seconds by the database's clock. */
  created_at: v.number(),
  ended_at: v.nullable(v.number()),
  /** When its file is deleted and it can't be continued any more; null before it ends, and afterwards. */
  expires_at: v.nullable(v.number()),
  rows: v.number(),
  bytes: v.number(),
  /** Progress from 0 to 1, by how much of the period the rows cover; null if that can't be computed. */
  covered: v.nullable(v.number()),
  /** The created_at of the last row, Unix seconds; null without rows, or if the row has none. */
  reached_at: v.nullable(v.number()),
  /** How long servers worked on it, in ms. */
  worked_ms: v.number(),
  /** When the next request is made, if the provider doesn't answer or asked to wait; ms by the server's clock. */
  waits_until: v.nullable(v.number()),
  problem: v.nullable(problemSchema),
  /** When its file was first downloaded, Unix seconds. */
  downloaded_at: v.nullable(v.number()),
  /** Null before the file exists and after it was deleted. */
  file: v.nullable(
    v.object({
      name: v.string(),
      bytes: v.number(),
      sha256: v.string(),
      /** False if the job stopped, so that rows are missing. */
      complete: v.boolean(),
    }),
  ),
});
export type Job = v.InferOutput<typeof jobSchema>;

const summarySchema = v.object({
  totals: v.array(rowSumSchema),
  /** Counts of rows that aren't in the file, by reason: see ExportState. */
  repeated: v.number(),
  malformed: v.number(),
  newer: v.number(),
  outside: v.number(),
  unmatched: v.number(),
  may_have_moved: v.array(v.string()),
});
export type ExportSummary = v.InferOutput<typeof summarySchema>;

/** GET /api/jobs/:id, POST /api/jobs and POST /api/jobs/:id/continue. */
export const jobDetailSchema = v.object({
  ...jobSchema.entries,
  /** Null for a job without a file. */
  summary: v.nullable(summarySchema),
  /** Control totals as a JSON text, for a job with a file. */
  manifest: v.nullable(v.string()),
});
export type JobDetail = v.InferOutput<typeof jobDetailSchema>;

/** GET /api/jobs: the reader's exports, newest first; with SIGN_IN=key, the account's. */
export const jobListSchema = v.object({ data: v.array(jobSchema) });

/**
 * Codes of this interface's own errors.
 * - not_found (404): no such job, or another person's; no_file (404): it has none yet.
 * - gone (410): its file was deleted.
 * - moved_on (409): the job's state doesn't allow this; for a close, with the `item` of the period that is already closed.
 * - full (422): the person has JOBS_MAX jobs; too_many (429): too many changes a minute.
 * - invalid_request_error (422), method_not_allowed (405).
 * - read_only, key_refused, set_back, not_permitted (403).
 * - not_ready (503): the database can't be reached.
 */
export type JobErrorCode =
  | 'not_found'
  | 'no_file'
  | 'gone'
  | 'moved_on'
  | 'full'
  | 'too_many'
  | 'invalid_request_error'
  | 'method_not_allowed'
  | 'read_only'
  | 'set_back'
  | 'key_refused'
  | 'not_permitted'
  | 'not_ready';
