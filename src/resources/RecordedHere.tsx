import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operationPages } from '#src/api/operations.ts';
import { useSession } from '#src/api/session.ts';
import { isMoving, usePacedQuery } from '#src/api/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { readWithdrawalBody } from '#src/lib/operations/withdrawal.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Time } from '#src/ui/Time.tsx';

const WITHDRAWALS = { kind: 'withdrawal' } as const;

/** Instead of a list that the service does not have: what was recorded. */
export function RecordedHere() {
  const session = useSession();
  const options = operationPages(session?.account ?? '', WITHDRAWALS);
  const query = useInfiniteQuery({ ...options, enabled: session !== null });
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const views = data?.pages.flatMap((page) => page.data) ?? [];
  usePacedQuery(options.queryKey, views.some(isMoving), session !== null);
  const withdrawals = views.map(({ operation }) => operation);
  return (
    <div className="page-body">
      <p className="list-note">
        This provider does not list withdrawals. Below is what was recorded here; any other one can be looked up by its
        id.
      </p>
      {error && <p className="list-note msg-alarm">Operations couldn’t be loaded: {error.message}</p>}
      {data && withdrawals.length === 0 && <p className="list-note">None was recorded yet.</p>}
      {withdrawals.length > 0 && (
        <div className="overflow-x-auto">
          <table className="grid-table" aria-label="Withdrawals recorded here">
            <thead>
              <tr>
                <th scope="col">Recorded</th>
                <th scope="col">State here</th>
                <th scope="col">Address</th>
                <th scope="col" className="cash">
                  <span>Amount</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {withdrawals.map((operation) => (
                <Recorded key={operation.key} operation={operation} />
              ))}
            </tbody>
          </table>
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

function Recorded({ operation }: { operation: Operation }) {
  const sent = readWithdrawalBody(operation.body);
  return (
    <tr>
      <td>
        <Link to={paths.operation(operation.key)}>
          <Time unix={operation.firstSent.service} />
        </Link>
      </td>
      <td>{operation.state}</td>
      <td className="mono">
        {sent && (
          <bdi data-tip={sent.address}>
            {visible(sent.address.slice(0, 12))}…{visible(sent.address.slice(-6))}
          </bdi>
        )}
      </td>
      <td className="cash">{sent && <Amount value={sent.amount} asset={sent.asset} />}</td>
    </tr>
  );
}
