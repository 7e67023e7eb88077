// The server's own interface, as far as every page needs to know it.
import { isObject } from './answers.ts';

export const OPERATIONS_PATH = '/api/operations';
export const REVIEW_PATH = `${OPERATIONS_PATH}/review`;
/** What waits for an end, as the banner of every page asks for it. */
export const OPEN_OPERATIONS = `${OPERATIONS_PATH}?limit=100&state=open`;

/** Whether the answer to that says that nothing waits; false for what is no such answer. */
export function hasNoOpenOperations(said: unknown): boolean {
  return isObject(said) && [said['data'], said['unreadable']].every((list) => Array.isArray(list) && list.length === 0);
}

/** The journal's mark: in every response of /api/operations, and brought back with every request to the server itself. */
export const JOURNAL_HEADER = 'Journal';

/** Under which a browser keeps what it remembers of a person's reading. */
export const PREFERENCES_KEY = 'countinghouse.preferences';
