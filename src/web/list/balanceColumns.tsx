import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkIdentity, FIGURES } from '#src/shared/overview/balanceIdentity.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { isAmount, isZero } from '#src/shared/amount.ts';
import { capital } from '#src/shared/text.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import './balance-table.css';

/** The parts of each balance and its total; `unchecked` is shown beside a total whose parts can’t be added up. */
export function balanceColumns(balances: readonly BalanceRow[], unchecked: ReactNode = null): DataColumn<BalanceRow>[] {
  return FIGURES.map((field) => ({
    name: capital(field),
    className: field === 'total' ? 'cash' : field,
    style: { '--int': integerWidth(balances.map((balance) => balance[field])).css },
    cell: (balance) => <Figure balance={balance} field={field} unchecked={unchecked} />,
  }));
}

interface FigureProps {
  balance: BalanceRow;
  field: (typeof FIGURES)[number];
  unchecked: ReactNode;
}

function Figure({ balance, field, unchecked }: FigureProps) {
  const value = balance[field];
  const isTotal = field === 'total';
  const { kind } = checkIdentity(balance);
  return (
    <>
      <span className={isAmount(value) && isZero(value) ? 'nil' : undefined}>
        <Amount value={value} asset={isTotal ? balance.asset : undefined} compared={kind === 'broken'} />
      </span>{' '}
      {isTotal && kind === 'not-checkable' && unchecked}
      {isTotal && kind === 'broken' && (
        <span className="font-semibold whitespace-nowrap text-alarm">
          <TriangleAlert className="icon-s" aria-hidden /> Doesn’t add up
        </span>
      )}
    </>
  );
}
