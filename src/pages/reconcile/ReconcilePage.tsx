import { useSearchParams } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { type Session, useSession } from '#src/api/session.ts';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import { useTeam } from '#src/api/team.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import '#src/list/list.css';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { MonthView } from './MonthView.tsx';
import { monthOf, periodIn, searchOf } from './period.ts';
import { PeriodControl } from './PeriodControl.tsx';

/** A period's sums by the ledger beside the balances, and its close for good. */
export function Component() {
  const session = useSession();
  const { data, error, refetch } = useTeam(session.account, 'closed-periods');
  if (data) {
    const closed = data.items.toSorted((a, b) => a.value.number - b.value.number);
    return <Books key={session.account} session={session} closed={closed} />;
  }
  return (
    <>
      <PageHeader title="Month close" />
      <div className="page-body pad">
        {error && (
          <ErrorNotice
            error={describeError(error)}
            heading="Closed periods couldn’t be loaded"
            onRetry={() => void refetch()}
          />
        )}
      </div>
    </>
  );
}

function Books({ session, closed }: { session: Session; closed: readonly TeamItem<ClosedPeriod>[] }) {
  const zone = useZone();
  const now = useNow(60);
  const [search, setSearch] = useSearchParams();
  const bounds = periodIn(search) ?? monthOf(now, zone, 1);
  const periods = closed.map(({ value }) => value);
  return (
    <MonthView
      session={session}
      closed={closed}
      bounds={bounds}
      control={<PeriodControl bounds={bounds} closed={periods} onChange={(next) => setSearch(searchOf(next))} />}
    />
  );
}
