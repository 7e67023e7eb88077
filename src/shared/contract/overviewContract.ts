import * as v from 'valibot';
import { balanceSchema } from './rows.ts';

// GET /api/overview: what Home and other pages need of an account, from a reading that all its people share. Nothing in it
// says whether a payment was sent: that is the journal's.

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
  /** Rows came before it. */
  of_later_page: v.boolean(),
  /** By the server's clock, Unix seconds. */
  at: v.number(),
  /** The provider wants no request before then, Unix seconds by the server's clock. */
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
  /** The service has no such list; then withdrawals are those recorded here. */
  not_offered: v.boolean(),
  error,
  /** Of the newest page; null before one was read. */
  info,
  /** Read without a gap from now back to then, Unix seconds; null: to its end. */
  reached: unix,
  /** Read back to the day that the page needs. */
  is_whole: v.boolean(),
  /** It goes further back for a person who asks. */
  can_read_more: v.boolean(),
  /** It goes on by itself. */
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
  /** When the newest were created, as far as that is known. */
  recent_times: v.array(v.number()),
  /** By number of days. */
  flows: v.record(v.string(), flowPeriodSchema),
  /** Found by the service's status filters; null before they were read. */
  open: v.nullable(
    v.object({
      ...infoSchema.entries,
      /** All that are open. */
      count: v.number(),
      /** Those that have waited for longer than any payment may. Oldest first. */
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
  /** A reading is under way: ask again soon. */
  is_reading: v.boolean(),
  /** When the last reading ended, Unix seconds by the server's clock; null before the first. */
  read_at: unix,
  /** The provider wants no request before then. */
  retry_at: unix,
  balances: v.nullable(balancesSchema),
  balances_error: error,
  deposits: paymentsSchema,
  withdrawals: paymentsSchema,
  /** Withdrawals of the last days that weren't sent from here, newest first. */
  outside: v.optional(v.array(paymentSchema), []),
  ledger: v.object({
    ...reach,
    /** What moved an asset on each day; null: an entry can't be counted. Absent before anything was read. */
    moved: v.nullable(v.array(v.object({ asset: text, days: v.nullable(v.array(v.tuple([v.string(), v.string()]))) }))),
  }),
  /** The usual duration of payments, in seconds; `chain` null: on all chains. */
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
  /** Words to suggest where people type. */
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
  /** Some of the latest withdrawals are still being read: ask again soon. */
  is_reading: v.boolean(),
  not_offered: v.boolean(),
  error,
  info,
  /** Withdrawals that `uses` comes from. */
  count: v.number(),
  /** These are all of the service's withdrawals. */
  is_complete: v.boolean(),
  /** The latest withdrawals. */
  uses,
  /** Of older ones the latest to each address that isn't in `uses`, as far as they were read. */
  older: uses,
});
export type KnownAddressList = v.InferOutput<typeof knownAddressesSchema>;

export const addressPaymentsSchema = v.object({
  object: v.literal('address-payments'),
  is_reading: v.boolean(),
  retry_at: unix,
  /** Of the list that the payments are from. */
  ...reach,
  /** Newest first. */
  payments: v.array(paymentSchema),
  /** Payments on the same chain that name no address, so that they may be to this one, too. */
  unnamed: v.number(),
  /** No payment names an address, and there are some. */
  are_all_unnamed: v.boolean(),
});
/** Payments to the addresses of a recipient, or to a deposit address. */
export type AddressPayments = v.InferOutput<typeof addressPaymentsSchema>;

/** Payments in progress, which a part of a balance consists of. */
const inProgressSchema = v.object({
  count: v.number(),
  /** Of those with a readable amount. */
  sum: v.string(),
  /** Otherwise there may be more. */
  is_all: v.boolean(),
  are_readable: v.boolean(),
  statuses: v.array(text),
  /** Of the latest; null if one has no time. */
  latest_at: unix,
  /** If there is only one. */
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
  /** Late rows of closed periods that this month counts. */
  adjustments: v.string(),
  closing: v.string(),
  /** The amounts are those of a closed period's statement. */
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
  /** The asset of its other leg, where that is known. */
  other: text,
});
/** What the ledger has of a swap in one of its two assets; its amount has a sign. */
export type SwapLeg = v.InferOutput<typeof swapSchema>;

export const assetOverviewSchema = v.object({
  object: v.literal('asset-overview'),
  is_reading: v.boolean(),
  retry_at: unix,
  /** The total that the rest was computed from. */
  total: text,
  chains: v.array(v.string()),
  deposits: assetPaymentsSchema,
  withdrawals: assetPaymentsSchema,
  ledger: v.object({
    ...reach,
    /** Whether all of it adds up to the total; null: it isn't all read. */
    matches: v.nullable(v.boolean()),
    newest_swaps: v.array(swapSchema),
  }),
  /** The balance at the end of each day that the ledger was read for; `closings` null: an entry can't be counted. */
  days: v.array(v.string()),
  closings: v.nullable(v.array(v.string())),
  /** Newest first; null: an entry can't be counted. */
  months: v.nullable(v.array(monthSchema)),
  /** The zone of the months, as closed periods have it. */
  month_zone: v.string(),
});
export type AssetOverview = v.InferOutput<typeof assetOverviewSchema>;
