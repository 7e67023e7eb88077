// The server's own interface, as far as every page needs to know it.
import { isObject } from './answers.ts';

export const OPERATIONS_PATH = '/api/operations';
export const REVIEW_PATH = `${OPERATIONS_PATH}/review`;
/** Unresolved operations, as every page's banner requests them. */
export const OPEN_OPERATIONS = `${OPERATIONS_PATH}?limit=100&state=open`;

/** Whether that response says that none is unresolved; false if it isn't such a response. */
export function hasNoOpenOperations(said: unknown): boolean {
  return isObject(said) && [said['data'], said['unreadable']].every((list) => Array.isArray(list) && list.length === 0);
}

/** The journal's mark: in every response of /api/operations, and brought back with every request to the server itself. */
export const JOURNAL_HEADER = 'Journal';

/** Under which a browser keeps what it remembers of a person's reading. */
export const PREFERENCES_KEY = 'countinghouse.preferences';
