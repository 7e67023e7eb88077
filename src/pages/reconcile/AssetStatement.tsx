import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ClosedTotal } from '#src/api/statementContract.ts';
import { counted } from '#src/lib/count.ts';
import { isZero } from '#src/lib/amount.ts';
import { paths } from '#src/lib/paths.ts';
import { isPlausibleTime, span } from '#src/lib/time.ts';
import { sourceOf } from '#src/resources/ledgerSource.ts';
import { SourceLink, SwapWords } from '#src/resources/SourceLink.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { Time } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { searchOf } from './period.ts';
import type { AssetSum, Bounds, Swap } from './sums.ts';
import { VerdictChip } from './SumsTable.tsx';

interface AssetStatementProps {
  sum: AssetSum;
  bounds: Bounds;
  /** Of the period's lists. */
  totals: readonly ClosedTotal[];
}

const SWAPS_SHOWN = 20;

/** One asset's sum, line by line; each count leads to the rows behind it. */
export function AssetStatement({ sum, bounds, totals }: AssetStatementProps) {
  const { asset, counts, balance, verdict } = sum;
  const search = searchOf(bounds, { asset });
  const after = new URLSearchParams({ asset, created_after: String(bounds.to - 1) });
  const amounts = [sum.opening, sum.deposits, sum.withdrawals, sum.closing, sum.since, balance?.total, sum.difference];
  const line = (
    label: ReactNode,
    behind: ReactNode,
    value: string | null,
    kind: 'moved' | 'held' | 'sum' = 'moved',
  ) => (
    <tr className={kind === 'sum' ? 'closing' : undefined}>
      <th scope="row">{label}</th>
      <td className="behind">{behind}</td>
      <td className="cash">
        {value === null ? (
          <span className="dim">not readable</span>
        ) : (
          <Amount value={value} asset={asset} signed={kind === 'moved'} />
        )}
      </td>
    </tr>
  );
  return (
    <section className="grid gap-3" aria-labelledby="asset-sum">
      <h2 id="asset-sum">
        <UntrustedText value={asset} max={40} />
      </h2>
      <table className="month-sum" style={{ '--int': integerWidth(amounts).css }} aria-labelledby="asset-sum">
        <tbody>
          {line(
            <>
              Opening, <Time unix={bounds.from} />
            </>,
            null,
            sum.opening,
            'held',
          )}
          {line('Deposits', <Behind list="deposits" {...{ totals, asset, search }} />, sum.deposits)}
          {line('Withdrawals', <Behind list="withdrawals" {...{ totals, asset, search }} />, sum.withdrawals)}
          {line('Fees', counts.fees > 0 && counted(counts.fees, 'fee', 'fees'), sum.fees)}
          {counts.swaps > 0 && line('Swaps', counted(counts.swaps, 'swap', 'swaps'), sum.swaps)}
          {counts.other > 0 &&
            line(
              'Other movements',
              <Link to={paths.ledger(search)}>{counted(counts.other, 'source', 'sources')}</Link>,
              sum.other,
            )}
          {!isZero(sum.adjustments) && line('Adjustments of closed periods', 'named below', sum.adjustments)}
          {line(
            <>
              Closing by ledger, <Time unix={bounds.to} />
            </>,
            <Link to={paths.ledger(search)}>{counted(counts.entries, 'ledger entry', 'ledger entries')}</Link>,
            sum.closing,
            'sum',
          )}
          {line(
            'Since then',
            <Link to={paths.ledger(after)}>{counted(sum.sinceEntries, 'ledger entry', 'ledger entries')}</Link>,
            sum.since,
          )}
          {line(
            'Balance now',
            balance &&
              (balance.at === null ? (
                'no time given'
              ) : (
                <>
                  last changed <Time unix={balance.at} />
                </>
              )),
            balance?.total ?? null,
            'held',
          )}
          {line('Difference', <VerdictChip verdict={verdict} />, sum.difference, 'sum')}
        </tbody>
      </table>
      {sum.ahead.length > 0 && <Ahead sum={sum} />}
      {sum.swapped.length > 0 && <Swaps swaps={sum.swapped} />}
    </section>
  );
}

interface BehindProps {
  list: 'deposits' | 'withdrawals';
  totals: readonly ClosedTotal[];
  asset: string;
  search: URLSearchParams;
}

/** How many rows of a list, and how many of them are not completed. */
function Behind({ list, totals, asset, search }: BehindProps) {
  const here = totals.filter((total) => total.list === list && total.asset === asset);
  const rows = here.reduce((count, total) => count + total.rows, 0);
  if (rows === 0) return <span className="dim">none created</span>;
  const rest = here.filter(({ status }) => status !== 'completed');
  const [one, many] =
    list === 'deposits' ? (['deposit', 'deposits'] as const) : (['withdrawal', 'withdrawals'] as const);
  return (
    <>
      <Link to={list === 'deposits' ? paths.deposits(search) : paths.withdrawals(search)}>
        {counted(rows, one, many)}
      </Link>
      {rest.map(({ status, rows }) => (
        <span key={status} className="dim">
          , {rows} <UntrustedText value={status ?? 'without a status'} max={30} />
        </span>
      ))}
    </>
  );
}

function Ahead({ sum: { asset, ahead, balance } }: { sum: AssetSum }) {
  const newest = ahead.at(-1)?.created_at;
  const lag = isPlausibleTime(newest) && balance?.at ? newest - balance.at : 0;
  return (
    <Notice
      tone="motion"
      title={lag > 0 ? `The ledger is ${span(lag)} ahead of the balance.` : 'The ledger is ahead of the balance.'}
    >
      {counted(ahead.length, 'entry isn’t', 'entries aren’t')} in it yet, and {ahead.length === 1 ? 'makes' : 'make'} up
      the whole difference:{' '}
      {ahead.slice(-5).map((entry) => (
        <span key={entry.id} className="block">
          <SourceLink source={sourceOf(entry) ?? entry.id} short />{' '}
          <Amount value={entry.amount} asset={asset} flow signed /> <Time unix={entry.created_at} />
        </span>
      ))}
    </Notice>
  );
}

function Swaps({ swaps }: { swaps: readonly Swap[] }) {
  return (
    <ul className="small grid gap-1">
      {swaps.slice(0, SWAPS_SHOWN).map((swap) => (
        <li key={swap.source}>
          <SwapWords out={swap.out} in={swap.in} />, <Time unix={swap.out.created_at} />,{' '}
          <Link className="id" to={paths.ledger(new URLSearchParams({ source: swap.source }))}>
            <UntrustedText value={swap.source} max={40} />
          </Link>
        </li>
      ))}
      {swaps.length > SWAPS_SHOWN && <li className="sub">and {counted(swaps.length - SWAPS_SHOWN, 'more', 'more')}</li>}
    </ul>
  );
}
