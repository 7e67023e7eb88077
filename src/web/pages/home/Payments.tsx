import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { dateOf } from '#src/shared/time.ts';
import { dayWords } from '#src/web/list/createdRange.ts';
import { LatestMovements, newestOf } from '#src/web/list/Movements.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { Flows } from './Flows.tsx';
import type { HomeData } from './useHome.ts';

const ACTIVITY = 8;

export function Payments({ home: { balances, lists } }: { home: HomeData }) {
  const zone = useZone();
  const [deposits, withdrawals] = lists;
  const now = useNowByService(deposits.meta ?? withdrawals.meta ?? balances.data ?? { date: null, readAt: 0 });
  const assets = useMemo(() => balances.data?.balances.map(({ asset }) => asset) ?? [], [balances.data]);
  const newest = useMemo(
    () => newestOf([...(deposits.rows ?? []), ...(withdrawals.rows ?? [])], ACTIVITY),
    [deposits.rows, withdrawals.rows],
  );
  return (
    <div className="duo">
      <Flows lists={lists} assets={assets} now={now} />
      <section className="reg [&_.moves]:min-h-108" aria-label="Latest activity">
        <div className="reg-h">
          <h2>Latest activity</h2>
          <span>
            {dayWords(dateOf(now, zone))}, {zone === 'utc' ? 'UTC' : 'local time'}
          </span>
        </div>
        <LatestMovements lists={lists} moves={newest} now={now} />
        <p className="more">
          <Link to={paths.deposits()}>All deposits</Link> <Link to={paths.withdrawals()}>All withdrawals</Link>
        </p>
      </section>
    </div>
  );
}
