// The part of the server's own API that every page needs.
import { isObject } from './answers.ts';

/** Only with SIGN_IN=passkey. */
export const TICKET_PATH = '/session/ticket';
export const PASSKEY_SIGN_IN_PATH = '/session/passkey';
export const SWITCH_ACCOUNT_PATH = '/session/account';
/** Only in the sandbox, with SIGN_IN=passkey. */
export const DEMO_SIGN_IN_PATH = '/session/demo';

/** Only with SIGN_IN=oidc. */
export const OIDC_PATH = '/session/oidc';
export const OIDC_CALLBACK_PATH = `${OIDC_PATH}/callback`;

export const OPERATIONS_PATH = '/api/operations';
export const REVIEW_PATH = `${OPERATIONS_PATH}/review`;
export const CLOSE_SET_BACK_PATH = `${OPERATIONS_PATH}/close-set-back`;
/** Unresolved operations, as every page's banner requests them. */
export const OPEN_OPERATIONS = `${OPERATIONS_PATH}?limit=100&state=open`;

/** Whether a response to OPEN_OPERATIONS says that none is unresolved; false if it isn't such a response. */
export function hasNoOpenOperations(body: unknown): boolean {
  return isObject(body) && [body['data'], body['unreadable']].every((list) => Array.isArray(list) && list.length === 0);
}

/** The journal's mark: sent with every response of /api/operations, and returned with every request to the server. */
export const JOURNAL_HEADER = 'Journal';

/** Sent with requests made while a person uses the page; only those keep the session from becoming idle. */
export const PERSON_HEADER = 'Person-Active';

/** The localStorage key of a person's display preferences. */
export const PREFERENCES_KEY = 'countinghouse.preferences';

/** An account's balances, flows and open payments, as pages show them (shared/contract/overviewContract.ts). */
export const OVERVIEW_PATH = '/api/overview';
/** The addresses that the account's withdrawals paid, from the same data. */
export const KNOWN_ADDRESSES_PATH = `${OVERVIEW_PATH}/addresses`;
/** One asset's balance over time and latest movements. */
export const ASSET_OVERVIEW_PATH = `${OVERVIEW_PATH}/assets`;
/** The withdrawals to a recipient. */
export const RECIPIENT_PAYMENTS_PATH = `${OVERVIEW_PATH}/recipients`;
/** The deposits to an address that was created here. */
export const ADDRESS_DEPOSITS_PATH = `${OVERVIEW_PATH}/deposit-addresses`;
export const SIGN_TICKET_PATH = '/api/approvals/ticket';
