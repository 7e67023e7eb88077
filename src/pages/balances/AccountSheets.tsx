import { useId } from 'react';
import { Link } from 'react-router';
import type { BalanceRow } from '#src/api/schemas.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { ShareBar } from './ShareBar.tsx';
import { Snapshot } from './Snapshot.tsx';
import { BalanceBreakdown } from './BalanceBreakdown.tsx';

interface AccountSheetsProps {
  balances: readonly BalanceRow[];
  requestId: string | null;
  now: number;
}

/** One account per asset, for as many as the eye can hold. */
export function AccountSheets({ balances, requestId, now }: AccountSheetsProps) {
  const id = useId();
  return (
    <div className="accts">
      {balances.map((balance, at) => (
        <section className="acct" key={stringifyExact(balance)} aria-label={balance.asset}>
          <header className="flex flex-wrap items-baseline gap-x-2">
            <h2 className="mr-auto min-w-0 wrap-anywhere">
              <Link
                className="text-inherit no-underline hover:underline focus-visible:underline"
                to={paths.balance(balance.asset)}
              >
                <UntrustedText value={balance.asset} max={40} />
              </Link>
            </h2>
            <span className="dim small">
              changed <Snapshot updatedAt={balance.updated_at} now={now} />
            </span>
          </header>
          <ShareBar balance={balance} figures={`${id}${at}`} />
          <BalanceBreakdown balance={balance} requestId={requestId} id={`${id}${at}`} />
        </section>
      ))}
    </div>
  );
}
