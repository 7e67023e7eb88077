import { CircleCheck, CircleQuestionMark, Info, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { ClosedTotal } from '#src/shared/contract/statementContract.ts';
import { numberWords } from '#src/shared/text.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { sum as total } from '#src/shared/money.ts';
import { paths } from '#src/shared/paths.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Chip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { ShownSum } from '#src/shared/contract/monthJobContract.ts';
import { type Bounds, searchOf } from '#src/shared/statement/period.ts';

const VERDICT_CHIPS = {
  agrees: { tone: 'proof', Icon: CircleCheck, words: 'Agrees', closed: 'Agreed when closed' },
  explained: { tone: 'motion', Icon: Info, words: 'Explained', closed: 'Explained when closed' },
  unexplained: { tone: 'alarm', Icon: TriangleAlert, words: 'Unexplained', closed: 'Unexplained when closed' },
  none: { tone: 'plain', Icon: CircleQuestionMark, words: 'Not compared', closed: 'Not compared when closed' },
} as const;

/** A closed period keeps the verdict of its statement, because later changes are adjustments of the next period. */
export function VerdictChip({ verdict, closingVerdict }: Pick<ShownSum, 'verdict' | 'closingVerdict'>) {
  const isClosed = closingVerdict !== undefined;
  const { tone, Icon, words, closed } = VERDICT_CHIPS[(isClosed ? closingVerdict : verdict) ?? 'none'];
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {isClosed ? closed : words}
    </Chip>
  );
}

interface SumsTableProps {
  sums: readonly ShownSum[];
  chosen: string | null;
  onChoose: (asset: string) => void;
  isOpen: boolean;
}

export function SumsTable({ sums, ...props }: SumsTableProps) {
  return (
    <section className="month-scroll screen-only" aria-label="Movements">
      <DataTable
        className="grid-table labelled fitted scrolled month-sums"
        label="Sums by asset"
        rows={sums}
        columns={sumColumns({ sums, ...props })}
        keyOf={({ asset }) => asset}
        rowClass={({ asset }) => (asset === props.chosen ? 'open' : undefined)}
      />
    </section>
  );
}

function sumColumns({ sums, chosen, onChoose, isOpen }: SumsTableProps): DataColumn<ShownSum>[] {
  const money = (name: string, of: (sum: ShownSum) => string, signed = false): DataColumn<ShownSum> => ({
    name,
    style: { '--int': integerWidth(sums.map(of)).css },
    cell: (sum) => <Amount value={of(sum)} signed={signed} />,
  });
  return [
    {
      name: 'Asset',
      isHead: true,
      cell: ({ asset }) => (
        <button
          type="button"
          className="link font-semibold whitespace-nowrap [&_*]:[overflow-wrap:normal]"
          aria-pressed={asset === chosen}
          onClick={() => onChoose(asset)}
        >
          <UntrustedText code value={asset} max={24} brief />
        </button>
      ),
    },
    { name: 'Check', cell: (sum) => <VerdictChip {...sum} /> },
    money('Opening', ({ opening }) => opening),
    money('Deposits', ({ deposits }) => deposits, true),
    money('Withdrawals', ({ withdrawals }) => withdrawals, true),
    money('Fees', ({ fees }) => fees, true),
    money('Other', ({ swaps, other, adjustments }) => total([swaps, other, adjustments]), true),
    money(isOpen ? 'So far' : 'Closing', ({ closing }) => closing),
    {
      name: 'Difference',
      className: 'cash',
      style: { '--int': integerWidth(sums.map(({ difference }) => difference)).css },
      cell: ({ difference, asset }) =>
        difference === null ? (
          <span className="dim">not compared</span>
        ) : (
          <Amount value={difference} asset={asset} signed />
        ),
    },
  ];
}

/** Without a ledger: totals from the lists, by asset and status. */
export function TotalsTable({ totals, bounds }: { totals: readonly ClosedTotal[]; bounds: Bounds }) {
  return (
    <DataTable
      className="grid-table labelled"
      label="Totals by asset and status"
      rows={totals}
      columns={totalColumns(totals, bounds)}
      keyOf={({ list, asset, status }) => stringifyExact([list, asset, status])}
    />
  );
}

function totalColumns(totals: readonly ClosedTotal[], bounds: Bounds): DataColumn<ClosedTotal>[] {
  return [
    {
      name: 'Asset',
      isHead: true,
      cell: ({ asset }) => (asset === null ? 'not given' : <UntrustedText code value={asset} max={24} />),
    },
    { name: 'Type', cell: ({ list }) => (list === 'deposits' ? 'Deposits' : 'Withdrawals') },
    { name: 'Status', cell: ({ status }) => <UntrustedText value={status ?? 'not given'} max={40} /> },
    {
      name: 'Count',
      className: 'num',
      cell: ({ list, asset, status, rows, unreadable }) => (
        <Link
          to={paths[list](searchOf(bounds, { ...(asset !== null && { asset }), ...(status !== null && { status }) }))}
        >
          {numberWords(rows)}
          {unreadable > 0 && ` (${numberWords(unreadable)} without an amount)`}
        </Link>
      ),
    },
    {
      name: 'Sum',
      className: 'cash',
      style: { '--int': integerWidth(totals.map(({ sum }) => sum)).css },
      cell: ({ sum, asset }) => <Amount value={sum} asset={asset ?? undefined} />,
    },
  ];
}
