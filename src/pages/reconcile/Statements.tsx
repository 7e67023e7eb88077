import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import type { Session } from '#src/api/session.ts';
import { readStatement, statementsQuery } from '#src/api/statements.ts';
import { useTeamChange } from '#src/api/team.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book } from '#src/api/statementContract.ts';
import { saveFile } from '#src/ui/saveFile.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { tableBoxClass } from './LedgerTable.tsx';
import { statementCsv, statementJson, statementName } from './statementFile.ts';

/** Statements closed so far, each to be downloaded again. */
export function Statements({ book, session }: { book: TeamItem<Book>; session: Session }) {
  const { account } = session;
  const { data, error } = useQuery(statementsQuery(account, book));
  const change = useTeamChange(account, 'reconciliations');
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const download = async (number: number, ending: 'csv' | 'json') => {
    setProblem(null);
    try {
      const whole = await readStatement(book.id, number, { account });
      const name = statementName(book.value.name, number, ending);
      if (ending === 'csv') saveFile(name, statementCsv(whole));
      else saveFile(name, [statementJson(whole)], 'application/json');
    } catch (failure) {
      setProblem(failure);
    }
  };
  const remove = async () => {
    const { id, revision } = book;
    // What goes wrong stands in the mutation's error.
    await change.mutateAsync({ id, value: null, revision }).catch(() => null);
    setRemoving(false);
  };
  return (
    <section className="grid min-w-0 gap-3" aria-labelledby="statements">
      <h2 id="statements">Statements</h2>
      {error && <ErrorNotice error={describeError(error)} heading="The statements couldn’t be loaded" />}
      {data?.length === 0 && <p className="sub">None yet.</p>}
      {data && data.length > 0 && (
        <div className={tableBoxClass}>
          <table className="grid-table labelled" aria-label="Statements">
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">As of</th>
                <th scope="col">New</th>
                <th scope="col">Late</th>
                <th scope="col">Changed</th>
                <th scope="col">Closed by</th>
                <th scope="col">Download</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ who, value: { number, asOf, counts } }) => (
                <tr key={number}>
                  <th scope="row">
                    <span className="hidden narrow:inline">Statement </span>
                    {number}
                  </th>
                  <td data-label="As of">
                    <Time unix={asOf} />
                  </td>
                  <td data-label="New">{counts.fresh.toLocaleString('en')}</td>
                  <td data-label="Late">{counts.late.toLocaleString('en')}</td>
                  <td data-label="Changed">{counts.changed.toLocaleString('en')}</td>
                  <td data-label="Closed by">
                    {who === null ? 'no name given' : <UntrustedText value={who} max={60} />}
                  </td>
                  <td data-label="Download">
                    <Button
                      size="small"
                      aria-label={`Statement ${number} as CSV`}
                      onClick={() => void download(number, 'csv')}
                    >
                      CSV
                    </Button>{' '}
                    <Button
                      size="small"
                      aria-label={`Statement ${number} as JSON`}
                      onClick={() => void download(number, 'json')}
                    >
                      JSON
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className="acts-row">
        {!session.read_only && (
          <Button size="small" variant="quiet" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
      </div>
      {problem !== null && <ErrorNotice error={describeError(problem)} heading="The statement couldn’t be loaded" />}
      {change.error && <TeamProblem error={change.error} heading="The reconciliation was not removed" />}
      <Dialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${book.value.name}`}
        actions={
          <>
            <Button variant="danger" onClick={() => void remove()}>
              Remove
            </Button>
            <Button onClick={() => setRemoving(false)}>Keep</Button>
          </>
        }
      >
        It goes for everybody who signs in to this account, with its checkpoints and statements. Download the statements
        first if anybody may need them again.
      </Dialog>
    </section>
  );
}
