import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '#src/api/session.ts';
import type { Book } from '#src/remembered/reconcileBook.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { Segmented } from '#src/ui/Segmented.tsx';
import { BookView } from './BookView.tsx';
import { bookQueries } from './books.ts';
import { NewBook } from './NewBook.tsx';
import { OtherBooks } from './OtherBooks.tsx';
import './reconcile.css';

/** Deposits taken in exactly one statement each, from checkpoint to checkpoint (contract 4.5 rule 5). */
export function Component() {
  const session = useSession();
  const { data, error } = useQuery({ ...bookQueries.all(session?.service ?? ''), enabled: session !== null });
  if (session === null) return null;
  return (
    <>
      <PageHeader title="Reconcile" />
      <div className="page-body">
        {error && (
          <div className="pad">
            <Notice tone="alarm" title="This browser does not keep reconciliations.">
              {error.message}
            </Notice>
          </div>
        )}
        {data && <Books key={session.account} all={data} service={session.service} account={session.account} />}
      </div>
    </>
  );
}

function Books({ all, service, account }: { all: readonly Book[]; service: string; account: string }) {
  const queryClient = useQueryClient();
  const own = all.filter((book) => book.account === account).sort((a, b) => a.name.localeCompare(b.name));
  const [chosen, setChosen] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const book = own.find(({ id }) => id === chosen) ?? own[0];
  const changed = () => queryClient.invalidateQueries({ queryKey: ['reconcile'] });
  const added = async (id: string) => {
    await changed();
    setChosen(id);
    setAdding(false);
  };
  if (!book || adding) {
    return (
      <div className="pad reconcile">
        <NewBook
          service={service}
          account={account}
          onAdded={added}
          onOther={changed}
          onCancel={book ? () => setAdding(false) : undefined}
        />
        <OtherBooks books={all.filter((each) => each.account !== account)} account={account} onAdded={added} />
      </div>
    );
  }
  return (
    <div className="pad reconcile">
      {own.length > 1 && (
        <Segmented
          label="Reconciliation"
          value={book.id}
          options={own.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={setChosen}
        />
      )}
      <BookView key={`${book.id} ${book.statements}`} book={book} onChanged={changed} onAdd={() => setAdding(true)} />
    </div>
  );
}
