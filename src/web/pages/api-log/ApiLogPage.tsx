import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { LOG_CAPACITY, useRequestLog } from '#src/web/api/requestLog.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths, decoded } from '#src/shared/paths.ts';
import { FilterBar } from '#src/web/list/filters/FilterBar.tsx';
import { describeFilters, narrowing, type FilterTable } from '#src/web/list/filters/filterTable.ts';
import { useFilters } from '#src/web/list/filters/useFilters.ts';
import { useOpenId } from '#src/web/list/useList.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { callsOf, type LoggedCall, type Outcome, OUTCOMES, outcomeOf } from './calls.ts';
import { RequestsTable } from './RequestsTable.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { PATHS } from '#src/shared/contract/contract.ts';
import { readChoice, readText } from '#src/shared/searchParams.ts';
import { revealHidden, counted, numberWords } from '#src/shared/text.ts';
import { ChoiceFilter, FilterToggle } from '#src/web/list/filters/FilterControl.tsx';
import { WordFilter } from '#src/web/list/filters/listFilters.tsx';

const CopyForSupport = deferred(() => import('./CopyForSupport.tsx').then((read) => read.CopyForSupport));

export function Component() {
  const log = useRequestLog();
  const { search } = useLocation();
  const openId = useOpenId(paths.apiLog());
  const state = useFilters<CallFilters>(CALL_FILTERS);
  const { filters } = state;
  const calls = useMemo(() => callsOf(log), [log]);
  const { rows, newer, show } = useShownCalls(calls, filters);
  const hrefOf = (number: number) => paths.apiCall(String(number), search);
  const words = newer === 0 ? '' : counted(newer, 'newer call', 'newer calls');
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  const scope = describeFilters(filters, CALL_FILTERS, useZone());
  const filtered = narrowing(filters, CALL_FILTERS).length > 0;
  return (
    <div className="list-page">
      <PageHeader
        title="API log"
        asOf={
          newer > 0 ? (
            <button type="button" className="link" onClick={show}>
              Show {words}
            </button>
          ) : (
            'Calls from this tab. They are cleared on reload and on sign-out.'
          )
        }
        actions={rows.length > 0 && <CopyForSupport calls={rows} scope={scope} />}
      />
      <FilterBar state={state} />
      <div className="list-split">
        <div className="list-place">
          {rows.length === 0 ? (
            <NoCalls filtered={filtered} scope={scope} />
          ) : (
            <div className="list-scroll" data-list-scroll>
              <RequestsTable
                rows={rows}
                hrefOf={hrefOf}
                openNumber={openId === undefined ? null : Number(openId)}
                folded={!filtered}
              />
              <p className="list-foot">
                {counted(rows.length, 'call', 'calls')}
                {filtered && ' with these filters'}
                {log.length >= LOG_CAPACITY && `. Only the newest ${numberWords(LOG_CAPACITY)} attempts are kept.`}
              </p>
            </div>
          )}
        </div>
        {openId !== undefined && (
          <div className="list-detail">
            <Outlet />
          </div>
        )}
      </div>
    </div>
  );
}

function NoCalls({ filtered, scope }: { filtered: boolean; scope: string }) {
  const part = useRef<HTMLDivElement>(null);
  useReturnFocus(part);
  return (
    <div className="blank" ref={part}>
      <h2>{filtered ? 'No calls match' : 'No calls yet'}</h2>
      <p>
        {filtered ? (
          <>
            <bdi>{scope}</bdi>. <Link to={paths.apiLog()}>Clear all filters</Link>
          </>
        ) : (
          'Calls to the provider appear here as they are made.'
        )}
      </p>
    </div>
  );
}

/** The rows on screen: they follow what becomes of their calls, but none comes or goes until the person asks. */
function useShownCalls(calls: readonly LoggedCall[], filters: CallFilters) {
  const key = stringifyExact(filters);
  const fitting = calls.filter((call) => fits(call, filters));
  const [shown, setShown] = useState<{ key: string; numbers: ReadonlySet<number> }>({
    key,
    numbers: numbersOf(fitting),
  });
  const isOther = shown.key !== key || (shown.numbers.size === 0 && fitting.length > 0);
  const now = isOther ? { key, numbers: numbersOf(fitting) } : shown;
  // Other filters are another list, and where there is none nothing can move.
  if (isOther) setShown(now);
  return {
    /** Newest first; what was shown once stays, also when it fits no longer. */
    rows: calls.filter(({ number }) => now.numbers.has(number)),
    newer: fitting.filter(({ number }) => !now.numbers.has(number)).length,
    show: () => setShown({ key, numbers: numbersOf(fitting) }),
  };
}

function numbersOf(calls: readonly LoggedCall[]): ReadonlySet<number> {
  return new Set(calls.map(({ number }) => number));
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

export interface CallFilters {
  method?: (typeof METHODS)[number];
  outcome?: Outcome;
  /** Part of a path, a request id, an idempotency key or a body. */
  text?: string;
  /** Calls with an idempotency key only. */
  operations?: 'only';
}

/** Whether a call fits; of a call of several attempts it is enough that one does. */
export function fits(call: LoggedCall, { method, outcome, text, operations }: CallFilters): boolean {
  if (method !== undefined && call.last.method !== method) return false;
  if (operations !== undefined && call.last.key === null) return false;
  if (outcome !== undefined && !call.attempts.some((attempt) => outcomeOf(attempt) === outcome)) return false;
  if (text === undefined) return true;
  const needle = text.toLowerCase();
  const { path, key } = call.last;
  // A person types an id with its characters as they are.
  const words = [path, decoded(path), key, ...call.attempts.map(({ requestId }) => requestId)];
  if (words.some((word) => word?.toLowerCase().includes(needle))) return true;
  // Ids in bodies are letter by letter what they are.
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
