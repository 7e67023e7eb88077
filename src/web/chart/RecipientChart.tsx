import { useMemo } from 'react';
import { Link } from 'react-router';
import { share } from '#src/shared/money.ts';
import { numberWords, revealHidden } from '#src/shared/text.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import type { Measure } from './bins.ts';
import type { Counted } from './counted.ts';
import { type RecipientBar, recipientBars } from './recipientBars.ts';

interface RecipientChartProps {
  counted: Counted;
  what: Measure;
  label: string;
}

/** A bar for each recipient, as a table that scrolls in the chart's place: each row has a link, so the keyboard gets there. */
export function RecipientChart({ counted, what, label }: RecipientChartProps) {
  const { entries } = useRecipients();
  const bars = useMemo(() => recipientBars(counted, entries, what), [counted, entries, what]);
  if (bars.length === 0) return <p className="sub small">None completed.</p>;
  return (
    <div className="recipient-bars">
      <DataTable label={label} className="" rows={bars} columns={columnsOf(what, bars[0])} keyOf={({ to }) => to} />
    </div>
  );
}

function columnsOf(what: Measure, largest: RecipientBar | undefined): DataColumn<RecipientBar>[] {
  const isCount = what.kind === 'count';
  const sizeOf = (bar: RecipientBar | undefined): string => (isCount ? String(bar?.rows ?? 0) : (bar?.sum ?? '0'));
  return [
    {
      name: 'Recipient',
      isHead: true,
      cell: ({ name, to }) => (
        <Link to={to}>
          <bdi translate="no">{revealHidden(name.slice(0, 60))}</bdi>
        </Link>
      ),
    },
    {
      name: 'Share',
      className: 'bar',
      cell: (bar) => (
        <svg width="100%" height="10" aria-hidden>
          <rect className="k1" width={`${Math.max(0.5, share(sizeOf(bar), sizeOf(largest)).percent)}%`} height="10" />
        </svg>
      ),
    },
    {
      name: isCount ? 'Withdrawals' : 'Amount',
      className: 'num',
      cell: ({ rows, sum }) => (isCount ? numberWords(rows) : <Amount value={sum} flow />),
    },
  ];
}
