import { useLocation, useNavigate } from 'react-router';
import { PATHS } from '#src/api/contract.ts';
import { paths } from '#src/lib/paths.ts';
import { ChoiceFilter } from '#src/list/ChoiceFilter.tsx';
import { FilterFrame } from '#src/list/FilterFrame.tsx';
import { FilterToggle } from '#src/list/FilterToggle.tsx';
import { SavedViews } from '#src/list/SavedViews.tsx';
import { WordFilter } from '#src/list/WordFilter.tsx';
import { type CallFilters, METHODS, OUTCOME_WORDS, writeCallFilters } from './callFilters.ts';
import { OUTCOMES } from './outcome.ts';

const methods = METHODS.map((value) => ({ value, label: value }));
const outcomes = OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value] }));
const knownPaths = (): readonly string[] => Object.values(PATHS);

/** The filters of the log; the URL is the only copy. */
export function RequestFilters({ filters }: { filters: CallFilters }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const choose = (next: CallFilters, how?: 'typed') =>
    void navigate(
      { search: writeCallFilters(new URLSearchParams(search), next) },
      { replace: how === 'typed', preventScrollReset: true },
    );
  const { method: _method, ...anyMethod } = filters;
  const { outcome: _outcome, ...anyOutcome } = filters;
  const { text: _text, ...anyText } = filters;
  const { operations: _operations, ...anyKind } = filters;
  return (
    <FilterFrame>
      <ChoiceFilter
        label="Method"
        value={filters.method}
        choices={methods}
        onChange={(method) => choose(method ? { ...anyMethod, method } : anyMethod)}
      />
      <ChoiceFilter
        label="Outcome"
        value={filters.outcome}
        choices={outcomes}
        onChange={(outcome) => choose(outcome ? { ...anyOutcome, outcome } : anyOutcome)}
      />
      <WordFilter
        label="Path or id"
        value={filters.text}
        suggestions={knownPaths}
        help="Part of a path, a request id or an idempotency key."
        onChange={(text, how) => choose(text === undefined ? anyText : { ...anyText, text }, how)}
      />
      <FilterToggle
        label="Kind"
        value={filters.operations ? 'operations only' : 'all calls'}
        set={filters.operations !== undefined}
        onChange={(only) => choose(only ? { ...anyKind, operations: 'only' } : anyKind)}
      />
      <SavedViews path={paths.requests()} />
    </FilterFrame>
  );
}
