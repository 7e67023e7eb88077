import { Fragment, useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { totalWords } from '#src/shared/text.ts';
import { dateOf, formatTime } from '#src/shared/time.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { LatestMovements, newestOf } from '#src/web/list/Movements.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { Flows } from './Flows.tsx';
import { useLastVisit } from './lastVisit.ts';
import type { HomeData } from './useHome.ts';

const ACTIVITY = 8;

export function Payments({ home: { balances, lists } }: { home: HomeData }) {
  const zone = useZone();
  const [deposits, withdrawals] = lists;
  const now = useNowByService(deposits.meta ?? withdrawals.meta ?? balances.data ?? { date: null, readAt: 0 });
  const newest = useMemo(
    () => newestOf([...(deposits.newest ?? []), ...(withdrawals.newest ?? [])], ACTIVITY),
    [deposits.newest, withdrawals.newest],
  );
  return (
    <div className="duo">
      <Flows lists={lists} />
      <section className="reg [&_.moves]:min-h-108" aria-label="Latest activity">
        <div className="reg-h">
          <h2>Latest activity</h2>
          <span>
            {dayWords(dateOf(now, zone))}, {zone === 'utc' ? 'UTC' : 'local time'}
          </span>
        </div>
        <SinceLastVisit lists={lists} now={now} />
        <LatestMovements
          lists={lists.map((list) => ({ ...list, isRead: list.newest !== null }))}
          moves={newest}
          now={now}
        />
        <p className="more">
          <Link to={paths.deposits()}>All deposits</Link> <Link to={paths.withdrawals()}>All withdrawals</Link>
        </p>
      </section>
    </div>
  );
}

/** How many payments were created since this browser's last visit, as links. */
function SinceLastVisit({ lists, now }: { lists: HomeData['lists']; now: number }) {
  const zone = useZone();
  const reads = lists.flatMap(({ meta }) => (meta === null ? [] : [meta.date ?? meta.readAt]));
  const since = useLastVisit(reads.length === 0 ? null : Math.min(...reads));
  if (since === null) return null;
  const counts = lists.flatMap(({ kind, newest, reached, recentTimes, count: all }) => {
    const count = recentTimes.filter((at) => at > since).length;
    // Only the times of the newest payments are known.
    const isPast = count < recentTimes.length;
    const areAll = recentTimes.length >= all && (reached === null || reached <= since);
    const isWhole = newest !== null && (isPast || areAll);
    return count === 0 && isWhole ? [] : [{ kind, count, isWhole }];
  });
  return (
    <p className="min-h-10 border-b border-rule px-gutter py-2 text-small text-ink-2">
      {counts.length === 0 ? 'Nothing new since' : 'Since'} you were last here, {formatTime(since, zone, now)}
      {counts.map(({ kind, count, isWhole }, nth) => (
        <Fragment key={kind}>
          {nth === 0 ? ': ' : ', '}
          <Link to={listPath[kind](`?created_after=${since}`)}>{totalWords(count, PAYMENTS[kind].noun, isWhole)}</Link>
        </Fragment>
      ))}
    </p>
  );
}

const listPath = { deposit: paths.deposits, withdrawal: paths.withdrawals };
