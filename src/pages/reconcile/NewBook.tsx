import { type FormEvent, useState } from 'react';
import { dayStart, zoneName } from '#src/lib/time.ts';
import { randomName } from '#src/operations/random.ts';
import { readBookFile } from '#src/remembered/reconcileBook.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { adopted } from './adopt.ts';
import { reconcileStore } from './store.ts';

interface NewBookProps {
  service: string;
  account: string;
  onAdded: (id: string) => Promise<void>;
  onCancel?: (() => void) | undefined;
}

/** Begins a reconciliation, or takes one that another browser saved as a file. */
export function NewBook({ service, account, onAdded, onCancel }: NewBookProps) {
  const zone = useZone();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (work: () => Promise<string | null>) => {
    setProblem(null);
    try {
      const id = await work();
      if (id !== null) await onAdded(id);
    } catch (error) {
      setProblem(`This browser did not keep it: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const begin = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    void keep(async () => {
      const id = randomName('book_');
      const since = from === '' ? null : dayStart(from, zone);
      const of = { id, service, account, name: name.trim(), since };
      await reconcileStore.add({ ...of, statements: 0, last: null, carried: [], ledger: null });
      return id;
    });
  };
  const take = (file: File | undefined) => {
    if (!file) return;
    void keep(async () => {
      const read = readBookFile(await file.text());
      if ('fault' in read) {
        setProblem(read.fault);
        return null;
      }
      if (read.book.service !== service || read.book.account !== account) {
        setProblem('This file is of another service or account. Its own key continues it.');
        return null;
      }
      const id = randomName('book_');
      const copy = adopted(read.book, read.statements, { id, account });
      await reconcileStore.add(copy.book, copy.statements);
      return id;
    });
  };
  return (
    <section aria-labelledby="new-book">
      <h2 id="new-book">Begin a reconciliation</h2>
      <p className="prose">
        Each run reads the deposits that came since the last checkpoint, oldest first, and states every one of them
        once. Deposits younger than two minutes wait for the next run. The checkpoints are kept in this browser.
      </p>
      <form onSubmit={begin} className="reconcile-form">
        <Field label="Name" help="Such as Month close.">
          {(control) => (
            <input
              {...control}
              className={inputClass}
              value={name}
              maxLength={80}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label="Deposits from" hint="(optional)" help={`The first day, ${zoneName(zone)}; empty: all there are.`}>
          {(control) => (
            <input
              {...control}
              type="date"
              className={inputClass}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            />
          )}
        </Field>
        <div className="acts-row">
          <Button type="submit" variant="primary" disabledReason={name.trim() === '' ? 'It needs a name' : undefined}>
            Begin
          </Button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
      <p className="import">
        <label>
          Import a saved reconciliation{' '}
          <input type="file" accept="application/json,.json" onChange={({ target }) => take(target.files?.[0])} />
        </label>
      </p>
      <output className={problem === null ? 'vh' : 'msg msg-alarm'}>{problem}</output>
    </section>
  );
}
