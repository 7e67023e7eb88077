import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { allBalances, type Balances, balanceQueries } from '#src/api/balances.ts';
import { describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { paths } from '#src/lib/paths.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { buttonClass } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useNowByService } from '#src/ui/useNow.ts';
import { AccountSheets } from './AccountSheets.tsx';
import './balances.css';
import { BalanceTable } from './BalanceTable.tsx';
import { checkIdentity } from '#src/api/balanceIdentity.ts';
import { Incomplete } from './Incomplete.tsx';
import { Loading } from './Loading.tsx';
import { Legend } from './ShareBar.tsx';
import { AsOf } from './Snapshot.tsx';

/** Beyond this many assets a table is read faster than accounts. */
const ACCOUNTS_MAX = 12;
const POLL_MS = 60_000;

export function Component() {
  const session = useSession();
  const options = balanceQueries.list(session.account);
  const { data, error, refetch, isFetching } = useQuery(options);
  usePolledQuery(options.queryKey, () => POLL_MS);
  const readAgain = () => void refetch();
  return (
    <>
      <PageHeader
        title="Balances"
        asOf={data && <AsOf {...data} reading={isFetching} onReadAgain={readAgain} />}
        actions={
          !session.read_only && (
            <Link className={buttonClass('primary')} to={paths.newWithdrawal}>
              New withdrawal
            </Link>
          )
        }
      />
      {data && error && <StaleBar error={error} readAt={data.readAt} onReadAgain={readAgain} />}
      {data ? (
        <Read data={data} />
      ) : error ? (
        <div className="page-body">
          <ErrorNotice
            error={describeError(error)}
            heading="The balances could not be read"
            onRetry={readAgain}
            retrying={isFetching}
          />
        </div>
      ) : (
        <Loading />
      )}
    </>
  );
}

function Read({ data }: { data: Balances }) {
  const now = useNowByService(data);
  const { complete } = data;
  const balances = allBalances(data);
  if (balances.length === 0) {
    return (
      <div className="page-body">
        <Incomplete data={data} />
        {complete && data.malformed.length === 0 && (
          <div className="blank">
            <h2>No balances yet</h2>
            <p>
              The service returned an empty list: this account has never held an asset. A balance appears here with the
              first deposit.
            </p>
          </div>
        )}
      </div>
    );
  }
  const many = balances.length > ACCOUNTS_MAX;
  const broken = balances.filter((balance) => checkIdentity(balance).kind === 'broken').length;
  const { length } = data.balances;
  const count = length === 1 ? '1 asset' : `${length} assets`;
  return (
    <>
      <Legend>
        {complete && data.malformed.length === 0 ? `All ${count}` : `${count} of a list that may hold more`}, each with
        the service’s own time; snapshots can lag the ledger. Every sum is checked here.
      </Legend>
      <div className="page-body">
        <Incomplete data={data} />
        {many && broken > 0 && (
          <p className="msg msg-alarm px-gutter pb-2">
            {broken} of {count} {broken === 1 ? 'does' : 'do'} not add up: total is not available + pending + locked.
          </p>
        )}
        {many ? (
          <BalanceTable balances={balances} now={now} />
        ) : (
          <AccountSheets balances={balances} requestId={data.requestId} now={now} />
        )}
      </div>
    </>
  );
}
