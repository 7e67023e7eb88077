import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import { visible } from '#src/lib/text.ts';
import { readWithdrawalBody } from '#src/operations/body.ts';
import type { OperationRecord } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Time } from '#src/ui/Time.tsx';

/** Instead of a list that the service does not have: what this browser recorded. */
export function RecordedHere() {
  const { status, operations, reason } = useOperations();
  const withdrawals = operations.filter(({ kind }) => kind === 'withdrawal');
  return (
    <div className="page-body">
      <p className="list-note">
        This service does not list withdrawals. Below is what this browser recorded; any other one can be looked up by
        its id.
      </p>
      {status === 'unavailable' && (
        <p className="list-note msg-alarm">The records of this browser cannot be read: {reason}</p>
      )}
      {status === 'ready' && withdrawals.length === 0 && <p className="list-note">This browser recorded none yet.</p>}
      {withdrawals.length > 0 && (
        <div className="overflow-x-auto">
          <table className="grid-table" aria-label="Withdrawals recorded in this browser">
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
                <Recorded key={operation.id} operation={operation} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

function Recorded({ operation }: { operation: OperationRecord }) {
  const sent = readWithdrawalBody(operation.body);
  return (
    <tr>
      <td>
        <Link to={paths.operation(operation.id)}>
          <Time unix={operation.firstSentAt} />
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
