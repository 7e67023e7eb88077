import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { zoneName } from '#src/lib/time.ts';
import { TableRow } from '#src/list/TableRow.tsx';
import { useFocusedRow, useListKeys, useRowClicks } from '#src/list/rowFocus.ts';
import { useListSize } from '#src/list/columnFit.ts';
import { useZone } from '#src/ui/Time.tsx';
import { CallCell } from './CallCell.tsx';
import { type CallColumn, fitCallColumns } from './callColumns.ts';
import type { LoggedCall } from './calls.ts';

const OVERSCAN = 6;
/** Below this (rem) rows are cards. */
const CARDS_BELOW = 40;

const HEADS: Record<CallColumn, ReactNode> = {
  started: <StartedHead />,
  method: 'Method',
  path: 'Path',
  outcome: 'Outcome',
  ms: 'Took',
  request: 'Request-Id',
  key: 'Idempotency-Key',
};

interface RequestsTableProps {
  rows: readonly LoggedCall[];
  hrefOf: (number: number) => string;
  openNumber: number | null;
  /** Stands under the last row. */
  foot: ReactNode;
}

/** The rows of the log; only those in sight exist. */
export function RequestsTable({ rows, hrefOf, openNumber, foot }: RequestsTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const size = useListSize(scroller, CARDS_BELOW);
  const { shown, template } = useMemo(() => fitCallColumns(size.cards ? null : (size.width ?? 60)), [size]);
  const { rangeExtractor, onFocus, onBlur } = useFocusedRow();
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    enabled: size.width !== null,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.row,
    getItemKey: (at) => rows[at]?.number ?? at,
    overscan: OVERSCAN,
    rangeExtractor,
    useFlushSync: false,
  });
  useRowClicks(scroller);
  const navigate = useNavigate();
  const openAt = rows.findIndex(({ number }) => number === openNumber);
  useListKeys({
    scroller,
    count: rows.length,
    openAt: openAt === -1 ? null : openAt,
    show: (at) => virtualizer.scrollToIndex(at),
    open: (at) => {
      const call = rows[at];
      if (call) void navigate(hrefOf(call.number), { replace: true });
    },
  });
  const hrefs = useMemo(() => [shown, hrefOf], [shown, hrefOf]);
  return (
    <div className="list-scroll" ref={scroller} data-list-scroll>
      <div
        role="table"
        aria-label="Requests"
        aria-rowcount={rows.length + 1}
        className={size.cards ? 'list-table cards calls' : 'list-table calls'}
        style={{ '--columns': template, '--least': '0' }}
      >
        <div role="rowgroup" className="list-head">
          <div role="row" aria-rowindex={1} className="list-head-row">
            {shown.map((column) => (
              <div role="columnheader" key={column} className={`cell c-${column}`}>
                <span>{HEADS[column]}</span>
              </div>
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className="list-body"
          style={{ height: virtualizer.getTotalSize() }}
          onFocus={onFocus}
          onBlur={onBlur}
        >
          {virtualizer.getVirtualItems().map((item) => {
            const call = rows[item.index];
            if (!call) return null;
            return (
              <TableRow
                key={item.key}
                original={call}
                columns={hrefs}
                at={item.index}
                top={item.start}
                height={size.row}
                open={call.number === openNumber}
                newDay={false}
                drawCells={() =>
                  shown.map((column) => (
                    <div role="cell" key={column} className={`cell c-${column}`}>
                      <CallCell call={call} column={column} href={hrefOf(call.number)} />
                    </div>
                  ))
                }
              />
            );
          })}
        </div>
      </div>
      {foot}
    </div>
  );
}

function StartedHead() {
  return (
    <>
      Started <span className="zone">{zoneName(useZone())}</span>
    </>
  );
}
