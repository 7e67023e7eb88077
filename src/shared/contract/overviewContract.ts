import * as v from 'valibot';
import { balanceSchema } from './rows.ts';

// GET /api/overview: the account's data for Home and other pages, from a reading that all its people share. It never says
// whether a payment was sent: only the journal does.

const text = v.nullable(v.string());
const unix = v.nullable(v.number());

export const READ_ERRORS = [
  'http',
  'network',
  'timeout',
  'redirect',
  'cut',
  'web-page',
  'not-json',
  'not-contract',
] as const;

/** Why a read of the provider failed. */
const errorSchema = v.object({
  kind: v.picklist(READ_ERRORS),
  status: v.nullable(v.number()),
  type: text,
  code: text,
  message: v.string(),
  request_id: text,
  /** Whether earlier pages could be read. */
  of_later_page: v.boolean(),
  /** By the server's clock, Unix seconds. */
  at: v.number(),
  /** The provider asked for no request before then, Unix seconds by the server's clock. */
  retry_at: unix,
});
export type OverviewError = v.InferOutput<typeof errorSchema>;
const error = v.nullable(errorSchema);

const infoSchema = v.object({
  requestId: text,
  /** The service's clock, Unix seconds. */
  date: unix,
  /** The server's clock, Unix seconds. */
  readAt: v.number(),
});
const info = v.nullable(infoSchema);

const paymentSchema = v.object({
  kind: v.picklist(['deposit', 'withdrawal']),
  id: v.string(),
  status: text,
  asset: text,
  chain: text,
  address: text,
  amount: v.optional(v.unknown(), null),
  fee: v.optional(v.unknown(), null),
  created_at: v.optional(v.unknown()),
});

const balancesSchema = v.object({
  ...infoSchema.entries,
  balances: v.array(balanceSchema),
  further: v.array(balanceSchema),
  malformed: v.array(v.unknown()),
  broken: text,
  complete: v.boolean(),
});

/** How far a list was read back. */
const reach = {
  /** The service doesn't offer this list. Withdrawals are then those recorded here. */
  not_offered: v.boolean(),
  error,
  /** About the response with the newest page; null before one was read. */
  info,
  /** The list was read without a gap from now back to this time, Unix seconds; null if it was read to its end. */
  reached: unix,
  /** Whether it was read back to the day that the page needs. */
  is_whole: v.boolean(),
  /** Whether more can be read when a person asks for it. */
  can_read_more: v.boolean(),
  /** Whether the server is reading more without being asked. */
  is_loading: v.boolean(),
};

const byStatus = v.array(v.object({ status: text, count: v.number() }));
const flowSchema = v.object({
  asset: text,
  sum: v.string(),
  count: v.number(),
  before: text,
  done: byStatus,
  others: byStatus,
  unreadable: v.number(),
  /** Completed rows without a readable time; a server of an earlier version doesn't count them. */
  untimed: v.optional(v.number(), 0),
});

const flowPeriodSchema = v.object({
  days: v.array(v.string()),
  start: v.number(),
  end: v.number(),
  before: v.object({ start: v.number(), end: v.number() }),
  loaded_days: v.array(v.string()),
  flows: v.array(v.object({ ...flowSchema.entries, by_day: v.array(v.string()) })),
});

const paymentsSchema = v.object({
  ...reach,
  malformed: v.number(),
  /** Number of rows read. */
  count: v.number(),
  newest: v.array(paymentSchema),
  /** Creation times of the newest rows, where known. */
  recent_times: v.array(v.number()),
  /** By number of days. */
  flows: v.record(v.string(), flowPeriodSchema),
  /** Found by the service's status filters; null before they were read. */
  open: v.nullable(
    v.object({
      ...infoSchema.entries,
      /** How many are open. */
      count: v.number(),
      /** Open payments that have waited longer than any payment should. Oldest first. */
      open: v.array(paymentSchema),
      failed: v.array(paymentSchema),
      partly: v.array(v.object({ status: v.string(), reason: text })),
    }),
  ),
  open_error: error,
});
export type OverviewPayments = v.InferOutput<typeof paymentsSchema>;

export const overviewSchema = v.object({
  object: v.literal('overview'),
  /** A reading is under way: request the overview again soon. */
  is_reading: v.boolean(),
  /** When the last reading ended, Unix seconds by the server's clock; null before the first. */
  read_at: unix,
  /** The provider asked for no request before then. */
  retry_at: unix,
  balances: v.nullable(balancesSchema),
  balances_error: error,
  deposits: paymentsSchema,
  withdrawals: paymentsSchema,
  /** Recent withdrawals that weren't sent from here, newest first. */
  outside: v.optional(v.array(paymentSchema), []),
  ledger: v.object({
    ...reach,
    /** Each asset's net movement by day; `days` null if an entry can't be counted. `moved` null before anything was read. */
    moved: v.nullable(v.array(v.object({ asset: text, days: v.nullable(v.array(v.tuple([v.string(), v.string()]))) }))),
  }),
  /** The usual duration of payments, in seconds; `chain` null for all chains together. */
  usual: v.array(
    v.object({
      kind: v.picklist(['deposit', 'withdrawal']),
      asset: text,
      chain: text,
      seconds: v.number(),
    }),
  ),
  /** When the money of failed payments last moved, by id. */
  last_moves: v.array(v.tuple([v.string(), v.number()])),
  /** Suggestions for input fields. */
  words: v.object({
    /** Each asset on each chain that payments have. */
    pairs: v.array(v.object({ asset: text, chain: v.string() })),
    statuses: v.object({ deposit: v.array(v.string()), withdrawal: v.array(v.string()) }),
  }),
});
export type Overview = v.InferOutput<typeof overviewSchema>;

const uses = v.array(
  v.object({
    source: v.picklist(['journal', 'service']),
    id: text,
    asset: text,
    chain: v.string(),
    address: v.string(),
    amount: text,
    at: unix,
    status: text,
  }),
);

export const knownAddressesSchema = v.object({
  object: v.literal('known-addresses'),
  /** Some of the latest withdrawals are still being read: request this again soon. */
  is_reading: v.boolean(),
  not_offered: v.boolean(),
  error,
  info,
  /** How many withdrawals `uses` was made from. */
  count: v.number(),
  /** Whether these are all of the service's withdrawals. */
  is_complete: v.boolean(),
  /** The latest withdrawals. */
  uses,
  /** The latest older withdrawal to each address that isn't in `uses`, as far back as the list was read. */
  older: uses,
});
export type KnownAddressList = v.InferOutput<typeof knownAddressesSchema>;

export const addressPaymentsSchema = v.object({
  object: v.literal('address-payments'),
  is_reading: v.boolean(),
  retry_at: unix,
  /** How far the list with these payments was read. */
  ...reach,
  /** Newest first. */
  payments: v.array(paymentSchema),
  /** Number of payments on the same chain that name no address and so might be to this one. */
  unnamed: v.number(),
  /** Number of items without a readable ID, which might be such payments; a server of an earlier version doesn't count them. */
  malformed: v.optional(v.number(), 0),
  /** Whether there are payments, and none of them names an address. */
  are_all_unnamed: v.boolean(),
});
/** Payments to the addresses of a recipient, or to a deposit address. */
export type AddressPayments = v.InferOutput<typeof addressPaymentsSchema>;

/** The payments in progress that make up part of a balance. */
const inProgressSchema = v.object({
  count: v.number(),
  /** Sum of the readable amounts. */
  sum: v.string(),
  /** False if there may be more. */
  is_all: v.boolean(),
  are_readable: v.boolean(),
  statuses: v.array(text),
  /** When the latest one was created; null if one of them has no time. */
  latest_at: unix,
  /** The payment, if there is just one. */
  only: v.nullable(paymentSchema),
});
export type InProgress = v.InferOutput<typeof inProgressSchema>;

const assetPaymentsSchema = v.object({
  ...reach,
  newest: v.array(paymentSchema),
  /** Null if they couldn't be read. */
  in_progress: v.nullable(inProgressSchema),
});

const monthSchema = v.object({
  /** "2026-11" */
  month: v.string(),
  from: v.string(),
  to: v.string(),
  opening: v.string(),
  deposits: v.string(),
  withdrawals: v.string(),
  swaps: v.string(),
  fees: v.string(),
  other: v.string(),
  /** Late rows of closed periods, counted in this month. */
  adjustments: v.string(),
  closing: v.string(),
  /** Whether the amounts come from a closed period's statement. */
  is_closed: v.boolean(),
  /** A withdrawal with an unknown fee is counted including the fee. */
  fees_unknown: v.boolean(),
});
export type LedgerMonth = v.InferOutput<typeof monthSchema>;

const swapSchema = v.object({
  kind: v.literal('swap'),
  id: v.string(),
  asset: text,
  amount: v.optional(v.unknown()),
  created_at: v.optional(v.unknown()),
  /** The asset of its other leg, if known. */
  other: text,
});
/** The ledger entry of a swap in one of its two assets, with a signed amount. */
export type SwapLeg = v.InferOutput<typeof swapSchema>;

export const assetOverviewSchema = v.object({
  object: v.literal('asset-overview'),
  is_reading: v.boolean(),
  retry_at: unix,
  /** The balance's total, which the rest was computed from. */
  total: text,
  chains: v.array(v.string()),
  deposits: assetPaymentsSchema,
  withdrawals: assetPaymentsSchema,
  ledger: v.object({
    ...reach,
    /** Whether all entries add up to the total; null if not all of them were read. */
    matches: v.nullable(v.boolean()),
    newest_swaps: v.array(swapSchema),
  }),
  /** The balance at the end of each day that the ledger was read for; `closings` null if an entry can't be counted. */
  days: v.array(v.string()),
  closings: v.nullable(v.array(v.string())),
  /** Newest first; null if an entry can't be counted. */
  months: v.nullable(v.array(monthSchema)),
  /** The time zone of the months, the same as that of closed periods. */
  month_zone: v.string(),
});
export type AssetOverview = v.InferOutput<typeof assetOverviewSchema>;
