import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { FlexRender, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { NextStep } from '#src/api/paging.ts';
import type { Noun } from '#src/lib/count.ts';
import { formatAmount, isAmount } from '#src/lib/amount.ts';
import { knownStatus } from '#src/lib/paymentStatus.ts';
import { visible } from '#src/lib/text.ts';
import { formatTime, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { usePreferences } from '#src/storage/preferences.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { AMOUNT_MAX, amountWidth } from './amountWidth.ts';
import { CARDS_BELOW, fitColumns, type Layout, useListSize } from './columnFit.ts';
import { type ListColumn, type ListRow, listFeatures, textOf } from './fields.tsx';
import './list.css';
import { Cell, ListContext, type ListPlace, type RowExtras } from './listCells.tsx';
import { BARREN_MAX, ListFoot } from './ListFoot.tsx';
import { startsNewDay, TableHead, TableRow } from './TableRow.tsx';
import { positionOf, type RowIndex, rowAt } from './rowIndex.ts';
import { positionAt, rememberPosition, wasScrolled } from './scrollMemory.ts';
import { isStepped } from './prevNext.ts';
import { useFocusedRow, useKeepFocus, useListKeys, useRowClicks } from './rowFocus.ts';
import type { Sight } from './useUnsettledRows.ts';

interface InfiniteTableProps<T extends ListRow> {
  /** Names the table: "Deposits". */
  label: string;
  index: RowIndex<T>;
  /** How the pages read so far end. */
  end: NextStep | null;
  noun: Noun;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
  /** Module scope: a new array is another table. */
  columns: readonly ListColumn<T>[];
  /** Module scope. */
  layout: Layout;
  amountOf: (row: T) => unknown;
  hrefOf: (id: string) => string;
  /** Id of the row whose detail is open. */
  openId?: string | undefined;
  /** The history entry that this place in the list belongs to. */
  entry: string;
  /** What the team knows of the rows. */
  extras?: RowExtras | undefined;
  /** Where the order can be changed. */
  order?: ListPlace['order'];
  /** Hears which rows are in sight; null: the table is gone. */
  onSight: (sight: Sight | null) => void;
}

const OVERSCAN = 4;
/** The next page is asked for when this many rows are left below the window. */
const AHEAD = 30;
/** Room around an amount in its column, rem. */
const CASH_PADDING = 2.5;
const BODY_REM = 0.875;
const rowId = (row: ListRow): string => row.id;

/** The rows of an infinite list; only those in sight exist. */
export function InfiniteTable<T extends ListRow>(props: InfiniteTableProps<T>) {
  const { label, noun, index, end, query, columns, layout, amountOf, hrefOf, openId, entry, onSight } = props;
  const { extras, order } = props;
  const compact = usePreferences().density === 'compact';
  const zone = useZone();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useListSize(scroller, CARDS_BELOW, compact);
  const width = amountWidth(index, amountOf);
  const cash = (width.integer + width.rest) * BODY_REM + CASH_PADDING;
  const fit = useMemo(
    () => (size.cards ? fitColumns(Infinity, cash, layout.cards) : fitColumns(size.width ?? 60, cash, layout.columns)),
    [size, cash, layout],
  );
  const shown = useMemo(() => columns.filter(({ id }) => id !== undefined && fit.shown.includes(id)), [columns, fit]);
  const linkColumn = fit.shown.find((id) => layout.links?.includes(id)) ?? 'created';
  const { decimals } = width;
  const place = useMemo(
    () => ({ hrefOf, linkColumn, decimals, order, ...extras }),
    [hrefOf, linkColumn, decimals, order, extras],
  );

  const { rangeExtractor, onFocus, onBlur } = useFocusedRow();
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: index.count,
    enabled: size.width !== null,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.row,
    initialOffset: () => positionAt(entry) * size.row,
    overscan: OVERSCAN,
    // The head covers as much of the window.
    scrollPaddingEnd: size.row,
    rangeExtractor,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const visible = useMemo(() => items.flatMap((item) => rowAt(index, item.index) ?? []), [items, index]);
  const table = useTable({ features: listFeatures, columns: shown, data: visible, getRowId: rowId });

  useRowClicks(scroller);
  const navigate = useNavigate();
  const openAt = openId === undefined ? -1 : positionOf(index, openId);
  useListKeys({
    scroller,
    count: index.count,
    openAt: openAt === -1 ? null : openAt,
    show: (at) => virtualizer.scrollToIndex(at),
    open: (at) => {
      const row = rowAt(index, at);
      // The next detail takes the place of this one: Back leads to where the reading of details began.
      if (row) void navigate(hrefOf(row.id), { replace: true });
    },
  });
  const { state } = useLocation();
  const intoSight = useEffectEvent(() => {
    // After a reload, or by a link: the row that Escape leads back to is there. Where a person scrolled, the list stays.
    if (isStepped(state) || !wasScrolled(entry)) virtualizer.scrollToIndex(openAt);
  });
  const isOpenHere = openAt !== -1 && size.width !== null;
  useEffect(() => {
    if (openId !== undefined && isOpenHere) intoSight();
  }, [openId, isOpenHere]);
  useSight(virtualizer.range, onSight);
  useKeepFocus(scroller, shown);
  useRowHeight(size.row, () => {
    const position = positionAt(entry);
    virtualizer.measure();
    virtualizer.scrollToOffset(position * size.row);
  });
  useOtherList(index.positions, () => virtualizer.scrollToOffset(0));
  const fling = useFling(scroller, virtualizer.isScrolling);
  const keepPosition = () => {
    rememberPosition(entry, (scroller.current?.scrollTop ?? 0) / size.row);
    fling.onScroll();
  };
  // Opening a row makes a new history entry without moving the list: coming back to that one finds the same place.
  useEffect(() => {
    const element = scroller.current;
    if (element && element.scrollTop > 0) rememberPosition(entry, element.scrollTop / size.row);
  }, [entry, size.row]);

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const loadMore = () => void fetchNextPage({ cancelRefetch: false });
  useEffect(() => {
    const lowest = virtualizer.range?.endIndex ?? -1;
    if (size.width === null || lowest < index.count - AHEAD || index.barren >= BARREN_MAX) return;
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false });
  });

  const rows = table.getRowModel().rows;
  const variables = {
    '--row-height': `${size.row - 1}px`,
    '--columns': fit.template,
    '--least': `${fit.least.toFixed(2)}rem`,
  };
  return (
    <ListContext value={place}>
      <p className="print-only">Only the rows in sight would be on paper. Export saves all of them.</p>
      <div className="list-scroll" ref={scroller} onScroll={keepPosition} data-list-scroll>
        <div
          role="table"
          aria-label={label}
          // The head is row 1; -1: nobody knows.
          aria-rowcount={end?.kind === 'end' ? index.count + 1 : -1}
          aria-busy={query.isFetchingNextPage}
          className={size.cards ? 'list-table cards' : 'list-table'}
          style={variables}
        >
          <TableHead
            groups={table.getHeaderGroups()}
            sorted={order && (order.oldestFirst ? 'ascending' : 'descending')}
          />
          <div
            role="rowgroup"
            className="list-body"
            style={{ height: virtualizer.getTotalSize() }}
            onFocus={onFocus}
            onBlur={onBlur}
          >
            {rows.map((row, at) => {
              const item = items[at];
              return (
                item && (
                  <TableRow
                    key={row.id}
                    original={row.original}
                    columns={shown}
                    at={item.index}
                    top={item.start}
                    height={size.row}
                    open={row.id === openId}
                    newDay={startsNewDay(index, item.index, zone)}
                    plain={fling.fast}
                    drawCells={() =>
                      row.getAllCells().map((cell) =>
                        fling.fast ? (
                          <Cell key={cell.id} column={cell.column.id}>
                            {plainText(cell.getValue(), zone)}
                          </Cell>
                        ) : (
                          <FlexRender key={cell.id} cell={cell} />
                        ),
                      )
                    }
                  />
                )
              );
            })}
          </div>
        </div>
        <ListFoot
          noun={noun}
          index={index}
          end={end}
          loading={query.isFetchingNextPage}
          error={isFetchNextPageError ? query.error : null}
          onLoadMore={loadMore}
        />
      </div>
    </ListContext>
  );
}

/** Further than this in one step, windows of rows: nobody reads what flies past. */
const FLING = 1.5;

/** Whether rows fly past, and are drawn as words alone until they rest; never where amounts are hidden. */
function useFling(scroller: RefObject<HTMLElement | null>, isScrolling: boolean) {
  const hidden = useAmountsHidden();
  const [fast, setFast] = useState(false);
  const top = useRef(0);
  if (fast && !isScrolling) setFast(false);
  return {
    fast: fast && !hidden,
    onScroll: () => {
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
      if (Math.abs(scrollTop - top.current) > FLING * clientHeight) setFast(true);
      top.current = scrollTop;
    },
  };
}

function plainText(value: unknown, zone: Zone): string {
  if (isPlausibleTime(value)) return formatTime(value, zone);
  if (isAmount(value)) return value.length > AMOUNT_MAX ? '…' : formatAmount(value);
  const text = textOf(value) ?? '';
  return knownStatus(text)?.word ?? visible(text.slice(0, 40));
}

function useSight(
  range: { startIndex: number; endIndex: number } | null,
  onSight: (sight: Sight | null) => void,
): void {
  const { startIndex: from, endIndex: to } = range ?? { startIndex: 0, endIndex: -1 };
  useEffect(() => {
    onSight({ from, to });
    return () => onSight(null);
  }, [onSight, from, to]);
}

/** Calls back when the list was begun anew while it is open: its first row belongs at the top. */
function useOtherList(list: object, onChange: () => void): void {
  const before = useRef(list);
  useLayoutEffect(() => {
    if (before.current !== list) onChange();
    before.current = list;
  });
}

/** Calls back when rows get another height while the list is open (narrower window, other pointer). */
function useRowHeight(row: number, onChange: () => void): void {
  const before = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (before.current !== null && before.current !== row) onChange();
    before.current = row;
  });
}
