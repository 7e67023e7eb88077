import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { LOG_CAPACITY, useRequestLog } from '#src/api/requestLog.ts';
import { counted, numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { FilterBar } from '#src/list/filters/FilterBar.tsx';
import { describeFilters, narrowing } from '#src/list/filters/filterTable.ts';
import { useFilters } from '#src/list/filters/useFilters.ts';
import { useOpenId } from '#src/list/useList.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { CALL_FILTERS, type CallFilters, fits } from './callFilters.tsx';
import { callsOf, type LoggedCall } from './calls.ts';
import '#src/list/list.css';
import { RequestsTable } from './RequestsTable.tsx';
import { SupportDialog } from './SupportDialog.tsx';

export function Component() {
  const log = useRequestLog();
  const { search } = useLocation();
  const openId = useOpenId(paths.requests());
  const state = useFilters<CallFilters>(CALL_FILTERS);
  const { filters } = state;
  const calls = useMemo(() => callsOf(log), [log]);
  const { rows, newer, show } = useShownCalls(calls, filters);
  const hrefOf = useCallback((number: number) => paths.request(String(number), search), [search]);
  const [bundled, setBundled] = useState(false);
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
            'Calls from this tab. Bodies are cleared on reload, everything on sign-out.'
          )
        }
        actions={
          <Button
            onClick={() => setBundled(true)}
            disabledReason={rows.length === 0 ? 'No call to copy' : undefined}
            reasonHidden
          >
            Copy for support
          </Button>
        }
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
      {bundled && <SupportDialog calls={rows} scope={scope} onClose={() => setBundled(false)} />}
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
            <bdi>{scope}</bdi>. <Link to={paths.requests()}>Clear all filters</Link>
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
    /** Calls that fit and are not shown yet. */
    newer: fitting.filter(({ number }) => !now.numbers.has(number)).length,
    show: () => setShown({ key, numbers: numbersOf(fitting) }),
  };
}

function numbersOf(calls: readonly LoggedCall[]): ReadonlySet<number> {
  return new Set(calls.map(({ number }) => number));
}
