import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BatchTotal } from '#src/shared/batches/batchTotals.ts';
import { numberWords } from '#src/shared/text.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { useSession } from '#src/web/api/session.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

export type FreshBalances = ReturnType<typeof useFreshBalances>;

const NONE: never[] = [];

/** The balances, read again for this page. */
export function useFreshBalances() {
  const { account } = useSession();
  const { data } = useQuery({ ...balanceQueries.list(account), refetchOnMount: 'always' });
  return useMemo(
    () => ({
      balances: data?.balances ?? NONE,
      /** Every row was loaded and valid, so that a missing asset has no balance. */
      complete: data?.complete === true && data.malformed.length === 0,
    }),
    [data],
  );
}

const COLUMNS: DataColumn<BatchTotal>[] = [
  { name: 'Asset', isHead: true, cell: ({ asset }) => <UntrustedText code value={asset} max={60} /> },
  { name: 'Payments', className: 'num', cell: ({ payments }) => numberWords(payments) },
  { name: 'Total', className: 'cash', cell: ({ amount }) => <Amount value={amount} always /> },
  {
    name: 'Available',
    className: 'cash',
    cell: ({ available }) =>
      available === null ? <span className="dim">Not loaded</span> : <Amount value={available} />,
  },
  {
    name: 'Afterwards, before fees',
    className: 'cash',
    cell: ({ after, isShort }) =>
      isShort ? (
        <span className="text-alarm">Not enough</span>
      ) : after === null ? (
        <span className="dim">—</span>
      ) : (
        <Amount value={after} />
      ),
  },
];

export function PaymentTotalsTable({ totals, label = 'Totals' }: { totals: readonly BatchTotal[]; label?: string }) {
  const amounts = totals.flatMap(({ amount, available }) => [amount, available]);
  return (
    <div className="-mx-gutter">
      <DataTable
        label={label}
        className="grid-table labelled fitted"
        style={{ '--int': integerWidth(amounts).css }}
        rows={totals}
        columns={COLUMNS}
        keyOf={({ asset }) => asset}
      />
    </div>
  );
}
