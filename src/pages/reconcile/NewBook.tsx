import { type FormEvent, useRef, useState } from 'react';
import { dayStart, zoneName } from '#src/lib/time.ts';
import { randomName } from '#src/lib/operations/random.ts';
import { readBookFile } from '#src/remembered/reconcileBook.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { FileButton } from '#src/ui/FileButton.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { useHandOnFocus } from '#src/ui/useHandOnFocus.ts';
import { useZone } from '#src/ui/zone.tsx';
import { adopted } from './adopt.ts';
import { reconcileStore } from './store.ts';

interface NewBookProps {
  service: string;
  account: string;
  onAdded: (id: string) => Promise<void>;
  /** A book of another key was taken; it is offered beside this, to be compared. */
  onOther: () => Promise<void>;
  onCancel?: (() => void) | undefined;
}

/** Begins a reconciliation, or takes one that another browser saved as a file. */
export function NewBook({ service, account, onAdded, onOther, onCancel }: NewBookProps) {
  const zone = useZone();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** Name of a book of another key that was taken from a file. */
  const [other, setOther] = useState<string | null>(null);
  const keep = async (work: () => Promise<string | null>) => {
    setProblem(null);
    setOther(null);
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
  const take = (file: File) => {
    void keep(async () => {
      const read = readBookFile(await file.text());
      if ('fault' in read) {
        setProblem(read.fault);
        return null;
      }
      if (read.book.service !== service) {
        setProblem('This file is of another service.');
        return null;
      }
      const isOwn = read.book.account === account;
      if (!isOwn && read.book.last === null) {
        setProblem('This file is of another key, and nothing was stated in it.');
        return null;
      }
      const id = randomName('book_');
      const copy = adopted(read.book, read.statements, { id, account: read.book.account });
      await reconcileStore.add(copy.book, copy.statements);
      if (isOwn) return id;
      await onOther();
      setOther(read.book.name);
      return null;
    });
  };
  const part = useRef<HTMLElement>(null);
  useHandOnFocus(part);
  return (
    <section aria-labelledby="new-book" ref={part}>
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
      <div className="acts-row">
        <FileButton label="Import a saved reconciliation" accept="application/json,.json" onFile={take} />
        <span className="small sub">One that was saved from here or from another browser.</span>
      </div>
      <output className={problem === null ? 'vh' : 'msg msg-alarm'}>{problem}</output>
      {other !== null && (
        <Notice tone="plain" live="status" title={<bdi>{other}</bdi>}>
          was made under another key. It stands below: compare it to continue it under this one.
        </Notice>
      )}
    </section>
  );
}
