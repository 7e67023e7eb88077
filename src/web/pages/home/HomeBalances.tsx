import { useMemo } from 'react';
import { Link } from 'react-router';
import { allBalances } from '#src/shared/overview/balances.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { isAmount } from '#src/shared/amount.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths } from '#src/shared/paths.ts';
import { dateOf } from '#src/shared/time.ts';
import { balanceColumns } from '#src/web/list/balanceColumns.tsx';
import { dayWords } from '#src/shared/createdRange.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { LEDGER_DAYS } from '#src/shared/overview/balanceLine.ts';
import type { HomeData } from './useHome.ts';
import { checkIdentity } from '#src/shared/overview/balanceIdentity.ts';
import { closingBalances, daysBack } from '#src/shared/overview/balanceLine.ts';
import { heightsOf, StepLine } from '#src/web/chart/balanceLine.tsx';

/** Maximum rows; the balances page has the rest. */
const SHOWN = 12;
const DAYS_OF_A_LINE = 2;

export function HomeBalances({ home: { balances, ledger } }: { home: HomeData }) {
  const zone = useZone();
  const { data } = balances;
  const now = ledger.meta?.date ?? ledger.meta?.readAt ?? null;
  const days = useMemo(() => {
    const reached = ledger.isWhole ? null : ledger.reached;
    return now === null ? [] : daysBack(dateOf(now, zone), LEDGER_DAYS, reached, zone);
  }, [now, ledger, zone]);
  const moved = useMemo(
    () => new Map(ledger.moved?.map(({ asset, days: byDay }) => [asset, byDay && new Map(byDay)])),
    [ledger.moved],
  );
  if (data === undefined) return null;
  const all = allBalances(data);
  const rows = all.slice(0, SHOWN);
  const hasNone = ledger.moved === null && (ledger.notOffered || ledger.error !== null);
  const isTooShort = ledger.moved !== null && !ledger.isLoading && days.length < DAYS_OF_A_LINE;
  const missing = ledger.notOffered ? 'No history' : 'History couldn’t be loaded';
  const columns = columnsOf(
    rows,
    moved,
    ledger.isLoading ? [] : days,
    hasNone ? missing : isTooShort ? 'History isn’t loaded far enough' : null,
  );
  return (
    <section className="reg" aria-label="Balances">
      <DataTable
        label="Balances"
        className="grid-table labelled fitted bals"
        rows={rows}
        columns={columns}
        keyOf={(row) => stringifyExact(row)}
      />
      {all.length > rows.length && (
        <p className="more">
          <Link to={paths.balances}>All {all.length} balances</Link>
        </p>
      )}
    </section>
  );
}

function columnsOf(
  rows: readonly BalanceRow[],
  moved: ReadonlyMap<string | null, ReadonlyMap<string, string> | null>,
  days: readonly string[],
  missing: string | null,
): DataColumn<BalanceRow>[] {
  const [first] = days;
  return [
    {
      name: 'Asset',
      head: <h2>Balances</h2>,
      isHead: true,
      className: 'asset',
      cell: ({ asset }) => (
        <Link className="row-link" to={paths.balance(asset)}>
          <UntrustedText code value={asset} max={24} brief />
        </Link>
      ),
    },
    ...balanceColumns(rows),
    {
      name: 'Line',
      className: 'ln',
      head:
        missing !== null ? (
          <span className="vh">{missing}</span>
        ) : (
          <>
            {first === undefined || days.length === LEDGER_DAYS
              ? `Last ${LEDGER_DAYS} days`
              : `Since ${dayWords(first).replace(/ \d+$/, '')}`}
          </>
        ),
      cell: (row) => (
        // Without a consistent total there is no history to draw.
        <Line total={checkIdentity(row).kind === 'holds' && row.total} moved={moved.get(row.asset)} days={days} />
      ),
    },
  ];
}

interface LineProps {
  total: unknown;
  /** Null if the ledger can't be summed; undefined if nothing moved. */
  moved: ReadonlyMap<string, string> | null | undefined;
  days: readonly string[];
}

function Line({ total, moved = NOTHING, days }: LineProps) {
  const hidden = useAmountsHidden();
  const heights = useMemo(() => {
    if (hidden || moved === null || days.length < DAYS_OF_A_LINE || !isAmount(total)) return null;
    return heightsOf(closingBalances(moved, total, days));
  }, [hidden, moved, days, total]);
  return (
    <svg className="block h-6 w-full overflow-visible" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden>
      {heights && <StepLine heights={heights} width={100} height={22} top={2} />}
    </svg>
  );
}

const NOTHING: ReadonlyMap<string, string> = new Map();
