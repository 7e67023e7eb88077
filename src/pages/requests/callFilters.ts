import { readChoice, readText, withParams } from '#src/lib/searchParams.ts';
import { visible } from '#src/lib/text.ts';
import { isOperation, type LoggedCall } from './calls.ts';
import { type Outcome, OUTCOMES, outcomeOf } from './outcome.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The filters of the log as the URL has them. */
export interface CallFilters {
  method?: (typeof METHODS)[number];
  outcome?: Outcome;
  /** Part of a path, a request id or an idempotency key. */
  text?: string;
  /** Calls with an idempotency key only. */
  operations?: 'only';
}

/** Reads a search string; absent means default, junk falls back. */
export function readCallFilters(search: URLSearchParams): CallFilters {
  const method = readChoice(search, 'method', METHODS);
  const outcome = readChoice(search, 'outcome', OUTCOMES);
  const text = readText(search, 'text');
  const operations = readChoice(search, 'operations', ['only']);
  return {
    ...(method && { method }),
    ...(outcome && { outcome }),
    ...(text !== undefined && { text }),
    ...(operations && { operations }),
  };
}

/** The search string for other filters; parameters that are no filters stay. */
export function writeCallFilters(search: URLSearchParams, filters: CallFilters): string {
  const none = { method: undefined, outcome: undefined, text: undefined, operations: undefined };
  return withParams(search, { ...none, ...filters }).toString();
}

export function isFiltered(filters: CallFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** Whether a call fits; of a call of several attempts it is enough that one does. */
export function fits(call: LoggedCall, { method, outcome, text, operations }: CallFilters): boolean {
  if (method !== undefined && call.last.method !== method) return false;
  if (operations !== undefined && !isOperation(call)) return false;
  if (outcome !== undefined && !call.attempts.some((attempt) => outcomeOf(attempt) === outcome)) return false;
  if (text === undefined) return true;
  const needle = text.toLowerCase();
  const { path, key } = call.last;
  const words = [path, readable(path), key, ...call.attempts.map(({ requestId }) => requestId)];
  return words.some((word) => word?.toLowerCase().includes(needle));
}

/** What a person would type: an id with its characters as they are. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export const OUTCOME_WORDS: Record<Outcome, string> = {
  '2xx': '2xx',
  '4xx': '4xx',
  '5xx': '5xx',
  none: 'no answer',
};

/** "method POST, outcome 5xx"; empty without filters. */
export function describeCallFilters({ method, outcome, text, operations }: CallFilters): string {
  const parts: string[] = [];
  if (method !== undefined) parts.push(`method ${method}`);
  if (outcome !== undefined) parts.push(`outcome ${OUTCOME_WORDS[outcome]}`);
  if (text !== undefined) parts.push(`with “${visible(text)}”`);
  if (operations !== undefined) parts.push('operations only');
  return parts.join(', ');
}
