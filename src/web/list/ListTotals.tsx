import { useEffect, useState } from 'react';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import type { ListRow } from './fields.tsx';
import { scopeWords } from './scopeWords.ts';
import type { List } from './useList.ts';
import { Sigma } from 'lucide-react';
import { knownStatus, toneOf } from '#src/shared/paymentStatus.ts';
import { compareWords, revealHidden, counted, numberWords, totalWords } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { haveStatus, type RowSum } from '#src/shared/export/rowTotals.ts';
import { rowSummer, RowSumsTable } from './rowSums.tsx';

export interface ListTotalsProps<T extends ListRow> extends Pick<
  List<T>,
  'noun' | 'index' | 'loaded' | 'end' | 'query' | 'sort'
> {
  local: boolean;
  /** A period is selected: it is loaded completely, up to PAGES_AT_ONCE. */
  bounded: boolean;
  /** New rows were announced that the list does not show yet. */
  hasNews: boolean;
  amountOf: (row: T) => unknown;
}

/** Pages loaded automatically, so that the sum of a month needs no click; more only if the person asks. */
const PAGES_AT_ONCE = 20;

export function ListTotals<T extends ListRow>(props: ListTotalsProps<T>) {
  const { noun, index, loaded, local, sort, end, hasNews, amountOf } = props;
  const { running, loadAll, stop } = useLoadAll(props);
  const isWhole = end?.kind === 'end' && !hasNews;
  const scope = scopeWords({ sort, local, loaded, isWhole });
  return (
    <div className="list-total" role="group" aria-label="Totals">
      <b>{totalWords(index.count, noun, isWhole || local)}</b>
      {scope !== '' && <span className="sub">{scope}</span>}
      {end?.kind === 'more' && (
        <Button size="small" variant="quiet" onClick={running ? stop : loadAll}>
          {running ? 'Stop' : 'Load all'}
        </Button>
      )}
      <Sums noun={noun} index={index} isWhole={isWhole} amountOf={amountOf} />
    </div>
  );
}

function useLoadAll<T extends ListRow>({ noun, index, bounded, end, query }: ListTotalsProps<T>) {
  const [wish, setWish] = useState<'none' | 'all' | 'stop'>('none');
  const { hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = query;
  const wanted = wish === 'all' || (wish === 'none' && bounded && index.pages.length < PAGES_AT_ONCE);
  const running = wanted && hasNextPage && !failed;
  useEffect(() => {
    if (running && !isFetching) void fetchNextPage({ cancelRefetch: false });
  });
  const isWhole = end?.kind === 'end';
  useEffect(() => {
    if (wish === 'all' && isWhole) announce(`All loaded: ${counted(index.count, noun.one, noun.many)}`);
  }, [wish, isWhole, index.count, noun]);
  return {
    running,
    loadAll: () => {
      setWish('all');
      void fetchNextPage({ cancelRefetch: false });
    },
    stop: () => setWish('stop'),
  };
}

interface SumsProps<T extends ListRow> extends Pick<ListTotalsProps<T>, 'noun' | 'index' | 'amountOf'> {
  isWhole: boolean;
}

const TONES = ['proof', 'motion', 'alarm'];

function Sums<T extends ListRow>({ noun, index, isWhole, amountOf }: SumsProps<T>) {
  const [sumsOf] = useState(() => rowSummer(amountOf));
  const [open, setOpen] = useState(false);
  const sums = sumsOf(index).toSorted(
    (a, b) =>
      compareWords(a.asset, b.asset) ||
      TONES.indexOf(toneOf(a.status)) - TONES.indexOf(toneOf(b.status)) ||
      compareWords(a.status, b.status),
  );
  const assets = new Set(sums.map(({ asset }) => asset)).size;
  if (assets === 1 && sums.length <= 4) {
    return sums.map((each, at) => <Sum key={each.status} {...each} named={at === 0} isWhole={isWhole} />);
  }
  if (sums.length === 0) return null;
  return (
    <>
      <Button size="small" icon={<Sigma className="icon-s" aria-hidden />} onClick={() => setOpen(true)}>
        Sums of {assets === 1 ? '1 asset' : `${assets} assets`}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Sums of these ${noun.many}`}
        wide="max-w-[min(40rem,calc(100vw-2rem))]"
        actions={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <p className="small sub">
          {isWhole ? 'All rows' : 'Loaded rows only'}, by asset{haveStatus(sums) && ' and status'}.
        </p>
        <RowSumsTable sums={sums} />
      </Dialog>
    </>
  );
}

/** "at least 161,566.436377 USDT completed"; the asset is named once. */
function Sum({ asset, status, sum, rows, unreadable, named, isWhole }: RowSum & { named: boolean; isWhole: boolean }) {
  const known = knownStatus(status);
  return (
    <span className={toneOf(status) === 'alarm' ? 'text-alarm' : 'sub'} data-tone={toneOf(status)}>
      {/* Amounts without a status can be negative, so more rows may lower their sum. */}
      {!isWhole && (status === null ? 'so far ' : 'at least ')}
      <Amount value={sum} asset={named && asset !== null ? asset : undefined} flow />{' '}
      {known?.word.toLowerCase() ?? revealHidden(status ?? 'in all').slice(0, 40)}
      {unreadable > 0 && ` (${numberWords(unreadable)} of ${numberWords(rows)} without a readable amount)`}
    </span>
  );
}
