import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { type Book, exportBook } from '#src/remembered/reconcileBook.ts';
import { saveFile } from '#src/list/saveFile.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Time } from '#src/ui/Time.tsx';
import { bookQueries } from './books.ts';
import { statementCsv, statementName } from './statementFile.ts';
import { reconcileStore } from './store.ts';

/** Statements closed so far, each to be downloaded again; and the whole reconciliation as a file. */
export function Statements({ book, onChanged }: { book: Book; onChanged: () => Promise<unknown> }) {
  const { data, error } = useQuery(bookQueries.statements(book));
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = (work: () => Promise<void>) => {
    setProblem(null);
    work().catch((failure: unknown) => setProblem(failure instanceof Error ? failure.message : String(failure)));
  };
  const download = (number: number, ending: 'csv' | 'json') =>
    attempt(async () => {
      const statement = await reconcileStore.statement(book.id, number);
      const name = statementName(book.name, number, ending);
      if (ending === 'csv') saveFile(name, statementCsv(statement));
      else saveFile(name, [`${stringifyExact(statement, 2)}\n`], 'application/json');
    });
  return (
    <section aria-labelledby="statements">
      <h2 id="statements">Statements</h2>
      {error && <p className="msg msg-alarm">{error.message}</p>}
      {data?.length === 0 && <p className="sub">None yet.</p>}
      {data && data.length > 0 && (
        <div className="table-scroll">
          <table className="grid-table labelled" aria-label="Statements">
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">As of</th>
                <th scope="col">New</th>
                <th scope="col">Late</th>
                <th scope="col">Changed</th>
                <th scope="col">Download</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ number, asOf, fresh, late, changed }) => (
                <tr key={number}>
                  <th scope="row">
                    <span className="only-narrow">Statement </span>
                    {number}
                  </th>
                  <td data-label="As of">
                    <Time unix={asOf} />
                  </td>
                  <td data-label="New">{fresh.toLocaleString('en')}</td>
                  <td data-label="Late">{late.toLocaleString('en')}</td>
                  <td data-label="Changed">{changed.toLocaleString('en')}</td>
                  <td data-label="Download">
                    <Button
                      size="small"
                      aria-label={`Statement ${number} as CSV`}
                      onClick={() => download(number, 'csv')}
                    >
                      CSV
                    </Button>{' '}
                    <Button
                      size="small"
                      aria-label={`Statement ${number} as JSON`}
                      onClick={() => download(number, 'json')}
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
        <Button
          size="small"
          onClick={() =>
            attempt(async () => {
              const text = exportBook(book, await reconcileStore.statements(book.id));
              saveFile(statementName(book.name, book.statements, 'reconciliation.json'), [text], 'application/json');
            })
          }
        >
          Save reconciliation
        </Button>
        <Button size="small" variant="quiet" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <output className={problem === null ? 'vh' : 'msg msg-alarm'}>{problem}</output>
      <Dialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${book.name}`}
        actions={
          <>
            <Button
              variant="danger"
              onClick={() =>
                attempt(async () => {
                  await reconcileStore.remove(book.id);
                  await onChanged();
                })
              }
            >
              Remove
            </Button>
            <Button onClick={() => setRemoving(false)}>Keep</Button>
          </>
        }
      >
        Its checkpoints and statements leave this browser for good. Save it first if anybody may need it again.
      </Dialog>
    </section>
  );
}
