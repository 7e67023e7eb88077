import { createContext, type ReactNode, use } from 'react';
import { Link } from 'react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { amountParts, isAmount, isZero } from '#src/lib/amount.ts';
import { knownStatus } from '#src/lib/paymentStatus.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { formatTime, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { Amount, useAmountsHidden } from '#src/ui/Amount.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { AMOUNT_MAX, DIGIT } from './amountWidth.ts';
import { useOpenedRows } from './openedRows.ts';
import { StatusCell as StatusChip } from './StatusCell.tsx';

/** What the team knows of the rows, beside the service. */
export interface RowExtras {
  /** The name of the recipient at an address. */
  nameOf?: (chain: string, address: string) => string | undefined;
  noteOf?: (id: string) => { reference: string; note: string } | undefined;
}

/** What the cells of a list need to know of it. */
export interface ListPlace extends RowExtras {
  hrefOf: (id: string) => string;
  /** The column that has the row's link. */
  linkColumn: string;
  /** Digits behind the point of the longest amount, so that points align. */
  decimals: number;
  /** How the list is sorted; absent: it cannot be changed. */
  order?: { oldestFirst: boolean; toggle: () => void } | undefined;
}

export const ListContext = createContext<ListPlace>({ hrefOf: () => '', linkColumn: '', decimals: 0 });

interface CellProps {
  /** Names its column in the style sheets. */
  column: string;
  className?: string;
  tip?: string | undefined;
  /** Unix seconds, for the tip of a time. */
  unix?: number;
  /** What it says in full, where it is shortened. */
  label?: string | undefined;
  tone?: string;
  /** Its text comes from outside: it orders its direction by itself. */
  dir?: 'auto';
  children: ReactNode;
}

/** One cell is one element, its text in it: a list draws hundreds of them. */
export function Cell({ column, className = '', tip, unix, label, tone, dir, children }: CellProps) {
  return (
    <div
      role="cell"
      dir={dir}
      className={`cell c-${column} ${className}`}
      aria-label={label}
      data-tip={tip}
      data-tip-unix={unix}
      data-tone={tone}
    >
      {children}
    </div>
  );
}

interface RowLinkProps {
  id: string;
  label?: string | undefined;
  children: ReactNode;
}

/** The link of a row; the list's filters come along, so that the way back is the same list. */
function RowLink({ id, label, children }: RowLinkProps) {
  const { hrefOf } = use(ListContext);
  const opened = useOpenedRows().has(id);
  return (
    <Link to={hrefOf(id)} className={opened ? 'seen' : undefined} aria-label={label} data-row-link>
      {children}
    </Link>
  );
}

/** Date and clock of a row; the day in lighter ink, because the clock is what differs from row to row. */
export function TimeCell({ id, column, unix }: { id: string; column: string; unix: unknown }) {
  const zone = useZone();
  const isLink = use(ListContext).linkColumn === column;
  if (!isPlausibleTime(unix)) {
    const time = <Time unix={unix} />;
    return <Cell column={column}>{isLink ? <RowLink id={id}>{time}</RowLink> : time}</Cell>;
  }
  const text = formatTime(unix, zone);
  const cut = text.lastIndexOf(' ') + 1;
  const words = (
    <>
      <span className="dim">{text.slice(0, cut)}</span>
      {text.slice(cut)}
    </>
  );
  return (
    <Cell column={column} unix={unix}>
      {isLink ? <RowLink id={id}>{words}</RowLink> : words}
    </Cell>
  );
}

export function TimeHead() {
  const zone = zoneName(useZone());
  const { order } = use(ListContext);
  const words = (
    <>
      Created <span className="zone">{zone}</span>
    </>
  );
  if (!order) return words;
  const Icon = order.oldestFirst ? ArrowUp : ArrowDown;
  const tip = order.oldestFirst ? 'Oldest first. Show the newest first' : 'Newest first. Show the oldest first';
  return (
    <button type="button" onClick={order.toggle} data-tip={tip}>
      {words}
      <Icon className="icon-s" aria-hidden />
    </button>
  );
}

export function IdCell({ id, column }: { id: string; column: string }) {
  return (
    <Cell column={column} className="mono" tip={id} label={visible(id)} dir="auto">
      {visible(shorten(id))}
    </Cell>
  );
}

/** Text from outside, as it came; cut by the column only. */
export function TextCell({ column, text }: { column: string; text: string }) {
  return (
    <Cell column={column} tip={text.length > 12 ? text : undefined} dir="auto">
      {visible(text.slice(0, 80))}
    </Cell>
  );
}

/** Where money went: a name, else a short address that carries the whole one. */
export function AddressCell({
  id,
  column,
  chain,
  address,
}: {
  id: string;
  column: string;
  chain: string;
  address: string | null;
}) {
  const { nameOf, linkColumn } = use(ListContext);
  if (address === null || address === '') return <Cell column={column}>{''}</Cell>;
  const name = nameOf?.(chain, address);
  const short = visible(shorten(address));
  const whole = visible(address.slice(0, 400));
  const said = name === undefined ? whole : undefined;
  const text = name === undefined ? short : visible(name.slice(0, 80));
  return (
    <Cell
      column={column}
      className={name === undefined ? 'mono' : ''}
      tip={address}
      label={linkColumn === column ? undefined : said}
      dir="auto"
    >
      {linkColumn === column ? (
        <RowLink id={id} label={said}>
          {text}
        </RowLink>
      ) : (
        text
      )}
    </Cell>
  );
}

/** What the team wrote on a payment. */
export function NoteText({ id }: { id: string }) {
  const written = use(ListContext).noteOf?.(id);
  const text = written ? [written.reference, written.note].filter(Boolean).join(' · ') : '';
  return visible(text.slice(0, 120));
}

/** A status as it came: the usual ones as plain words, what wants attention or nobody knows as a chip. */
export function StatusCell({ column, status }: { column: string; status: string | null }) {
  const known = knownStatus(status);
  if (!known || known.tone === 'alarm') {
    return (
      <Cell column={column}>
        <StatusChip status={status} />
      </Cell>
    );
  }
  return (
    <Cell column={column} tone={status === 'broadcasted' ? 'sent' : known.tone}>
      {known.word}
    </Cell>
  );
}

interface AmountCellProps {
  id: string;
  column: string;
  amount: unknown;
  asset: string | null;
  /** A movement: says plus as well as minus. */
  signed?: boolean;
}

/** Characters, asset included, that stand beside a status on a card. */
const TIGHT = 28;

/** Every digit of an amount, its point under the others; one that no row can hold is not cut but stands on the row's own page. */
export function AmountCell({ id, column, amount, asset, signed = false }: AmountCellProps) {
  const hidden = useAmountsHidden();
  const { decimals } = use(ListContext);
  const code = asset === null ? undefined : clip(asset);
  if (!isAmount(amount) || hidden) {
    return (
      <Cell column={column}>
        <Amount value={amount} asset={code} />
      </Cell>
    );
  }
  if (amount.length > AMOUNT_MAX) {
    return (
      <Cell column={column} className="too-long">
        <RowLink id={id}>An amount of {amount.length} characters</RowLink>
      </Cell>
    );
  }
  const { sign: minus, integer, fraction, zeros } = amountParts(amount);
  const sign = signed && minus === '' && !isZero(amount) ? '+' : minus;
  const missing = decimals - fraction.length - zeros.length;
  return (
    <Cell column={column} className={amount.length + (code?.length ?? 0) > TIGHT ? 'tight' : ''}>
      {sign}
      {integer}
      {fraction}
      {zeros && <span className="z">{zeros}</span>}
      <bdi className="a" style={missing > 0 ? { '--pad': `${(missing * DIGIT).toFixed(2)}em` } : undefined}>
        {code === undefined ? '' : `\u00a0${visible(code)}`}
      </bdi>
    </Cell>
  );
}

function clip(asset: string): string {
  return asset.length > 12 ? `${asset.slice(0, 11)}…` : asset;
}
