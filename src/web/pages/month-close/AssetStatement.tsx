import { isSettledStatus } from '#src/shared/paymentStatus.ts';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import type { ShownSum } from '#src/shared/contract/monthJobContract.ts';
import type { ClosedTotal } from '#src/shared/contract/statementContract.ts';
import { subtract } from '#src/shared/money.ts';
import { counted, listInWords } from '#src/shared/text.ts';
import { isZero } from '#src/shared/amount.ts';
import { paths } from '#src/shared/paths.ts';
import { isPlausibleTime, span } from '#src/shared/time.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';
import { SourceLink, SwapWords } from '#src/web/resources/SourceLink.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { LateMoves } from '#src/shared/statement/reportedRows.ts';
import { NOUNS } from '#src/shared/statement/periodRows.ts';
import { pendingAtEnd, type SumVerdict } from '#src/shared/statement/sums.ts';
import { VerdictChip } from './SumsTable.tsx';
import { type Bounds, searchOf } from '#src/shared/statement/period.ts';

interface AssetStatementProps {
  sum: ShownSum;
  bounds: Bounds;
  totals: readonly ClosedTotal[];
  /** The provider doesn't list withdrawals, so it isn't known which were created. */
  hasNoWithdrawalList?: boolean;
  isClosed: boolean;
  /** The period is not over. Movements after it exist only if a clock was moved back. */
  isOpen: boolean;
  /** For a closed period: rows that are in no statement yet, and the period that they will be added to. */
  late?: { moves: LateMoves; next: string } | null;
}

export function AssetStatement({
  sum,
  bounds,
  totals,
  hasNoWithdrawalList = false,
  isClosed,
  isOpen,
  late = null,
}: AssetStatementProps) {
  const { asset, counts, balance } = sum;
  const headId = useId();
  const pending = pendingAtEnd(sum);
  const search = searchOf(bounds, { asset });
  const after = new URLSearchParams({ asset, created_after: String(bounds.to - 1) });
  const amounts = [sum.opening, sum.deposits, sum.withdrawals, sum.closing, sum.since, balance?.total, sum.difference];
  const line = (
    label: ReactNode,
    behind: ReactNode,
    value: string | null,
    of: { signed?: true; closes?: true } = {},
  ) => (
    <tr className={of.closes && 'closing'}>
      <th scope="row">{label}</th>
      <td className="behind">{behind}</td>
      <td className="cash">
        {value === null ? (
          <span className="dim">not readable</span>
        ) : (
          <Amount value={value} asset={asset} signed={of.signed ?? false} />
        )}
      </td>
    </tr>
  );
  const moved = (label: string, behind: ReactNode, value: string) => line(label, behind, value, { signed: true });
  const entries = (count: number, to: URLSearchParams) => (
    <Link to={paths.ledger(to)}>{counted(count, NOUNS.ledger.one, NOUNS.ledger.many)}</Link>
  );
  const rows = { totals, asset, search };
  return (
    <section className="grid grid-cols-1 gap-3 break-inside-avoid" aria-labelledby={headId}>
      <h2 id={headId}>
        <UntrustedText code value={asset} max={40} />
      </h2>
      <table className="month-sum" style={{ '--int': integerWidth(amounts).css }} aria-labelledby={headId}>
        <tbody>
          {line(
            <>
              Opening, <Time unix={bounds.from} />
            </>,
            null,
            sum.opening,
          )}
          {moved('Deposits', <Behind list="deposits" {...rows} />, sum.deposits)}
          {moved(
            'Withdrawals',
            hasNoWithdrawalList ? <span className="dim">not listed</span> : <Behind list="withdrawals" {...rows} />,
            sum.withdrawals,
          )}
          {moved('Fees', counts.fees > 0 && counted(counts.fees, 'fee', 'fees'), sum.fees)}
          {counts.swaps > 0 && moved('Swaps', counted(counts.swaps, 'swap', 'swaps'), sum.swaps)}
          {counts.other > 0 &&
            moved(
              'Other movements',
              <Link to={paths.ledger(search)}>{counted(counts.other, 'source', 'sources')}</Link>,
              sum.other,
            )}
          {!isZero(sum.adjustments) &&
            moved(
              'Adjustments of closed periods',
              isClosed ? 'named in adjustments.csv of its ZIP' : 'named above',
              sum.adjustments,
            )}
          {line(
            isOpen ? (
              'So far by ledger'
            ) : (
              <>
                Closing by ledger, <Time unix={bounds.to} />
              </>
            ),
            <>
              {entries(counts.entries, search)}
              {pending !== null && !isZero(pending) && (
                <>
                  , <Amount value={pending} asset={asset} flow /> of it pending
                </>
              )}
            </>,
            sum.closing,
            { closes: true },
          )}
          {(!isOpen || !isZero(sum.since)) &&
            moved(
              'Since then',
              <>
                {entries(sum.sinceEntries, after)}
                {!isZero(sum.takenOver ?? '0') && (
                  <>
                    , and <Amount value={sum.takenOver} asset={asset} flow signed /> added later to closed periods
                  </>
                )}
              </>,
              sum.since,
            )}
          {line('Balance now', balance && <Changed at={balance.at} />, balance?.total ?? null)}
          {line('Difference', <VerdictChip {...sum} />, sum.difference, { signed: true, closes: true })}
        </tbody>
      </table>
      {late && <Late sum={sum} {...late} />}
      {sum.ahead.count > 0 && <Ahead sum={sum} />}
      {sum.swapped.count > 0 && <Swaps swaps={sum.swapped} />}
    </section>
  );
}

interface BehindProps extends Pick<AssetStatementProps, 'totals'> {
  list: 'deposits' | 'withdrawals';
  asset: string;
  search: URLSearchParams;
}

function Changed({ at }: { at: number | null }) {
  if (at === null) return <>no time given</>;
  return (
    <>
      last changed <Time unix={at} />
    </>
  );
}

function Behind({ list, totals, asset, search }: BehindProps) {
  const here = totals.filter((total) => total.list === list && total.asset === asset);
  const rows = here.reduce((count, total) => count + total.rows, 0);
  if (rows === 0) return <span className="dim">none created</span>;
  const rest = here.filter(({ status }) => !isSettledStatus(status));
  const { one, many } = NOUNS[list];
  return (
    <>
      <Link to={paths[list](search)}>{counted(rows, `${one} created`, `${many} created`)}</Link>
      {rest.map(({ status, rows }) => (
        <span key={status} className="dim">
          , {rows} <UntrustedText value={status ?? 'without a status'} max={30} />
        </span>
      ))}
    </>
  );
}

const AT_CLOSING: Record<SumVerdict | 'none', string> = {
  agrees: 'Agreed when closed.',
  explained: 'Explained when closed.',
  unexplained: 'Unexplained when closed.',
  none: 'Not compared when closed.',
};

function Late({ sum, moves, next }: Pick<AssetStatementProps, 'sum'> & { moves: LateMoves; next: string }) {
  const { asset, closingVerdict, difference } = sum;
  const { deposits, withdrawals, others } = moves;
  const words = [
    ...(deposits > 0 ? [counted(deposits, 'late deposit', 'late deposits')] : []),
    ...(withdrawals > 0 ? [counted(withdrawals, 'late withdrawal', 'late withdrawals')] : []),
    ...(others > 0 ? [counted(others, 'late movement', 'late movements')] : []),
  ];
  if (words.length === 0) return null;
  const rest = difference === null ? '0' : subtract(difference, moves.amount);
  return (
    <Notice tone={isZero(rest) ? 'plain' : 'alarm'} live title={AT_CLOSING[closingVerdict ?? 'none']}>
      {listInWords(words)}, <Amount value={moves.amount} asset={asset} flow signed />,{' '}
      {deposits + withdrawals + others === 1 ? 'goes' : 'go'} into {next}.
      {!isZero(rest) && (
        <>
          {' '}
          <Amount value={rest} asset={asset} flow signed /> is still unexplained.
        </>
      )}
    </Notice>
  );
}

function Ahead({ sum: { asset, ahead, balance } }: { sum: ShownSum }) {
  const newest = ahead.rows.at(-1)?.created_at;
  const lag = isPlausibleTime(newest) && balance?.at ? newest - balance.at : 0;
  return (
    <Notice
      tone="motion"
      title={lag > 0 ? `The ledger is ${span(lag)} ahead of the balance.` : 'The ledger is ahead of the balance.'}
    >
      {counted(ahead.count, 'entry isn’t', 'entries aren’t')} in it yet, and {ahead.count === 1 ? 'makes' : 'make'} up
      the whole difference:{' '}
      {ahead.rows.map((entry) => (
        <span key={entry.id} className="block">
          <SourceLink source={sourceOf(entry) ?? entry.id} short />{' '}
          <Amount value={entry.amount} asset={asset} flow signed /> <Time unix={entry.created_at} />
        </span>
      ))}
    </Notice>
  );
}

function Swaps({ swaps }: { swaps: ShownSum['swapped'] }) {
  return (
    <ul className="small grid gap-1">
      {swaps.rows.map((swap) => (
        <li key={swap.source}>
          <SwapWords out={swap.out} in={swap.in} />, <Time unix={swap.out.created_at} />,{' '}
          <Link className="id" to={paths.ledger(new URLSearchParams({ source: swap.source }))}>
            <UntrustedText value={swap.source} max={40} />
          </Link>
        </li>
      ))}
      {swaps.count > swaps.rows.length && (
        <li className="sub">and {counted(swaps.count - swaps.rows.length, 'more', 'more')}</li>
      )}
    </ul>
  );
}
