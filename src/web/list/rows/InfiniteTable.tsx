import { useTable } from '@tanstack/react-table';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readLocationState } from '#src/web/storage/locationState.ts';
import { usePreferences } from '#src/web/storage/preferences.ts';
import { Amount, useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { amountMeasurer } from './amountWidth.ts';
import { fitList, type ColumnLayout, useListSize } from './columnFit.ts';
import { type ListColumn, type ListRow, listFeatures, moneyOf, valueOf } from '#src/web/list/fields.tsx';
import type { CellContext, RowExtras } from './cellContext.ts';
import { drawCell, startsNewDay } from './listCells.tsx';
import { BARREN_MAX, ListFoot } from '#src/web/list/ListFoot.tsx';
import { useOpenedRows } from './loadedRows.ts';
import { type ListOrder, plainCell, TableHead, TableRow } from './TableRow.tsx';
import { positionOf, rowAt } from './rowIndex.ts';
import { useFocusedRow, useListKeys, useRowClicks } from './rowFocus.ts';
import { positionAt, rememberPosition, rowElements, rowsDrawn, useRowWindow, wasScrolled } from './useRowWindow.ts';
import type { List } from '#src/web/list/useList.ts';
import type { Sight } from '#src/web/list/useUnsettledRows.ts';

export interface InfiniteTableProps<T extends ListRow> extends Pick<
  List<T>,
  'noun' | 'index' | 'end' | 'query' | 'hrefOf' | 'openId' | 'entry' | 'sort'
> {
  label: string;
  /** Must be a module constant: a new array would create a new table. */
  columns: readonly ListColumn<T>[];
  /** Must be a module constant. */
  layout: ColumnLayout;
  amountOf: (row: T) => unknown;
  extras?: RowExtras | undefined;
  /** Absent if the order cannot be changed. */
  order?: ListOrder;
  /** Called with the rows in sight, and with null when the table is unmounted. */
  onSight: (sight: Sight | null) => void;
}

/** The next page is loaded when this many rows are left below the window. */
const AHEAD = 30;
const rowId = (row: ListRow): string => row.id;
const odd: CellContext['odd'] = {
  amount: (value, asset) => <Amount value={value} asset={asset} />,
  time: (value) => <Time unix={value} />,
};

/** The rows of an infinite list. Only those in sight are in the DOM. */
export function InfiniteTable<T extends ListRow>(props: InfiniteTableProps<T>) {
  const { label, noun, index, end, query, columns, layout, amountOf, hrefOf, openId, entry, onSight } = props;
  const { extras, order, sort } = props;
  const compact = usePreferences().density === 'compact';
  const zone = useZone();
  const scroller = useRef<HTMLDivElement>(null);
  const size = useListSize(scroller, compact);
  const [measure] = useState(() => amountMeasurer<T>());
  const width = measure(index, amountOf);
  const fit = useMemo(() => fitList(size, width, layout), [size, width, layout]);
  const names = fit.shown.join(' ');
  const visibleColumns = useMemo(() => columns.filter(({ id }) => names.split(' ').includes(id)), [columns, names]);
  const { linkColumn } = fit;
  const { decimals } = width;
  const { one } = noun;
  const amountIn = useMemo(() => amountOfRows(columns), [columns]);
  const amountsHidden = useAmountsHidden();
  const context = useMemo(
    (): CellContext => ({ hrefOf, linkColumn, one, amountOf: amountIn, decimals, zone, amountsHidden, odd, ...extras }),
    [hrefOf, linkColumn, one, amountIn, decimals, zone, amountsHidden, extras],
  );
  const opened = useOpenedRows();
  const before = useFormerRows(index.positions);
  const { focused, ...focusEvents } = useFocusedRow(scroller, visibleColumns);
  const { row, height } = size;
  const count = index.count;
  const rowsInSight = useRowWindow({
    scroller,
    count,
    row,
    height,
    initial: positionAt(entry),
    first: size.guessed === true,
  });
  const { from, to, drawn } = rowsInSight;
  // Plain rows would show amounts, which only the full cells hide.
  const plain = rowsInSight.fast && !amountsHidden;
  const numbers = useMemo(
    () => rowsDrawn(drawn.from, drawn.to, focused !== null && focused < count ? focused : null),
    [drawn.from, drawn.to, focused, count],
  );
  const visible = useMemo(() => numbers.flatMap((at) => rowAt(index, at) ?? []), [numbers, index]);
  const [elementsOf] = useState(rowElements);
  const elements = useMemo(() => elementsOf(visible.map(rowId)), [elementsOf, visible]);
  const table = useTable({ features: listFeatures, columns: visibleColumns, data: visible, getRowId: rowId });

  useRowClicks(scroller);
  useReturnFocus(scroller);
  useOpenRow(props, { scroller, show: rowsInSight.show, isMeasured: !size.guessed });
  useEffect(() => {
    onSight({ from, to });
    return () => onSight(null);
  }, [onSight, from, to]);
  const onScroll = useScrollPosition(props, { scroller, row, rowsInSight });

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const loadMore = () => void fetchNextPage({ cancelRefetch: false });
  useEffect(() => {
    // In a sorted list, another page's rows would appear between those that the person is reading.
    if (sort !== undefined) return;
    if (size.guessed || to < count - AHEAD || index.barren >= BARREN_MAX) return;
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage({ cancelRefetch: false });
  });

  const rows = table.getRowModel().rows;
  return (
    <>
      <p className="print-only">Only the rows in sight would be on paper. Export saves all of them.</p>
      <div className="list-scroll" ref={scroller} onScroll={onScroll} {...focusEvents} data-list-scroll>
        <div
          role="table"
          aria-label={label}
          // The head is row 1. -1 stands for an unknown number.
          aria-rowcount={end?.kind === 'end' ? count + 1 : -1}
          aria-busy={query.isFetchingNextPage}
          className={size.cards ? 'list-table cards' : 'list-table'}
          style={fit.style}
        >
          {/* Cards have a head for screen readers only, so it must not take focus; a filter changes the order. */}
          <TableHead groups={table.getHeaderGroups()} zone={zone} order={size.cards ? undefined : order} />
          <div role="rowgroup" className="list-body" style={{ height: count * row }}>
            {rows.map((each, nth) => {
              const at = numbers[nth] ?? 0;
              return (
                <TableRow
                  key={elements.get(each.id)}
                  original={each.original}
                  columns={visibleColumns}
                  context={context}
                  at={at}
                  height={row}
                  open={each.id === openId}
                  seen={opened.has(each.id)}
                  newDay={sort === undefined && startsNewDay(index, at, zone)}
                  news={before?.has(each.id) === false ? 'new-row' : undefined}
                  plain={plain}
                  drawCells={() =>
                    visibleColumns.map(({ id: column, field }) => {
                      const { original, id } = each;
                      const value = each.getValue(column);
                      if (plain) return plainCell(column, field.kind, value, zone);
                      return drawCell(field, original, { column, row: original, value, context, seen: opened.has(id) });
                    })
                  }
                />
              );
            })}
          </div>
        </div>
        <ListFoot
          noun={noun}
          index={index}
          end={end}
          sort={sort}
          loading={query.isFetchingNextPage}
          error={isFetchNextPageError ? query.error : null}
          onLoadMore={loadMore}
        />
      </div>
    </>
  );
}

function amountOfRows<T extends ListRow>(columns: readonly ListColumn<T>[]) {
  const money = moneyOf(columns.map(({ field }) => field));
  return (row: T): unknown => money && valueOf(money, row);
}

/** Longer than the animation of a new row, ms, which is not repeated when the row is scrolled out of sight and back. */
const NEW_FOR = 500;

/** The rows that a reloaded list had before, while its new rows are marked; null at any other time. */
function useFormerRows(positions: ReadonlyMap<string, number>): ReadonlyMap<string, number> | null {
  const [rows, setRows] = useState<{ now: typeof positions; before: typeof positions | null }>({
    now: positions,
    before: null,
  });
  // A reload changes `positions` twice; compare with the rows from before the first change.
  if (rows.now !== positions) setRows({ now: positions, before: rows.before ?? rows.now });
  const { before } = rows;
  useEffect(() => {
    if (before === null) return undefined;
    const timer = setTimeout(() => setRows({ now: positions, before: null }), NEW_FOR);
    return () => clearTimeout(timer);
  }, [before, positions]);
  return before;
}

interface OpenRowOptions {
  scroller: RefObject<HTMLDivElement | null>;
  show: (at: number) => void;
  /** False until the height of the list is known. */
  isMeasured: boolean;
}

/** Moves between rows by keyboard, and scrolls the row whose detail is open into sight when the list appears. */
function useOpenRow<T extends ListRow>(
  { index, hrefOf, openId, entry }: InfiniteTableProps<T>,
  { scroller, show, isMeasured }: OpenRowOptions,
): void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const openAt = openId === undefined ? -1 : positionOf(index, openId);
  useListKeys({
    scroller,
    count: index.count,
    openAt: openAt === -1 ? null : openAt,
    show,
    open: (at) => {
      const row = rowAt(index, at);
      // Replaces this detail: Back returns to the list as it was before the first one.
      if (row) void navigate(hrefOf(row.id), { replace: true });
    },
  });
  const intoSight = useEffectEvent(() => {
    // After a reload or from a link, scroll to the open row, because Escape returns to it. A list that was scrolled stays.
    if (readLocationState(state).stepped || !wasScrolled(entry)) show(openAt);
  });
  const isOpenHere = openAt !== -1 && isMeasured;
  useEffect(() => {
    if (openId !== undefined && isOpenHere) intoSight();
  }, [openId, isOpenHere]);
}

interface ScrollOptions {
  scroller: RefObject<HTMLDivElement | null>;
  /** Px. */
  row: number;
  rowsInSight: ReturnType<typeof useRowWindow>;
}

/** Stores the scroll position by history entry, and restores it when the row height changes. Returns the scroll handler. */
function useScrollPosition<T extends ListRow>(
  { index, entry }: InfiniteTableProps<T>,
  { scroller, row, rowsInSight }: ScrollOptions,
): () => void {
  // The row height changes with the window's width, the density and the pointer.
  useChanged(row, () => rowsInSight.scrollTo(positionAt(entry)));
  // Another list, or one that started over, begins at the top.
  useChanged(index.positions, () => rowsInSight.scrollTo(0));
  // Opening a row adds a history entry without moving the list: going back to it finds the same position.
  useEffect(() => {
    const element = scroller.current;
    if (element && element.scrollTop > 0) rememberPosition(entry, element.scrollTop / row);
  }, [scroller, entry, row]);
  return () => {
    rememberPosition(entry, (scroller.current?.scrollTop ?? 0) / row);
    rowsInSight.onScroll();
  };
}

/** Calls back when the value changes, not at first. */
function useChanged(value: unknown, onChange: () => void): void {
  const before = useRef(value);
  useLayoutEffect(() => {
    if (before.current !== value) onChange();
    before.current = value;
  });
}
