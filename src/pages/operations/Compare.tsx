import { useQuery } from '@tanstack/react-query';
import { describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { readWithdrawalBody } from '#src/operations/body.ts';
import { type OperationRecord, knownResultId } from '#src/operations/record.ts';
import { COMPARED } from '#src/operations/sameSend.ts';
import { RawText } from '#src/ui/RawText.tsx';

/** What was sent beside what the service shows under the id that it answered with. */
export function Compare({ record }: { record: OperationRecord }) {
  const session = useSession();
  const id = knownResultId(record);
  const sent = readWithdrawalBody(record.body);
  const { data, error } = useQuery({
    ...withdrawalQueries.detail(session?.account ?? '', id ?? ''),
    enabled: session !== null && id !== null,
  });
  if (id === null || !sent) return null;
  return (
    <section aria-labelledby="compare">
      <h2 id="compare">Compare both</h2>
      {error && (
        <p className="in-pad sub">The service’s withdrawal could not be read: {describeError(error).message}</p>
      )}
      <table className="grid-table attempts">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Sent</th>
            <th scope="col">
              <span className="mono">{id}</span>, read now
            </th>
          </tr>
        </thead>
        <tbody>
          {COMPARED.map((field) => (
            <tr key={field}>
              <td>{field}</td>
              <td data-label="Sent" className="answer mono">
                <RawText value={sent[field]} />
              </td>
              <td data-label="The service" className="answer mono">
                {data ? <RawText value={textOf(data.withdrawal[field])} /> : '…'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not stated');
}
