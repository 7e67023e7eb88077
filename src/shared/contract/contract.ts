// Types, constants and words of the service's API contract, each with its section there. Imports nothing.
// A field is optional here where the contract leaves it open (2.2, 2.3: "not shown").

/** A decimal string such as "0.000000000000000001" (section 1). Never a number. */
export type AmountText = string;

/** Unix time in seconds (section 1). */
export type UnixSeconds = number;

/** 2.1 */
export interface Balance {
  object: 'balance';
  asset: string;
  available: AmountText;
  pending: AmountText;
  locked: AmountText;
  /** Always available + pending + locked. */
  total: AmountText;
  updated_at: UnixSeconds;
}

/** 2.2; which fields may be absent or null before broadcast is not stated. */
export interface Withdrawal {
  id: string;
  object: 'withdrawal';
  status: string;
  asset: string;
  chain: string;
  amount: AmountText;
  fee: AmountText | null;
  address: string;
  tx_hash: string | null;
  created_at: UnixSeconds;
}

/** 2.3; further fields are not shown. */
export interface Deposit {
  id: string;
  object: 'deposit';
  status: string;
  asset: string;
  chain: string;
  received_amount: AmountText;
  created_at: UnixSeconds;
}

/** 2.4 */
export interface ContractList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  /** Opaque; null when has_more is false. */
  next_cursor: string | null;
}

/** 7 */
export interface ErrorEnvelope {
  error: { type: string; code: string; message: string; request_id: string };
}

/** Filters of lists, under the contract's own names (4.4). */
export interface ListFilters {
  status?: string;
  asset?: string;
  /** For ledger entries: the id of the deposit or withdrawal that caused them. */
  source?: string;
  created_after?: UnixSeconds;
  created_before?: UnixSeconds;
  order?: 'asc';
}

/**
 * The lists (4, 9); `byId`: a row can be requested by its id (4.1), otherwise it must be searched for in the list. The lists
 * of withdrawals and ledger entries are not in the contract; a service may offer them.
 */
export const PROVIDER_LISTS = {
  deposits: { path: '/v1/deposits', byId: false },
  withdrawals: { path: '/v1/withdrawals', byId: true },
  'ledger-entries': { path: '/v1/ledger-entries', byId: false },
} as const;
export type ListName = keyof typeof PROVIDER_LISTS;

const PAYMENT_FILTERS = ['status', 'asset', 'created_after', 'created_before', 'order'] as const;

/** The filters of each list. The contract states those of deposits (4.4); the others are assumed to be similar. */
export const FILTER_NAMES = {
  deposits: PAYMENT_FILTERS,
  withdrawals: PAYMENT_FILTERS,
  'ledger-entries': ['asset', 'source', 'created_after', 'created_before', 'order'],
} as const satisfies Record<ListName, readonly (keyof ListFilters)[]>;
export type FilterNamesByList = { [L in ListName]: (typeof FILTER_NAMES)[L][number] };

/** 4.4 and 8 */
export const LIMIT_MIN = 1;
export const LIMIT_MAX = 100;
export const LIMIT_DEFAULT = 25;

/** 4.7 and 8 */
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
export const IDEMPOTENCY_RECORD_SECONDS = 24 * 60 * 60;

/** Header names as the contract writes them (4.7, 5). Request-Id is named in 4.7. */
export const API_KEY_HEADER = 'x-api-key';
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
export const IDEMPOTENCY_REPLAYED_HEADER = 'Idempotency-Replayed';
export const REQUEST_ID_HEADER = 'Request-Id';

/** Id prefixes that the contract states (2.2, 2.3). */
export const WITHDRAWAL_ID_PREFIX = 'wd_';
export const DEPOSIT_ID_PREFIX = 'dep_';

/** Error codes that the contract states (7). */
export const CODE_AUTHENTICATION_ERROR = 'authentication_error';
export const CODE_NOT_FOUND = 'not_found';
export const CODE_IDEMPOTENCY_KEY_REUSED = 'idempotency_key_reused';
export const CODE_INVALID_REQUEST = 'invalid_request_error';
export const TYPE_IDEMPOTENCY_ERROR = 'idempotency_error';

/** "Not found" by the service itself (7). A 404 without its envelope may come from a proxy. */
export function isNotFound({ status, type, code, requestId }: Said): boolean {
  return status === 404 && code === CODE_NOT_FOUND && type !== null && requestId !== null;
}

type Said = { status: number | null } & Record<'type' | 'code' | 'requestId', string | null>;

/** Paths (4, 9). */
export const PATHS = {
  balances: '/v1/balances',
  deposits: PROVIDER_LISTS.deposits.path,
  withdrawals: PROVIDER_LISTS.withdrawals.path,
  ledgerEntries: PROVIDER_LISTS['ledger-entries'].path,
  charges: '/v1/charges',
  webhookDeliveries: '/v1/webhook-deliveries',
} as const;
