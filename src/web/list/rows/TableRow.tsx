import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { HeaderGroup } from '@tanstack/react-table';
import { type FieldKind, type ListRow, type listFeatures } from '#src/web/list/fields.tsx';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { revealHidden, textOrNull } from '#src/shared/text.ts';
import { formatTime, isPlausibleTime, type Zone, zoneName } from '#src/shared/time.ts';
import { AMOUNT_MAX } from './amountWidth.ts';
import type { CellContext } from './cellContext.ts';
import { cell, drawRow, type RowOf } from './listCells.tsx';

interface TableRowProps extends RowOf {
  /** The row object, compared by identity: another one draws the row again. */
  original: ListRow;
  columns: readonly object[];
  context: CellContext;
  seen: boolean;
  /** Text only, while scrolling fast; a row already drawn in full stays so. */
  plain: boolean;
  drawCells: () => ReactNode;
}

/** Props that a row is drawn from; the others are new objects whenever the table scrolls. */
const DRAWN_FROM = ['original', 'columns', 'context', 'at', 'height', 'open', 'seen', 'newDay', 'news'] as const;

export const TableRow = memo(
  ({ drawCells, ...row }: TableRowProps) => {
    const hasNewStatus = useNewStatus(row.original);
    return drawRow({ ...row, news: row.news ?? (hasNewStatus ? 'new-status' : undefined) }, drawCells());
  },
  (one, other) => DRAWN_FROM.every((name) => one[name] === other[name]) && (!one.plain || other.plain),
);
TableRow.displayName = 'TableRow';

/** Whether the row's status is another one than when it was first drawn. */
function useNewStatus(row: ListRow): boolean {
  const [first, setFirst] = useState(row);
  // The element is used for another row now.
  if (first.id !== row.id) setFirst(row);
  return first.id === row.id && first['status'] !== row['status'];
}

/** Text only, for rows that fly past. No ids: nobody can read them, and drawing new letters is slow. */
export function plainCell(column: string, kind: FieldKind, value: unknown, zone: Zone): ReactElement {
  const isLong = kind === 'id' || kind === 'address' || kind === 'hash';
  return cell(column, isLong ? '' : plainText(value, zone));
}

function plainText(value: unknown, zone: Zone): string {
  if (isPlausibleTime(value)) return formatTime(value, zone);
  if (isAmount(value)) return value.length > AMOUNT_MAX ? '…' : formatAmount(value);
  const text = textOrNull(value) ?? '';
  return knownStatus(text)?.word ?? revealHidden(text.slice(0, 40));
}

/** How the list is sorted by time, and how to reverse it; absent: it cannot be changed. */
export type ListOrder = { oldestFirst: boolean; toggle: () => void } | undefined;

interface TableHeadProps<T extends ListRow> {
  groups: HeaderGroup<typeof listFeatures, T>[];
  zone: Zone;
  order: ListOrder;
}

export function TableHead<T extends ListRow>({ groups, zone, order }: TableHeadProps<T>) {
  const sorted = order && (order.oldestFirst ? 'ascending' : 'descending');
  return (
    <div role="rowgroup" className="list-head">
      {groups.map((group) => (
        <div role="row" aria-rowindex={1} className="list-head-row" key={group.id}>
          {group.headers.map(({ id, column }) => (
            <div
              role="columnheader"
              key={id}
              aria-sort={column.id === 'created' ? sorted : undefined}
              className={`cell c-${column.id}`}
            >
              {column.id === 'created' ? <TimeHead zone={zone} order={order} /> : String(column.columnDef.header)}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** The list in the other order is another table, whose head takes the focus over. */
let wasPressed = false;

function TimeHead({ zone, order }: { zone: Zone; order: ListOrder }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (wasPressed) button.current?.focus({ preventScroll: true });
    wasPressed = false;
  }, []);
  const words = (
    <>
      Created <span className="zone">{zoneName(zone)}</span>
    </>
  );
  if (!order) return words;
  const Icon = order.oldestFirst ? ArrowUp : ArrowDown;
  const tip = order.oldestFirst ? 'Oldest first. Show the newest first' : 'Newest first. Show the oldest first';
  const press = () => {
    wasPressed = true;
    order.toggle();
  };
  return (
    <button type="button" onClick={press} data-tip={tip} ref={button}>
      {words}
      <Icon className="icon-s" aria-hidden />
    </button>
  );
}
