import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type ButtonHTMLAttributes,
  memo,
  type ReactElement,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { HeaderGroup } from '@tanstack/react-table';
import { type FieldKind, type ListRow, type listFeatures } from '#src/web/list/fields.tsx';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { revealHidden, textOrNull } from '#src/shared/text.ts';
import { formatTime, isPlausibleTime, type Zone, zoneName } from '#src/shared/time.ts';
import { AMOUNT_MAX } from './amountWidth.ts';
import type { CellContext } from './cellContext.ts';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { cell, drawRow, type RowOf } from './listCells.tsx';
import type { AmountSort } from './sortRows.ts';

interface TableRowProps extends RowOf {
  /** The row object, compared by identity: a new object renders the row again. */
  original: ListRow;
  columns: readonly object[];
  context: CellContext;
  seen: boolean;
  /** Text only, while scrolling fast. A row that is already drawn in full stays that way. */
  plain: boolean;
  drawCells: () => ReactNode;
}

/** Props that decide whether a row is rendered again. The others are new objects whenever the table scrolls. */
const DRAWN_FROM = ['original', 'columns', 'context', 'at', 'height', 'open', 'seen', 'newDay', 'news'] as const;

export const TableRow = memo(
  ({ drawCells, ...row }: TableRowProps) => {
    const hasNewStatus = useNewStatus(row.original);
    return drawRow({ ...row, news: row.news ?? (hasNewStatus ? 'new-status' : undefined) }, drawCells());
  },
  (one, other) => DRAWN_FROM.every((name) => one[name] === other[name]) && (!one.plain || other.plain),
);
TableRow.displayName = 'TableRow';

/** Whether the row's status has changed since it was first drawn. */
function useNewStatus(row: ListRow): boolean {
  const [first, setFirst] = useState(row);
  // The element is now used for another row.
  if (first.id !== row.id) setFirst(row);
  return first.id === row.id && first['status'] !== row['status'];
}

/** Text only, for rows that scroll past fast. No ids, which are unreadable at that speed and slow to draw. */
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

/** How the list is sorted, and how to change that; undefined if it cannot be changed. */
export type ListOrder =
  | {
      oldestFirst: boolean;
      /** Reverses the order by time, or returns to it. */
      toggle: () => void;
      /** Sorting by amount; absent if never possible. `toggle`: null while the amounts can't be compared. */
      amount?: { sort: AmountSort; toggle: (() => void) | null } | undefined;
    }
  | undefined;

interface TableHeadProps<T extends ListRow> {
  groups: HeaderGroup<typeof listFeatures, T>[];
  zone: Zone;
  order: ListOrder;
}

export function TableHead<T extends ListRow>({ groups, zone, order }: TableHeadProps<T>) {
  return (
    <div role="rowgroup" className="list-head">
      {groups.map((group) => (
        <div role="row" aria-rowindex={1} className="list-head-row" key={group.id}>
          {group.headers.map(({ id, column }) => (
            <div role="columnheader" key={id} aria-sort={sortedAs(column.id, order)} className={`cell c-${column.id}`}>
              {column.id === 'created' ? (
                <TimeHead zone={zone} order={order} />
              ) : column.id === 'cash' && order?.amount ? (
                <AmountHead words={String(column.columnDef.header)} {...order.amount} />
              ) : (
                String(column.columnDef.header)
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function sortedAs(column: string, order: ListOrder): 'ascending' | 'descending' | undefined {
  const sort = order?.amount?.sort;
  if (column === 'cash' && sort !== undefined) return sort === 'smallest' ? 'ascending' : 'descending';
  if (column !== 'created' || !order || sort !== undefined) return undefined;
  return order.oldestFirst ? 'ascending' : 'descending';
}

/** The head button pressed last. Changing the order mounts a new table, whose button then takes the focus. */
let pressed: 'created' | 'cash' | null = null;

interface HeadButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  column: 'created' | 'cash';
  tip: string;
  /** Null if there is nothing to sort. */
  onPress: (() => void) | null;
}

function HeadButton({ column, tip, onPress, ...rest }: HeadButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  // Cards have no such button, so the focus must go elsewhere.
  useReturnFocus(button);
  useLayoutEffect(() => {
    if (pressed !== column) return;
    button.current?.focus({ preventScroll: true });
    pressed = null;
  }, [column]);
  const onClick = () => {
    if (onPress === null) return;
    pressed = column;
    onPress();
  };
  return <button {...rest} type="button" onClick={onClick} data-tip={tip} ref={button} />;
}

function TimeHead({ zone, order }: { zone: Zone; order: ListOrder }) {
  const words = (
    <>
      Created <span className="zone">{zoneName(zone)}</span>
    </>
  );
  if (!order) return words;
  const { oldestFirst, toggle, amount } = order;
  const isByAmount = amount?.sort !== undefined;
  const Icon = oldestFirst ? ArrowUp : ArrowDown;
  const now = oldestFirst ? 'Oldest first.' : 'Newest first.';
  const tip = isByAmount ? 'Sort by time' : `${now} Show the ${oldestFirst ? 'newest' : 'oldest'} first`;
  return (
    <HeadButton column="created" tip={tip} onPress={toggle}>
      {words}
      {!isByAmount && <Icon className="icon-s" aria-hidden />}
    </HeadButton>
  );
}

const AMOUNT_TIPS = {
  none: 'Sort the loaded rows by amount, largest first',
  largest: 'Largest first, of the loaded rows. Show the smallest first',
  smallest: 'Smallest first, of the loaded rows. Sort by time again',
};

type AmountHeadProps = NonNullable<NonNullable<ListOrder>['amount']> & { words: string };

function AmountHead({ words, sort, toggle }: AmountHeadProps) {
  const id = useId();
  const tip =
    toggle === null
      ? 'Filter by one asset to sort by amount: amounts of different assets can’t be compared.'
      : AMOUNT_TIPS[sort ?? 'none'];
  return (
    <>
      <HeadButton
        column="cash"
        tip={tip}
        onPress={toggle}
        aria-describedby={id}
        aria-disabled={toggle === null || undefined}
      >
        {words}
        {sort === 'largest' && <ArrowDown className="icon-s" aria-hidden />}
        {sort === 'smallest' && <ArrowUp className="icon-s" aria-hidden />}
      </HeadButton>
      {/* Outside the button, so that it isn't part of the head's name. */}
      <span id={id} hidden>
        {tip}
      </span>
    </>
  );
}
