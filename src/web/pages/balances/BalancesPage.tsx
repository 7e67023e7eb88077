import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { allBalances, type Balances } from '#src/shared/overview/balances.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { useSession } from '#src/web/api/session.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { paths } from '#src/shared/paths.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';
import '#src/web/list/overview.css';
import { IdentityNote, Loading } from './BalanceBreakdown.tsx';
import { Legend, ShareBar } from './ShareBar.tsx';
import { checkIdentity } from '#src/shared/overview/balanceIdentity.ts';
import { Updated } from '#src/web/ui/Updated.tsx';
import { foldCode } from '#src/shared/assetCode.ts';
import { age, isPlausibleTime } from '#src/shared/time.ts';
import { balanceColumns } from '#src/web/list/balanceColumns.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { TextField } from '#src/web/ui/Field.tsx';
import { Time } from '#src/web/ui/Time.tsx';

/** With more assets than this, the page has a search field. */
const FIND_FROM = 12;

const POLL_MS = 60_000;

export function Component() {
  const { account } = useSession();
  const query = useQuery({ ...balanceQueries.list(account), ...POLLED, refetchInterval: POLL_MS });
  const { data, error, isFetching, refetch } = query;
  const refresh = () => void refetch();
  return (
    <>
      <PageHeader
        title="Balances"
        asOf={<Updated at={data?.readAt ?? null} isFetching={isFetching} onRefresh={refresh} />}
        actions={
          <ActionLink ability="prepare" variant="primary" to={paths.newWithdrawal} icon={<ArrowUpRight aria-hidden />}>
            New withdrawal
          </ActionLink>
        }
      />
      {data && error && <StaleBar error={error} readAt={data.readAt} onRetry={refresh} />}
      {data ? (
        <Read data={data} />
      ) : error ? (
        <div className="page-body">
          <LoadError of={query} heading="Couldn’t load balances" />
        </div>
      ) : (
        <Legend>
          <Loading />
        </Legend>
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
          <EmptyState
            title="No balances yet"
            action={
              <ActionLink ability="prepare" to={paths.newDepositAddress}>
                New deposit address
              </ActionLink>
            }
          >
            A balance appears with the first deposit. Create a deposit address and share it with a customer.
          </EmptyState>
        )}
      </div>
    );
  }
  const { length } = data.balances;
  const count = length === 1 ? '1 asset' : `${length} assets`;
  return (
    <>
      <Legend>
        {complete && data.malformed.length === 0 ? count : `${count}; the list may hold more`}. Balances can be a few
        seconds behind the ledger.
      </Legend>
      <div className="page-body">
        <Incomplete data={data} />
        <Broken balances={balances} requestId={data.requestId} />
        <BalanceTable balances={balances} now={now} />
      </div>
    </>
  );
}

/** Notices shown in full. The rest are only counted, because each row has its own mark. */
const NOTICES_MAX = 3;

function Broken({ balances, requestId }: { balances: readonly BalanceRow[]; requestId: string | null }) {
  const broken = balances.filter((balance) => checkIdentity(balance).kind === 'broken');
  return (
    <div className="grid gap-3 px-gutter pb-3 empty:hidden">
      {broken.slice(0, NOTICES_MAX).map((balance) => (
        <IdentityNote key={stringifyExact(balance)} balance={balance} requestId={requestId} named />
      ))}
      {broken.length > NOTICES_MAX && (
        <p className="msg msg-alarm">
          {broken.length} of {balances.length} assets don’t add up: total is not available + pending + locked.
        </p>
      )}
    </div>
  );
}

function Incomplete({ data }: { data: Balances }) {
  const { broken, malformed, further } = data;
  return (
    <div className="grid gap-3 px-gutter pb-3 empty:hidden">
      {broken !== null && (
        <Notice tone="open" title="The list may be incomplete.">
          <UntrustedText value={broken} />
        </Notice>
      )}
      {further.length > 0 && (
        <Notice tone="open" title="More than one balance of an asset.">
          The provider lists{' '}
          <UntrustedText code value={[...new Set(further.map(({ asset }) => asset))].join(', ')} max={200} /> more than
          once. Each is shown as it came. The month close adds them up; everywhere else only the first counts.
        </Notice>
      )}
      {malformed.length > 0 && (
        <Notice
          tone="open"
          title={`${malformed.length} ${malformed.length === 1 ? 'entry is' : 'entries are'} no balance.`}
        >
          They came without an asset code: <UntrustedText mono value={stringifyExact(malformed)} max={200} />
        </Notice>
      )}
    </div>
  );
}

function BalanceTable({ balances, now }: { balances: readonly BalanceRow[]; now: number }) {
  const [find, setFind] = useState('');
  const wanted = foldCode(find);
  const shown = balances.filter(({ asset }) => foldCode(asset).includes(wanted));
  return (
    <>
      {balances.length > FIND_FROM && (
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2 px-gutter pb-3 [&_.field]:w-[min(20rem,100%)]">
          <TextField label="Find an asset" type="search" spellCheck={false} text={find} onText={setFind} />
          <output className="small sub pb-[0.4rem]">
            {wanted === '' ? `${balances.length} assets` : `${shown.length} of ${balances.length} assets`}
          </output>
        </div>
      )}
      {shown.length > 0 && (
        <DataTable
          className="grid-table labelled fitted bals border-t border-rule"
          label="Balances"
          rows={shown}
          columns={columnsOf(balances, now)}
          keyOf={(balance) => stringifyExact(balance)}
        />
      )}
      {shown.length === 0 && <EmptyState>No asset has “{find.trim()}” in its code.</EmptyState>}
    </>
  );
}

const UNCHECKED = (
  <span className="text-open">
    <CircleQuestionMark className="icon-s" aria-hidden /> Can’t be checked
  </span>
);

function columnsOf(balances: readonly BalanceRow[], now: number): DataColumn<BalanceRow>[] {
  return [
    {
      name: 'Asset',
      isHead: true,
      className: 'asset',
      cell: ({ asset }) => (
        <Link className="row-link" to={paths.balance(asset)}>
          <UntrustedText code value={asset} max={24} brief />
        </Link>
      ),
    },
    ...balanceColumns(balances, UNCHECKED),
    { name: 'Breakdown', className: 'ln', cell: (balance) => <ShareBar balance={balance} className="w-full" /> },
    {
      name: 'Last change',
      className: 'sub small',
      cell: ({ updated_at: at }) =>
        isPlausibleTime(at) ? <span data-tip-unix={at}>{age(at, now)}</span> : <Time unix={at} />,
    },
  ];
}
