import { PATHS } from '#src/api/contract.ts';
import { readChoice, readText } from '#src/lib/searchParams.ts';
import { visible } from '#src/lib/text.ts';
import { ChoiceFilter, FilterToggle } from '#src/list/filters/FilterControl.tsx';
import type { FilterTable } from '#src/list/filters/filterTable.ts';
import { WordFilter } from '#src/list/filters/listFilters.tsx';
import { isOperation, type LoggedCall, type Outcome, OUTCOMES, outcomeOf } from './calls.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The filters of the log as the URL has them. */
export interface CallFilters {
  method?: (typeof METHODS)[number];
  outcome?: Outcome;
  /** Part of a path, a request id or an idempotency key. */
  text?: string;
  /** Calls with an idempotency key only. */
  operations?: 'only';
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

const OUTCOME_WORDS: Record<Outcome, string> = {
  '2xx': '2xx',
  '4xx': '4xx',
  '5xx': '5xx',
  none: 'no response',
};
const methods = METHODS.map((value) => ({ value, label: value }));
const outcomes = OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }));
const knownPaths = (): readonly string[] => Object.values(PATHS);

export const CALL_FILTERS: FilterTable<CallFilters> = {
  method: {
    read: (search, name) => readChoice(search, name, METHODS),
    words: (method) => `method ${method}`,
    Control: (control) => <ChoiceFilter label="Method" choices={methods} {...control} />,
  },
  outcome: {
    read: (search, name) => readChoice(search, name, OUTCOMES),
    words: (outcome) => `result ${OUTCOME_WORDS[outcome]}`,
    Control: (control) => <ChoiceFilter label="Result" choices={outcomes} {...control} />,
  },
  text: {
    read: readText,
    words: (text) => `with “${visible(text)}”`,
    Control: ({ value, onChange }) => (
      <WordFilter
        label="Path or id"
        value={value}
        suggestions={knownPaths}
        help="Part of a path, a request id or an idempotency key."
        onChange={onChange}
      />
    ),
  },
  operations: {
    read: (search, name) => readChoice(search, name, ['only']),
    words: () => 'operations only',
    Control: ({ value, onChange }) => (
      <FilterToggle
        label="Kind"
        value={value ? 'operations only' : 'all calls'}
        set={value !== undefined}
        onChange={(only) => onChange(only ? 'only' : undefined)}
      />
    ),
  },
};
