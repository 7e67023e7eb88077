import { useCallback, useEffect, useMemo, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { LOG_CAPACITY, useRequestLog } from '#src/api/requestLog.ts';
import { counted, numberWords } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { FilterBar } from '#src/list/FilterBar.tsx';
import { describeFilters, narrowing } from '#src/list/filterTable.ts';
import { useFilters } from '#src/list/useFilters.ts';
import { useOpenId } from '#src/list/useList.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { callsOf } from './calls.ts';
import { CALL_FILTERS, type CallFilters } from './callFilters.tsx';
import { NoCalls } from './NoCalls.tsx';
import './requests.css';
import { RequestsTable } from './RequestsTable.tsx';
import { SupportDialog } from './SupportDialog.tsx';
import { useShownCalls } from './useShownCalls.ts';

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
  const words = newer === 0 ? '' : `${newer} newer ${newer === 1 ? 'call' : 'calls'}`;
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  const scope = describeFilters(filters, CALL_FILTERS, useZone());
  const filtered = narrowing(filters, CALL_FILTERS).length > 0;
  return (
    <div className="list-page">
      <PageHeader
        title="Requests"
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
      <div className="watch">
        {newer > 0 ? (
          <>
            <button type="button" className="link" onClick={show}>
              {words}
            </button>
            <span>Nothing moves until you ask.</span>
          </>
        ) : (
          <span>This tab’s calls since it was loaded; gone at sign-out.</span>
        )}
      </div>
      <div className="list-split">
        <div className="list-place">
          {rows.length === 0 ? (
            <NoCalls filtered={filtered} scope={scope} />
          ) : (
            <RequestsTable
              rows={rows}
              hrefOf={hrefOf}
              openNumber={openId === undefined ? null : Number(openId)}
              foot={<Foot shown={rows.length} filtered={filtered} full={log.length >= LOG_CAPACITY} />}
            />
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

function Foot({ shown, filtered, full }: { shown: number; filtered: boolean; full: boolean }) {
  const count = counted(shown, 'call', 'calls');
  return (
    <p className="list-foot">
      {filtered ? `${count} with these filters` : `${count} of this tab`}
      {full ? `, of the newest ${numberWords(LOG_CAPACITY)} attempts; older ones are gone.` : ' since it was loaded.'}
    </p>
  );
}
