import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { visible } from '#src/lib/text.ts';
import { ChoiceFilter } from '#src/list/ChoiceFilter.tsx';
import '#src/list/list.css';
import type { OperationsView } from '#src/operations/outcomes.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { Button } from '#src/ui/Button.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { KIND_WORDS } from '#src/operations/kindWords.ts';
import { KINDS, type OperationFilters, STATES, fits, readOperationFilters, withFilter } from './operationFilters.ts';
import './operations-list.css';
import './operations.css';
import { OperationsTable } from './OperationsTable.tsx';
import { SetAside } from './SetAside.tsx';
import { shortChipOf } from '#src/operations/stateMark.ts';

/** Rows drawn at once; this browser seldom keeps more. */
const AT_ONCE = 100;

const states = STATES.map((state) => ({ value: state, label: shortChipOf({ state }).chip }));
const kinds = KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind].one }));

/** Every operation that this browser recorded for this session, newest first. */
export function Component() {
  const view = useOperations();
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = new URLSearchParams(search);
  const { ignored, ...filters } = readOperationFilters(params);
  const choose = (changes: Partial<OperationFilters>) =>
    void navigate({ search: withFilter(params, changes) }, { preventScrollReset: true });
  const rows = view.operations.filter((record) => fits(filters, record));
  return (
    <div className="list-page">
      <PageHeader title="Operations" asOf={<span>Recorded in this browser, newest first</span>} />
      <div className="filters operations-filters" role="search" aria-label="Filters">
        <ChoiceFilter label="State" value={filters.state} choices={states} onChange={(state) => choose({ state })} />
        <ChoiceFilter label="Kind" value={filters.kind} choices={kinds} onChange={(kind) => choose({ kind })} />
      </div>
      {ignored.length > 0 && (
        <p className="filters-ignored" role="status">
          Ignored in the address, because it cannot be meant: <bdi>{visible(ignored.join(', '))}</bdi>
        </p>
      )}
      <div className="page-body operations-body">
        <Unavailable view={view} />
        <SetAside damaged={view.damaged} blocks={view.blocks} />
        {rows.length > 0 ? (
          <Rows key={search} rows={rows} checkOnly={view.checkOnly} />
        ) : (
          <NoRows view={view} onClear={() => choose({ state: undefined, kind: undefined })} />
        )}
      </div>
    </div>
  );
}

function Unavailable({ view }: { view: OperationsView }) {
  if (view.status !== 'unavailable') return null;
  return (
    <div className="pad-notice">
      <Notice tone="alarm" live="status" title="The records of this browser cannot be read.">
        {view.reason} Nothing can be sent until they can; reading balances and lists goes on.
      </Notice>
    </div>
  );
}

function Rows({ rows, checkOnly }: { rows: OperationRecord[]; checkOnly: ReadonlySet<string> }) {
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <>
      <OperationsTable rows={rows.slice(0, shown)} checkOnly={checkOnly} />
      <div className="operations-end small sub">
        {shown < rows.length ? (
          <>
            <span>
              {shown} of {rows.length} shown.
            </span>
            <Button onClick={() => setShown(shown + AT_ONCE)}>
              Show {Math.min(AT_ONCE, rows.length - shown)} more
            </Button>
          </>
        ) : (
          <span>
            {rows.length === 1 ? 'One operation.' : `${rows.length} operations.`} A finished one is dropped 7 days after
            somebody saw it; one that is not settled never is. Other browsers keep their own.
          </span>
        )}
      </div>
    </>
  );
}

function NoRows({ view, onClear }: { view: OperationsView; onClear: () => void }) {
  const slow = useDelay(view.status === 'loading');
  if (view.status === 'loading') {
    return <div className="pad">{slow && <output>Reading what this browser recorded</output>}</div>;
  }
  if (view.operations.length > 0) {
    return (
      <div className="blank">
        <h2>No operation fits these filters</h2>
        <p>This browser has {view.operations.length} of this session in all.</p>
        <Button onClick={onClear}>Clear all filters</Button>
      </div>
    );
  }
  if (view.status === 'unavailable') return null;
  return (
    <div className="blank">
      <h2>No operations yet</h2>
      <p>
        Every withdrawal, deposit address, charge and webhook replay that is sent from this browser is recorded here
        first, with each attempt and its answer. What was made elsewhere is not in this list.
      </p>
    </div>
  );
}
