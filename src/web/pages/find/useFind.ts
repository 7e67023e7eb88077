import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { balanceQueries } from '#src/web/api/balances.ts';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import { allDepositAddresses } from '#src/web/api/depositAddresses.ts';
import type { RowLookup } from '#src/web/api/paging/findRow.ts';
import { useJob } from '#src/web/api/paging/job.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import { getRequestLog } from '#src/web/api/requestLog.ts';
import { useSession } from '#src/web/api/session.ts';
import { teamQuery } from '#src/web/api/team.ts';
import { type DepositAddress, subjectId } from '#src/shared/contract/teamContract.ts';
import { useOperations } from '#src/web/api/operations/useOperations.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { classifyQuery } from '#src/shared/classifyQuery.ts';
import { type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import type { Zone } from '#src/shared/time.ts';
import { boundsOfDays } from '#src/shared/createdRange.ts';
import { listsOf, rowsOfList } from '#src/web/list/rows/loadedRows.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { isComparable, labelsOf, type PaymentNames, paymentIn } from './match.ts';
import { newScan, type Scan, type ScannedRow, scanOn } from './scan.ts';
import { codesOf, type Understood, understand } from './understand.ts';

/** Pause in typing before the lists are searched. */
const TYPING_PAUSE_MS = 350;

export function useFind(text: string) {
  const { account } = useSession();
  const zone = useZone();
  const searchIndex = useSearchIndex();
  const { assets } = searchIndex;
  const [now] = useState(() => Date.now() / 1000);
  const wanted = useMemo(() => understand(text, { assets, zone, now }), [text, assets, zone, now]);
  const { job, progress: scan, running, error } = useJob<Scan | null>(null);
  const go = (from: Scan): void => {
    job.reset(() => from);
    const search = {
      account,
      filters: filtersOf(wanted, assets, zone),
      match: (kind: PaymentKind, row: ScannedRow) => paymentIn(kind, row, wanted, searchIndex.names, zone),
      isComparable: (row: ScannedRow) => isComparable(row, wanted),
    };
    void job.run((signal, show) => scanOn(from, search, signal, show));
  };
  const begin = () => go(newScan(wanted.list ? [wanted.list.value] : ['withdrawal', 'deposit']));
  // Loading the assets can change what amount the text means: search again.
  const automaticSearch = startsAutomatically(wanted, searchIndex.rows)
    ? `${wanted.amount?.value.asset ?? ''} ${text}`
    : '';
  const beginNow = useEffectEvent(begin);
  useEffect(() => {
    if (automaticSearch === '') return undefined;
    const timer = setTimeout(() => beginNow(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [automaticSearch]);
  return {
    wanted,
    searchIndex,
    zone,
    scan,
    running,
    error,
    /** Whether a payment of this amount may still be found. */
    isAwaited: wanted.amount !== undefined && (scan === null || running),
    begin,
    goOn: () => scan && go(scan),
    /** Drops the search for the previous text. */
    forget: () => job.reset(() => null),
    stop: job.cancel,
  };
}

/** Amounts, and IDs that are not loaded, are searched for without pressing the button. */
export function startsAutomatically({ exact, amount }: Understood, rows: SearchIndex['rows']): boolean {
  const isListed = (id: string) => [null, 'deposit', 'withdrawal'].includes(classifyQuery(id));
  return (
    amount !== undefined || exact?.some((id) => isListed(id) && rows.every(({ row }) => row['id'] !== id)) === true
  );
}

/** Filters that the provider applies. None with an ID or a hash, which may be in any payment. */
function filtersOf(wanted: Understood, assets: readonly string[], zone: Zone): ListFilters {
  const { exact, status, days } = wanted;
  if (exact) return {};
  const [code = '', ...others] = codesOf(wanted);
  return {
    // The provider compares codes case-sensitively, and an asset never held may be typed in the wrong case.
    ...(others.length === 0 && assets.includes(code) && { asset: code }),
    ...(status && { status: status.value }),
    ...(days && boundsOfDays(days.value, zone)),
  };
}

export interface SearchIndex {
  names: PaymentNames;
  recipients: readonly KnownRecipient[];
  addresses: readonly DepositAddress[];
  allAddresses: boolean;
  operations: readonly Operation[];
  assets: readonly string[];
  /** Rows that this page load has read, each once. */
  rows: readonly { kind: PaymentKind; row: ScannedRow }[];
  requests: readonly { requestId: string | null; key: string | null }[];
}

const NO_ADDRESSES: readonly DepositAddress[] = [];

function useSearchIndex(): SearchIndex {
  const client = useQueryClient();
  const { account } = useSession();
  const { operations } = useOperations();
  const { entries: recipients } = useRecipients();
  const { data: addressData } = useQuery(allDepositAddresses(account));
  const addresses = addressData?.all ?? NO_ADDRESSES;
  const allAddresses = addressData?.complete === true;
  const { data: balances } = useQuery({ ...balanceQueries.list(account), staleTime: Infinity });
  const { data: notes } = useQuery(teamQuery(account, 'notes'));
  return useMemo(() => {
    const notesBySubject = new Map(notes?.items.map(({ id, value }) => [id, value]));
    // The note of an operation also counts for its withdrawal, until that has its own.
    for (const operation of operations) {
      const operationSubject = subjectId({ kind: 'operation', id: operation.key });
      const note = notesBySubject.get(operationSubject);
      const id = withdrawalIdOf(operation);
      if (!note || id === null) continue;
      const withdrawalSubject = subjectId({ kind: 'withdrawal', id });
      notesBySubject.set(withdrawalSubject, notesBySubject.get(withdrawalSubject) ?? note);
      notesBySubject.delete(operationSubject);
    }
    return {
      names: {
        recipients: new Map(recipients.map((recipient) => [addressKey(recipient), recipient.name])),
        labels: labelsOf(addresses),
        notes: notesBySubject,
      },
      recipients,
      addresses,
      allAddresses,
      operations,
      assets: balances?.balances.map(({ asset }) => asset) ?? [],
      rows: loadedRows(client, account),
      requests: getRequestLog(),
    };
  }, [client, account, recipients, addresses, allAddresses, operations, balances, notes]);
}

function loadedRows(client: QueryClient, account: string): SearchIndex['rows'] {
  return (['deposit', 'withdrawal'] as const).flatMap((kind) => {
    const list = `${kind}s` as const;
    const lists = client.getQueriesData<InfiniteData<Page<ScannedRow>>>(listsOf(account, list));
    const details = client.getQueriesData<RowLookup<ScannedRow>>({ queryKey: [account, list, 'detail'] });
    const rows = new Map<string, { row: ScannedRow; readAt: number }>();
    const add = (row: ScannedRow, readAt: number): void => {
      if ((rows.get(row.id)?.readAt ?? 0) <= readAt) rows.set(row.id, { row, readAt });
    };
    for (const each of lists) for (const { row, meta } of rowsOfList(client, each)) add(row, meta.readAt);
    for (const [, data] of details) if (data?.found) add(data.row, data.readAt);
    return [...rows.values()].map(({ row }) => ({ kind, row }));
  });
}
