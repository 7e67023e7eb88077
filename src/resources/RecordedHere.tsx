import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operationPages } from '#src/api/operations.ts';
import { useSession } from '#src/api/session.ts';
import { isMoving, usePacedQuery } from '#src/api/useOperations.ts';
import { useWithdrawalStatuses } from '#src/api/withdrawalStatuses.ts';
import { shortChipOf } from '#src/lib/operations/stateMark.ts';
import { paths } from '#src/lib/paths.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { StateChip } from '#src/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { Time } from '#src/ui/Time.tsx';

const WITHDRAWALS = { kind: 'withdrawal' } as const;

/** Instead of a list that the service does not have: what was recorded. */
export function RecordedHere() {
  const options = operationPages(useSession().account, WITHDRAWALS);
  const query = useInfiniteQuery(options);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const views = data?.pages.flatMap((page) => page.data) ?? [];
  usePacedQuery(options.queryKey, views.some(isMoving));
  const operations = views.map(({ operation }) => operation);
  const statusOf = useWithdrawalStatuses(operations);
  const withdrawals = operations.map((operation) => ({ ...operation, payment: statusOf(operation) }));
  return (
    <div className="page-body">
      <p className="list-note">
        This provider doesn’t list withdrawals. Below are those sent from here; find any other by its ID.
      </p>
      {error && <p className="list-note msg-alarm">Operations couldn’t be loaded: {error.message}</p>}
      {data && withdrawals.length === 0 && <p className="list-note">None sent from here yet.</p>}
      {withdrawals.length > 0 && (
        <div className="overflow-x-auto">
          <DataTable label="Withdrawals sent from here" rows={withdrawals} columns={columns} keyOf={({ key }) => key} />
        </div>
      )}
      {hasNextPage && (
        <p className="list-note">
          <Button disabledReason={isFetchingNextPage ? 'Loading' : undefined} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </div>
  );
}

const columns: DataColumn<Operation & { payment: string | null | undefined }>[] = [
  {
    name: 'Created',
    cell: ({ key, firstSent }) => (
      <Link to={paths.operation(key)}>
        <Time unix={firstSent.service} />
      </Link>
    ),
  },
  { name: 'Status', cell: (record) => <StateChip mark={shortChipOf(record, false, record.payment)} big={false} /> },
  {
    name: 'To',
    cell: ({ body }) => {
      const address = readWithdrawalBody(body)?.address;
      return address !== undefined && <ShortId value={address} />;
    },
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ body }) => {
      const sent = readWithdrawalBody(body);
      return sent && <Amount value={sent.amount} asset={sent.asset} />;
    },
  },
];
