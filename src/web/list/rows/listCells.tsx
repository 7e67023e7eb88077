import type { HTMLAttributes, ReactElement, ReactNode } from 'react';
import { amountParts, formatAmount, isAmount, isZero } from '#src/shared/amount.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { capital, shorten, revealHidden, visibleCode, textOrNull } from '#src/shared/text.ts';
import { dateOf, formatTime, isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { type ListField, type ListRow } from '#src/web/list/fields.tsx';
import { DIGIT, withoutTail } from '#src/web/ui/Amount.tsx';
import type { CellContext } from './cellContext.ts';
import { AMOUNT_MAX, codeOf } from './amountWidth.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

interface CellOf {
  column: string;
  row: ListRow;
  value: unknown;
  context: CellContext;
  seen: boolean;
}

type CellProps = HTMLAttributes<HTMLDivElement> & { [name: `data-${string}`]: string | number | undefined };

export interface RowOf {
  /** Number of the row in the list, from 0. */
  at: number;
  /** Px. */
  height: number;
  open: boolean;
  newDay: boolean;
  /** The row or its status is new, and appears with a short animation. */
  news?: 'new-row' | 'new-status' | undefined;
}

export function drawRow({ at, height, open, newDay, news }: RowOf, cells: ReactNode): ReactElement {
  return (
    <div
      role="row"
      // The head is row 1.
      aria-rowindex={at + 2}
      aria-current={open || undefined}
      className={`list-row${newDay ? ' new-day' : ''}${news === undefined ? '' : ` ${news}`}`}
      style={{ top: at * height, height }}
      data-at={at}
    >
      {cells}
    </div>
  );
}

/** Text that fits any column. Other cells may need clipping, which costs time in each frame of scrolling. */
const FITS = /^(?:[A-Z]?[a-z\d ]{0,9}|[A-Z\d]{2,6}|\w{7}…\w{4})$/;

/** A cell is a single element and not a component, because a list draws hundreds at once. */
export function cell(column: string, children: ReactNode, { className = '', ...props }: CellProps = {}): ReactElement {
  const fits = typeof children === 'string' && FITS.test(children) ? 'fits' : '';
  return (
    <div key={column} role="cell" className={`cell c-${column} ${className} ${fits}`} {...props}>
      {children}
    </div>
  );
}

export function drawCell<T extends ListRow>(field: ListField<T>, row: T, of: CellOf): ReactElement {
  const { column, value, context } = of;
  if (field.cell) return cell(column, field.cell(row, context));
  switch (field.kind) {
    case 'id':
      return cell(column, revealHidden(shorten(row.id)), {
        className: 'mono',
        'data-tip': row.id,
        translate: 'no',
        'aria-label': revealHidden(row.id),
        dir: 'auto',
      });
    case 'time':
      return timeCell(of);
    case 'status':
      return statusCell(column, textOrNull(value));
    case 'amount':
    case 'movement':
      return amountCell(of, field.kind === 'movement');
    case 'address':
      return addressCell(of);
    case 'chain':
      return textCell(column, chainLabel(textOrNull(value) ?? ''));
    case 'code':
      return textCell(column, visibleCode(textOrNull(value) ?? ''));
    case 'word':
    case 'hash':
      return textCell(column, textOrNull(value) ?? '');
  }
}

/** Label of a row's link, whose own text is too short: "Deposit 0.0713 ETH, pending, 25 Nov 16:02:22". */
function rowName({ row, context }: CellOf, to?: string): string {
  const { one, amountOf, amountsHidden, zone } = context;
  const amount = amountOf(row);
  const isShown = isAmount(amount) && amount.length <= AMOUNT_MAX && !amountsHidden;
  const code = row.asset === null ? '' : codeOf(row.asset);
  const status = textOrNull(row['status'] ?? row['type']);
  const what = [capital(one), isShown ? formatAmount(amount) : '', code, to === undefined ? '' : `to ${to}`];
  const word = knownStatus(status)?.word.toLowerCase() ?? revealHidden(status?.slice(0, 80) ?? '');
  const time = isPlausibleTime(row.created_at) ? formatTime(row.created_at, zone) : '';
  return [what.filter(Boolean).join(' '), word, time].filter(Boolean).join(', ');
}

/** The link of a row. It keeps the list's filters, so that Back leads to the same list. */
function rowLink({ row, context, seen }: CellOf, children: ReactNode, label?: string): ReactElement {
  return (
    <a href={context.hrefOf(row.id)} className={seen ? 'seen' : undefined} aria-label={label} data-row-link>
      {children}
    </a>
  );
}

/** Date and time of a row; the day is lighter, because the time differs from row to row. */
function timeCell(of: CellOf): ReactElement {
  const { column, value, context } = of;
  const isLink = context.linkColumn === column;
  if (!isPlausibleTime(value)) {
    const time = context.odd.time(value);
    return cell(column, isLink ? rowLink(of, time) : time);
  }
  const text = formatTime(value, context.zone);
  const cut = text.lastIndexOf(' ') + 1;
  const words = [
    <span key="day" className="dim">
      {text.slice(0, cut)}
    </span>,
    text.slice(cut),
  ];
  return cell(column, isLink ? rowLink(of, words, rowName(of)) : words, {
    className: 'fits',
    'data-tip-unix': value,
    translate: 'no',
  });
}

function textCell(column: string, text: string): ReactElement {
  return cell(column, revealHidden(text.slice(0, 80)), {
    'data-tip': text.length > 12 ? text : undefined,
    dir: 'auto',
    translate: 'no',
  });
}

/** Where money went: a name, else the shortened address with the full one as its label. */
function addressCell(of: CellOf): ReactElement {
  const { column, row, value, context } = of;
  const address = textOrNull(value);
  if (address === null || address === '') return cell(column, '');
  const name = context.nameOf?.(textOrNull(row['chain']) ?? '', address);
  const isLink = context.linkColumn === column;
  const said = name === undefined ? revealHidden(address.slice(0, 400)) : undefined;
  const text = name === undefined ? revealHidden(shorten(address)) : revealHidden(name.slice(0, 80));
  return cell(column, isLink ? rowLink(of, text, rowName(of, text)) : text, {
    className: name === undefined ? 'mono' : '',
    'data-tip': address,
    'aria-label': isLink ? undefined : said,
    dir: 'auto',
    translate: 'no',
  });
}

/** The payment's reference and note. For a deposit without them, the label of its address, if known. */
export function noteText(row: ListRow, { noteOf, labelOf }: CellContext): string {
  const written = noteOf?.(row.id);
  const text = written ? [written.reference, written.note].filter(Boolean).join(' · ') : '';
  const address = textOrNull(row['deposit_address']) ?? textOrNull(row['address']);
  const label = text === '' && address !== null ? labelOf?.(textOrNull(row['chain']) ?? '', address) : undefined;
  return revealHidden((label ?? text).slice(0, 120));
}

/** The usual statuses are plain words; failed and unknown ones are chips. */
function statusCell(column: string, status: string | null): ReactElement {
  const known = knownStatus(status);
  if (known?.tone === 'alarm') return cell(column, chip('alarm', known.word));
  if (!known) return cell(column, chip('raw', status === null ? 'no status' : revealHidden(status.slice(0, 600))));
  return cell(column, known.word, { 'data-tone': known.isBroadcast ? 'sent' : known.tone });
}

/** Its icon is drawn by the style sheet. */
function chip(tone: 'alarm' | 'raw', word: string): ReactElement {
  return (
    <span className={`st st-${tone}`} data-tip={tone === 'raw' ? word : undefined}>
      <bdi translate={tone === 'raw' ? 'no' : undefined}>{word}</bdi>
    </span>
  );
}

/** Characters, including the asset, that fit beside a status on a card. */
const TIGHT = 28;

/**
 * Every digit of an amount, with the decimal points aligned. An amount that is too long for a row is never cut: the cell
 * refers to the row's page instead. `signed`: a movement, which shows plus as well as minus.
 */
function amountCell(of: CellOf, signed: boolean): ReactElement {
  const { column, row, value: amount, context } = of;
  const code = row.asset === null ? undefined : codeOf(row.asset);
  if (!isAmount(amount) || context.amountsHidden) return cell(column, context.odd.amount(amount, code));
  if (amount.length > AMOUNT_MAX) {
    return cell(column, rowLink(of, `An amount of ${amount.length} characters`), { className: 'too-long' });
  }
  const { sign: minus, integer, fraction, zeros } = amountParts(isZero(amount) ? '0' : amount);
  const [start, tail] = withoutTail(fraction);
  const sign = signed && minus === '' && !isZero(amount) ? '+' : minus;
  const missing = context.decimals - fraction.length - zeros.length;
  const text = [
    sign + integer + start,
    tail && (
      <span key="tail" className="t">
        {tail}
      </span>
    ),
    zeros && (
      <span key="zeros" className="z">
        {zeros}
      </span>
    ),
    <bdi key="asset" className="a" style={missing > 0 ? { '--pad': `${(missing * DIGIT).toFixed(2)}em` } : undefined}>
      {code === undefined ? '' : `\u00a0${code}`}
    </bdi>,
  ];
  const tight = amount.length + (code?.length ?? 0) > TIGHT ? 'tight' : '';
  return cell(column, text, { className: FITS.test(code ?? '') ? tight : `${tight} clip`, translate: 'no' });
}

/** Seconds. In every time zone, days begin at a multiple of this. */
const QUARTER = 900;

type DayIndex = RowIndex<{ id: string; created_at?: unknown }>;

function isAnotherDay(index: DayIndex, one: number, other: number, zone: Zone): boolean {
  const [time, above] = [one, other].map((row) => rowAt(index, row)?.created_at);
  if (!isPlausibleTime(time) || !isPlausibleTime(above)) return false;
  return Math.floor(time / QUARTER) !== Math.floor(above / QUARTER) && dateOf(time, zone) !== dateOf(above, zone);
}

/** Least number of rows of a day for a rule above it. With less, almost every row might have one. */
const DAY_ROWS = 3;

/** Whether a row has a rule above it: it is from another day than the one above, and one of the two days has enough rows. */
export function startsNewDay(index: DayIndex, at: number, zone: Zone): boolean {
  if (!isAnotherDay(index, at, at - 1, zone)) return false;
  const [last, before] = [at + DAY_ROWS - 1, at - DAY_ROWS];
  return (
    (last < index.count && !isAnotherDay(index, at, last, zone)) ||
    (before >= 0 && !isAnotherDay(index, at - 1, before, zone))
  );
}
