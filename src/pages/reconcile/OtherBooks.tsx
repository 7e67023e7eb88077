import { useEffect, useRef, useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import { randomName } from '#src/lib/operations/random.ts';
import type { Book } from '#src/remembered/reconcileBook.ts';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { adopted, proveSameAccount } from './adopt.ts';
import { RunStopped } from './run.ts';
import { reconcileStore } from './store.ts';
import { useReads } from './useRun.ts';

interface OtherBooksProps {
  books: readonly Book[];
  account: string;
  onAdded: (id: string) => Promise<void>;
}

/** Reconciliations under other keys of this service: a rotated key goes on with its own, once it is proved to be its own. */
export function OtherBooks({ books, account, onAdded }: OtherBooksProps) {
  const reads = useReads(account);
  const [proving, setProving] = useState<string | null>(null);
  const [problem, setProblem] = useState<{ book: string; error: unknown } | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const stated = books.filter(({ last }) => last !== null);
  if (stated.length === 0) return null;

  const proceed = async (book: Book) => {
    const abort = new AbortController();
    stop.current = abort;
    setProving(book.id);
    setProblem(null);
    try {
      await proveSameAccount(book, () => reconcileStore.statementsFromLast(book), reads, abort.signal);
      const id = randomName('book_');
      const copy = adopted(book, await reconcileStore.statements(book.id), { id, account });
      await reconcileStore.add(copy.book, copy.statements);
      await onAdded(id);
    } catch (error) {
      if (!abort.signal.aborted) setProblem({ book: book.id, error });
    }
    setProving(null);
  };
  return (
    <section aria-labelledby="other-books">
      <h2 id="other-books">Continue from another key</h2>
      <p className="prose">
        This browser keeps reconciliations of other keys of this service. One can be continued here if this key reads
        what was stated in it.
      </p>
      <ul>
        {stated.map((book) => (
          <li key={book.id} className="other-book">
            <span>
              <b>{book.name}</b>, {book.statements} {book.statements === 1 ? 'statement' : 'statements'}, account{' '}
              <span className="mono">{book.account.slice(0, 7)}…</span>
            </span>
            <Button
              size="small"
              disabledReason={proving === null ? undefined : 'Being compared'}
              reasonHidden
              onClick={() => void proceed(book)}
            >
              Compare and continue
            </Button>
            {problem?.book === book.id &&
              (problem.error instanceof RunStopped ? (
                <Notice tone="open" live="status" title="It cannot be continued here.">
                  {problem.error.message}
                </Notice>
              ) : (
                <ErrorNotice error={describeError(problem.error)} heading="It cannot be continued here" />
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
