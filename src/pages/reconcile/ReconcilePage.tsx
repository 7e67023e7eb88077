import { useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import { type Session, useSession } from '#src/api/session.ts';
import { useTeam } from '#src/api/team.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import type { Book } from '#src/api/statementContract.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';
import { BookView } from './BookView.tsx';
import { NewBook } from './NewBook.tsx';

/** Deposits taken in exactly one statement each, from checkpoint to checkpoint (contract 4.5 rule 5). */
export function Component() {
  const session = useSession();
  const { data, error, refetch } = useTeam(session.account, 'reconciliations');
  return (
    <>
      <PageHeader title="Reconcile" />
      <div className="page-body">
        {error && (
          <div className="pad">
            <ErrorNotice
              error={describeError(error)}
              heading="Reconciliations couldn’t be loaded"
              onRetry={() => void refetch()}
            />
          </div>
        )}
        {data && <Books key={session.account} books={data.items} session={session} />}
      </div>
    </>
  );
}

function Books({ books, session }: { books: readonly TeamItem<Book>[]; session: Session }) {
  const sorted = books.toSorted((a, b) => a.value.name.localeCompare(b.value.name));
  const [chosen, setChosen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const book = sorted.find(({ id }) => id === chosen) ?? sorted[0];
  const added = (id: string) => {
    setChosen(id);
    setAdding(false);
  };
  if (!book || adding) {
    return (
      <div className="pad grid max-w-288 gap-6">
        <NewBook session={session} onAdded={added} onCancel={book ? () => setAdding(false) : undefined} />
      </div>
    );
  }
  return (
    <div className="pad grid max-w-288 gap-6">
      {sorted.length > 1 && (
        <Segmented
          label="Reconciliation"
          value={book.id}
          options={sorted.map(({ id, value }) => ({ value: id, label: value.name }))}
          onChange={setChosen}
        />
      )}
      <BookView key={book.id} book={book} session={session} onAdd={() => setAdding(true)} />
    </div>
  );
}
