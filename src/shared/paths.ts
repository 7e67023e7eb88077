import { START_PATHS } from './operations/kind.ts';

// The URLs of the product's pages. Ids come from outside: always pass them through segment().

/** One path segment that the URL parser cannot take for anything else. */
export function segment(id: string): string {
  // Browsers resolve "." and ".." even when they are percent-encoded once.
  if (id === '.' || id === '..') return id.replaceAll('.', '%252E');
  return encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

const PARAMETER_MAX = 200;

/**
 * Whether a text can be one segment of a path at the service. It must not lead to another path even where the service, or
 * a proxy in front of it, decodes the path twice or before splitting it: no part "..", no escapes, no control characters.
 */
export function isPathParameter(text: string): boolean {
  const climbs = text.split(/[/\\;?#]/).some((part) => part === '.' || part === '..');
  return text !== '' && text.length <= PARAMETER_MAX && !climbs && !/[\p{Cc}\p{Cs}]|%[0-9a-f]{2}/iu.test(text);
}

/** As isPathParameter, for an id: unlike an asset code, it can't contain a slash. */
export function isIdParameter(text: string): boolean {
  return isPathParameter(text) && !/[/\\;?#]/.test(text);
}

/** Percent-decodes a part of a path; returns `otherwise` if it is malformed. */
export function decoded(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return otherwise;
  }
}

type Search = string | URLSearchParams | undefined;

function withSearch(path: string, search: Search): string {
  const text = search === undefined ? '' : String(search).replace(/^\?/, '');
  return text === '' ? path : `${path}?${text}`;
}

export function rowPath(list: string, id: string, search?: Search, below = ''): string {
  return withSearch(`${list}/${segment(id)}${below}`, search);
}

/**
 * The page of each of the service's lists. `path: '/x'` needs src/web/resources/x.tsx, each row has a page below it,
 * and some rows have a case file.
 */
export const LIST_PAGES = {
  deposits: { path: '/deposits', caseFile: true, drawnEarly: true },
  withdrawals: { path: '/withdrawals', caseFile: true, drawnEarly: true },
  'ledger-entries': { path: '/ledger', caseFile: false, drawnEarly: false },
} as const;

type ListPages = typeof LIST_PAGES;
/** Lists whose first rows are drawn before the app has loaded. */
export type EarlyList = {
  [L in keyof ListPages]: ListPages[L]['drawnEarly'] extends true ? L : never;
}[keyof ListPages];

export const HOME = '/';
export const BALANCES = '/balances';

const { deposits, withdrawals, 'ledger-entries': ledger } = LIST_PAGES;

export const paths = {
  home: HOME,
  balances: BALANCES,
  balance: (asset: string): string => `/balances/${segment(asset)}`,
  deposits: (search?: Search): string => withSearch(deposits.path, search),
  deposit: (id: string, search?: Search): string => rowPath(deposits.path, id, search),
  withdrawals: (search?: Search): string => withSearch(withdrawals.path, search),
  withdrawal: (id: string, search?: Search): string => rowPath(withdrawals.path, id, search),
  ledger: (search?: Search): string => withSearch(ledger.path, search),
  ledgerEntry: (id: string, search?: Search): string => rowPath(ledger.path, id, search),
  apiLog: (search?: Search): string => withSearch('/api-log', search),
  /** `call`: its number in this tab's log. */
  apiCall: (call: string, search?: Search): string => rowPath('/api-log', call, search),
  newWithdrawal: START_PATHS.withdrawal,
  newDepositAddress: START_PATHS['deposit-address'],
  replayDelivery: START_PATHS['webhook-replay'],
  operations: '/operations',
  operation: (key: string): string => `/operations/${segment(key)}`,
  approvals: '/approvals',
  batches: '/batches',
  /** `from`: of the batch whose failed payments it is filled with. */
  newBatch: (from?: string): string =>
    withSearch('/batches/new', from === undefined ? undefined : new URLSearchParams({ from })),
  batch: (id: string): string => `/batches/${segment(id)}`,
  standingPayments: '/standing-payments',
  monthClose: '/month-close',
  addresses: '/addresses',
  /** `id`: the key of the operation that created it. */
  address: (id: string): string => `/addresses/${segment(id)}`,
  recipients: '/recipients',
  recipient: (id: string): string => `/recipients/${segment(id)}`,
  simulator: '/simulator',
  people: '/people',
  policy: '/policy',
  activity: '/activity',
  notices: '/notices',
  exports: '/exports',
  ownAccount: '/account',
  /** `token`: of an invite, in the fragment, which no request contains. */
  join: (token?: string): string => (token === undefined ? '/join' : `/join#${token}`),
  /** `next` is the path, search and hash to come back to. */
  signIn: (next?: string): string =>
    withSearch('/sign-in', next === undefined || next === '/' ? undefined : new URLSearchParams({ next })),
};

/** Where to go after sign-in: a path of this product, or home for anything else (another origin, a loop, junk). */
export function nextPath(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next) || /^\/(?:sign-in|join|session|api|v1|sandbox)(?:[/?#]|$)/.test(next))
    return '/';
  // The URL parser drops tabs and line breaks, so "/\t/evil" would become another origin.
  return /[\t\n\r\\]/.test(next) ? '/' : next;
}
