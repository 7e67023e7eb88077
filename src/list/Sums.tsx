import { Sigma } from 'lucide-react';
import { useState } from 'react';
import { type Noun, numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { knownStatus, toneOf } from '#src/lib/paymentStatus.ts';
import { compareWords, visible } from '#src/lib/text.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import type { ListRow } from './fields.tsx';
import type { RowIndex } from './rows/rowIndex.ts';
import { type RowSum, rowSummer } from './rowSums.ts';

interface SumsProps<T extends ListRow> {
  noun: Noun;
  index: RowIndex<T>;
  /** Every row is loaded. */
  isWhole: boolean;
  amountOf: (row: T) => unknown;
}

const TONES = ['proof', 'motion', 'alarm'];

/** Exact sums of the rows loaded: of one asset in words, of several in a table. */
export function Sums<T extends ListRow>({ noun, index, isWhole, amountOf }: SumsProps<T>) {
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
    return sums.map((each, at) => <Sum key={each.status} {...each} named={at === 0} />);
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
        actions={<Button onClick={() => setOpen(false)}>Close</Button>}
      >
        <p className="small sub">
          {isWhole ? 'Complete' : 'Of the rows loaded so far: at least this much'}. Exact, per asset and status.
        </p>
        <DataTable label="Exact sums per asset and status" rows={sums} columns={COLUMNS} keyOf={keyOf} />
      </Dialog>
    </>
  );
}

const keyOf = ({ asset, status }: RowSum): string => stringifyExact([asset, status]);

/** "161,566.436377 USDT completed"; the asset is named once. */
function Sum({ asset, status, sum, rows, unreadable, named }: RowSum & { named: boolean }) {
  const known = knownStatus(status);
  return (
    <span className={toneOf(status) === 'alarm' ? 'text-alarm' : 'sub'} data-tone={toneOf(status)}>
      <Amount value={sum} asset={named && asset !== null ? asset : undefined} flow />{' '}
      {known?.word.toLowerCase() ?? visible(status ?? 'in all').slice(0, 40)}
      {unreadable > 0 && ` (${numberWords(unreadable)} of ${numberWords(rows)} without a readable amount)`}
    </span>
  );
}

const COLUMNS: DataColumn<RowSum>[] = [
  { name: 'Asset', cell: ({ asset }) => (asset === null ? 'no asset' : <UntrustedText value={asset} max={24} />) },
  { name: 'Status', cell: ({ status }) => (status === null ? 'no status' : <UntrustedText value={status} max={24} />) },
  { name: 'Rows', className: 'num', cell: ({ rows }) => numberWords(rows) },
  {
    name: 'Sum',
    className: 'cash',
    cell: ({ sum, unreadable }) => (
      <>
        <Amount value={sum} />
        {unreadable > 0 && <span className="dim"> without {numberWords(unreadable)} that can’t be read</span>}
      </>
    ),
  },
];
