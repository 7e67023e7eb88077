import { useMemo } from 'react';
import { Link } from 'react-router';
import { share } from '#src/shared/money.ts';
import { numberWords, revealHidden } from '#src/shared/text.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { DataTable } from '#src/web/ui/DataTable.tsx';
import type { Measure } from './bins.ts';
import type { Counted } from './counted.ts';
import { recipientBars } from './recipientBars.ts';

interface RecipientChartProps {
  counted: Counted;
  what: Measure;
  label: string;
}

/** A bar for each recipient, as a table that scrolls in the chart's place. */
export function RecipientChart({ counted, what, label }: RecipientChartProps) {
  const { entries } = useRecipients();
  const bars = useMemo(() => recipientBars(counted, entries, what), [counted, entries, what]);
  if (bars.length === 0) return <p className="sub small">None completed.</p>;
  const sizeOf = ({ rows, sum }: { rows: number; sum: string }) => (what.of === 'count' ? String(rows) : sum);
  const most = sizeOf(bars[0] ?? { rows: 0, sum: '0' });
  return (
    // Scrolls, so the keyboard must reach it.
    <div className="recipient-bars" role="region" aria-label={label} tabIndex={0}>
      <DataTable
        label={label}
        className=""
        rows={bars}
        keyOf={({ to }) => to}
        columns={[
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
                <rect className="k1" width={`${Math.max(0.5, share(sizeOf(bar), most).percent)}%`} height="10" />
              </svg>
            ),
          },
          {
            name: what.of === 'count' ? 'Withdrawals' : 'Amount',
            className: 'num',
            cell: ({ rows, sum }) => (what.of === 'count' ? numberWords(rows) : <Amount value={sum} flow />),
          },
        ]}
      />
    </div>
  );
}
