import { PATHS } from '#src/shared/contract/contract.ts';
import { decoded } from '#src/shared/paths.ts';
import { readChoice, readText } from '#src/shared/searchParams.ts';
import { revealHidden } from '#src/shared/text.ts';
import { ChoiceFilter, FilterToggle } from '#src/web/list/filters/FilterControl.tsx';
import type { FilterTable } from '#src/web/list/filters/filterTable.ts';
import { WordFilter } from '#src/web/list/filters/listFilters.tsx';
import { type LoggedCall, type Outcome, outcomeClass, OUTCOMES } from './apiCalls.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface CallFilters {
  method?: (typeof METHODS)[number];
  outcome?: Outcome;
  /** Part of a path, a request id, an idempotency key or a body. */
  text?: string;
  /** Calls with an idempotency key only. */
  operations?: 'only';
}

/** Whether a call matches the filters. One matching attempt is enough. */
export function fits(call: LoggedCall, { method, outcome, text, operations }: CallFilters): boolean {
  if (method !== undefined && call.last.method !== method) return false;
  if (operations !== undefined && call.last.key === null) return false;
  if (outcome !== undefined && !call.attempts.some((attempt) => outcomeClass(attempt) === outcome)) return false;
  if (text === undefined) return true;
  const needle = text.toLowerCase();
  const { path, key } = call.last;
  // An ID may be typed as displayed, without the URL's encoding.
  const words = [path, decoded(path), key, ...call.attempts.map(({ requestId }) => requestId)];
  if (words.some((word) => word?.toLowerCase().includes(needle))) return true;
  // IDs in bodies must match in exact case.
  return call.attempts.some(({ body, answer }) => body?.text?.includes(text) || answer?.body?.text?.includes(text));
}

const outcomeLabel = (outcome: Outcome) => (outcome === 'none' ? 'no response' : outcome);
const methods = METHODS.map((value) => ({ value, label: value }));
const outcomes = OUTCOMES.map((value) => ({ value, label: outcomeLabel(value) }));
const knownPaths = (): readonly string[] => Object.values(PATHS);

export const CALL_FILTERS: FilterTable<CallFilters> = {
  method: {
    read: (search, name) => readChoice(search, name, METHODS),
    words: (method) => `method ${method}`,
    Control: (control) => <ChoiceFilter label="Method" choices={methods} {...control} />,
  },
  outcome: {
    read: (search, name) => readChoice(search, name, OUTCOMES),
    words: (outcome) => `result ${outcomeLabel(outcome)}`,
    Control: (control) => <ChoiceFilter label="Result" choices={outcomes} {...control} />,
  },
  text: {
    read: readText,
    words: (text) => `with “${revealHidden(text)}”`,
    Control: ({ value, onChange }) => (
      <WordFilter
        label="Path or ID"
        value={value}
        suggestions={knownPaths}
        help="Part of a path, a request ID, an Idempotency-Key or a body."
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
