import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { balanceQueries } from '#src/api/balances.ts';
import type { RowLookup } from '#src/api/findRow.ts';
import { allDepositAddresses } from '#src/api/depositAddresses.ts';
import type { Page } from '#src/api/paging.ts';
import { type KnownRecipient, useRecipients } from '#src/api/recipients.ts';
import { getRequestLog } from '#src/api/requestLog.ts';
import { useSession } from '#src/api/session.ts';
import { teamQuery } from '#src/api/team.ts';
import type { DepositAddress } from '#src/api/teamContract.ts';
import { useOperations } from '#src/api/useOperations.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { listsOf } from '#src/list/loadedRows.ts';
import type { Names, PaymentList } from './match.ts';

/** What Find answers from without searching the provider's lists. */
export interface Known {
  names: Names;
  recipients: readonly KnownRecipient[];
  /** Deposit addresses created here. */
  addresses: readonly DepositAddress[];
  /** Whether these are all there are. */
  allAddresses: boolean;
  operations: readonly Operation[];
  /** Codes of the assets that the account holds. */
  assets: readonly string[];
  /** Rows that this page load has read, each once. */
  rows: readonly { list: PaymentList; row: Record<string, unknown> }[];
  /** Request-Id and Idempotency-Key of this session's calls. */
  requests: readonly { requestId: string | null; key: string | null }[];
}

const NONE: readonly DepositAddress[] = [];

export function useKnown(): Known {
  const client = useQueryClient();
  const { account } = useSession();
  const { operations } = useOperations();
  const { entries: recipients } = useRecipients(account);
  const { data: made } = useQuery(allDepositAddresses(account));
  const addresses = made?.all ?? NONE;
  const allAddresses = made?.complete === true;
  const { data: balances } = useQuery({ ...balanceQueries.list(account), staleTime: Infinity });
  const { data: notes } = useQuery(teamQuery(account, 'notes'));
  const names = useMemo(
    (): Names => ({
      recipients: new Map(recipients.map((recipient) => [placeKey(recipient), recipient.name])),
      labels: new Map(addresses.flatMap(({ address, label }) => (address === null ? [] : [[address, label]]))),
      notes: new Map(notes?.items.map(({ id, value }) => [id, value])),
    }),
    [recipients, addresses, notes],
  );
  return useMemo(() => {
    const assets = balances?.balances.map(({ asset }) => asset) ?? [];
    return {
      names,
      recipients,
      addresses,
      allAddresses,
      operations,
      assets,
      rows: loadedRows(client, account),
      requests: getRequestLog(),
    };
  }, [client, account, names, recipients, addresses, allAddresses, operations, balances]);
}

interface Row {
  id: string;
  [field: string]: unknown;
}

function loadedRows(client: QueryClient, account: string): Known['rows'] {
  return (['deposits', 'withdrawals'] as const).flatMap((list) => {
    const pages = client.getQueriesData<InfiniteData<Page<Row>>>(listsOf(account, list));
    const details = client.getQueriesData<RowLookup<Row>>({ queryKey: [account, list, 'detail'] });
    const rows = new Map<string, Row>();
    for (const [, data] of details) if (data?.found) rows.set(data.row.id, data.row);
    for (const row of pages.flatMap(([, data]) => data?.pages ?? []).flatMap(({ data }) => data)) rows.set(row.id, row);
    return [...rows.values()].map((row) => ({ list, row }));
  });
}
