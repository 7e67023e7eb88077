import { useEffect, useMemo, useState } from 'react';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { LOG_CAPACITY, useRequestLog } from '#src/web/api/requestLog.ts';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { CALL_FILTERS, type CallFilters, fits } from './apiCallFilters.tsx';
import { callsOf, type LoggedCall } from './apiCalls.ts';
import { ApiCallsTable } from './ApiCallsTable.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import type { ListView } from './useListView.ts';

const CopyForSupport = deferred(() => import('./CopyForSupport.tsx').then((read) => read.CopyForSupport));

/** The calls of this tab, from memory. It has its own table, in which successful reads are folded. */
export const apiLog = {
  title: 'API log',
  path: paths.apiLog(),
  noun: { one: 'call', many: 'calls' },
  label: 'Calls',
  keyOf: ({ number }) => String(number),
  filters: CALL_FILTERS,
  hasDetails: true,
  Table: ApiCallsTable,
  Empty: () => <EmptyState title="No calls yet">Calls to the provider appear here as they are made.</EmptyState>,
} satisfies OwnList<LoggedCall, CallFilters>;

type CallsView = Pick<ListView<LoggedCall, CallFilters, string>, 'filterState' | 'scope'>;

export function useApiCallRows({ filterState, scope }: CallsView): OwnListRows<LoggedCall> {
  const log = useRequestLog();
  const calls = useMemo(() => callsOf(log), [log]);
  const { rows, newer, show } = useVisibleCalls(calls, filterState.filters);
  const words = newer === 0 ? '' : counted(newer, 'newer call', 'newer calls');
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  return {
    rows,
    query: null,
    isEmpty: rows.length === 0,
    asOf:
      newer > 0 ? (
        <button type="button" className="link" onClick={show}>
          Show {words}
        </button>
      ) : (
        'Calls from this tab. They are cleared on reload and on sign-out.'
      ),
    actions: rows.length > 0 && <CopyForSupport calls={rows} scope={scope} />,
    foot: footText(rows.length, scope !== '', log.length >= LOG_CAPACITY),
  };
}

function footText(count: number, isFiltered: boolean, isFull: boolean): string {
  const calls = `${counted(count, 'call', 'calls')}${isFiltered ? ' with these filters' : ''}`;
  return isFull ? `${calls}. Only the newest ${numberWords(LOG_CAPACITY)} attempts are kept.` : calls;
}

/** The visible calls. They are updated in place, but none is added or removed until the person asks for newer ones. */
function useVisibleCalls(calls: readonly LoggedCall[], filters: CallFilters) {
  const key = stringifyExact(filters);
  const fitting = calls.filter((call) => fits(call, filters));
  const [visible, setVisible] = useState<{ key: string; numbers: ReadonlySet<number> }>({
    key,
    numbers: numbersOf(fitting),
  });
  const isNewList = visible.key !== key || (visible.numbers.size === 0 && fitting.length > 0);
  const current = isNewList ? { key, numbers: numbersOf(fitting) } : visible;
  // Show new calls at once if the filters changed, or if the list is empty, so that nothing can move.
  if (isNewList) setVisible(current);
  return {
    /** Newest first. A visible call stays even if it no longer fits. */
    rows: calls.filter(({ number }) => current.numbers.has(number)),
    newer: fitting.filter(({ number }) => !current.numbers.has(number)).length,
    show: () => setVisible({ key, numbers: numbersOf(fitting) }),
  };
}

function numbersOf(calls: readonly LoggedCall[]): ReadonlySet<number> {
  return new Set(calls.map(({ number }) => number));
}
