import { createContext, use, type ReactNode } from 'react';
import { Link } from 'react-router';
import { formatTime, isoUtc, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { Time, useZone } from '#src/ui/Time.tsx';
import { Eye } from 'lucide-react';
import { shorten, visible } from '#src/lib/text.ts';
import { useOpenedRows } from './openedRows.ts';
import { isAmount } from '#src/lib/amount.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { AMOUNT_MAX } from './amountWidth.ts';

/** What the cells of a list need to know of it. */
export interface ListPlace {
  hrefOf: (id: string) => string;
  /** Whether there is an Id column; without one the time is the row's link. */
  idShown: boolean;
}

export const ListContext = createContext<ListPlace>({ hrefOf: () => '', idShown: true });

export function useListPlace(): ListPlace {
  return use(ListContext);
}

interface RowLinkProps {
  id: string;
  className?: string;
  children: ReactNode;
}

/** The link of a row; the list's filters come along, so that the way back is the same list. */
export function RowLink({ id, className, children }: RowLinkProps) {
  const { hrefOf } = useListPlace();
  return (
    <Link to={hrefOf(id)} className={className} data-row-link>
      {children}
    </Link>
  );
}

/** Date and clock of a row; the day in lighter ink, because the clock is what differs from row to row. */
export function TimeCell({ id, unix }: { id: string; unix: unknown }) {
  const zone = useZone();
  const { idShown } = useListPlace();
  if (!isPlausibleTime(unix)) {
    return idShown ? (
      <span className="clip">
        <Time unix={unix} />
      </span>
    ) : (
      <RowLink id={id}>no usable time</RowLink>
    );
  }
  const text = formatTime(unix, zone);
  const cut = text.lastIndexOf(' ') + 1;
  const time = (
    <time dateTime={isoUtc(unix)} data-tip-unix={unix}>
      <span className="dim">{text.slice(0, cut)}</span>
      {text.slice(cut)}
    </time>
  );
  return idShown ? time : <RowLink id={id}>{time}</RowLink>;
}

export function TimeHead() {
  return (
    <>
      Created <span className="zone">{zoneName(useZone())}</span>
    </>
  );
}

export function IdCell({ id }: { id: string }) {
  const opened = useOpenedRows().has(id);
  return (
    <>
      <RowLink id={id} className={opened ? 'id seen' : 'id'}>
        <bdi data-tip={id}>{visible(shorten(id))}</bdi>
      </RowLink>
      {opened && (
        <span className="seen-mark" data-tip="Opened here before">
          <Eye className="icon-s" aria-hidden />
          <span className="vh">opened before</span>
        </span>
      )}
    </>
  );
}

/** A word of the service such as a chain, as it came; cut by the column only. */
export function WordCell({ word }: { word: string | null }) {
  if (word === null) return <span className="dim">not given</span>;
  return (
    <bdi className="clip" {...(word.length > 12 ? { 'data-tip': word } : {})}>
      {visible(word.slice(0, 80))}
    </bdi>
  );
}

interface AmountCellProps {
  id: string;
  amount: unknown;
  asset: string | null;
  /** A movement: says plus as well as minus. */
  signed?: boolean;
}

/** Characters, asset included, that stand beside a status on a card. */
const TIGHT = 28;

/** Every digit of an amount; one that no row can hold is not cut but stands on the row's own page. */
export function AmountCell({ id, amount, asset, signed = false }: AmountCellProps) {
  if (isAmount(amount) && amount.length > AMOUNT_MAX) {
    return (
      <RowLink id={id} className="too-long">
        An amount of {amount.length} characters
      </RowLink>
    );
  }
  const tight = isAmount(amount) && amount.length + (asset?.length ?? 0) > TIGHT;
  return (
    <span className={tight ? 'money tight' : 'money'}>
      <Amount value={amount} asset={asset === null ? undefined : clip(asset)} signed={signed} />
    </span>
  );
}

function clip(asset: string): string {
  return asset.length > 12 ? `${asset.slice(0, 11)}…` : asset;
}
