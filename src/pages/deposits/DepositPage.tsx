import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { depositQueries } from '#src/api/deposits.ts';
import { describeError } from '#src/api/errors.ts';
import type { DepositLookup } from '#src/api/findDeposit.ts';
import type { Page } from '#src/api/paging.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten } from '#src/lib/text.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import { listsOf, loadedRow } from '#src/list/loadedRow.ts';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { DepositFacts } from './DepositFacts.tsx';
import { NoDeposit } from './NoDeposit.tsx';

/** A row of the list is shown at once; older than this it is also looked up again. */
const FRESH_MS = 60_000;

export function Component() {
  const { id = '' } = useParams();
  return <Deposit key={id} id={id} />;
}

function rowOfLists(queryClient: QueryClient, account: string, id: string): DepositLookup | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<Page<DepositRow>>>(listsOf(account, 'deposits'));
  const loaded = loadedRow(lists, id);
  return loaded && { found: true, deposit: loaded.row, ...loaded.meta };
}

function Deposit({ id }: { id: string }) {
  const account = useSession()?.account ?? '';
  const queryClient = useQueryClient();
  const [seen] = useState(() => rowOfLists(queryClient, account, id));
  const { data, error, isFetching, refetch } = useQuery({
    ...depositQueries.detail(account, id),
    staleTime: FRESH_MS,
    ...(seen && { initialData: seen, initialDataUpdatedAt: seen.readAt * 1000 }),
  });
  const slow = useDelay(!data && !error);
  const readAgain = () => void refetch();
  // A look-up that did not find what a list had shown does not take it away.
  const shown = data?.found ? data : seen;
  return (
    <DetailPanel
      title="Deposit"
      documentTitle={`Deposit ${shorten(id)}`}
      listPath={paths.deposits()}
      actions={data && <AsOf at={(shown ?? data).readAt} reading={isFetching} onReadAgain={readAgain} />}
    >
      {error && data && <StaleBar error={error} readAt={(shown ?? data).readAt} />}
      {data && !data.found && shown && (
        <Notice tone="open" title="Not found there now." live="status">
          A look-up just now did not find it; below is what the list had. That is no proof that it is gone.
        </Notice>
      )}
      {shown?.found ? (
        <DepositFacts deposit={shown.deposit} read={shown} />
      ) : data && !data.found ? (
        <NoDeposit id={id} lookup={data} onReadAgain={readAgain} reading={isFetching} />
      ) : error ? (
        <ErrorNotice
          error={describeError(error)}
          heading="The deposit could not be read"
          onRetry={readAgain}
          retrying={isFetching}
        />
      ) : (
        slow && <output className="sub">Looking for the deposit</output>
      )}
    </DetailPanel>
  );
}
