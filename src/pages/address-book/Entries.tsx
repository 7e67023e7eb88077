import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Session } from '#src/api/session.ts';
import { placeKey } from '#src/lib/chains/lookAlike.ts';
import { addEntries, removeEntry } from '#src/remembered/addressBook.ts';
import type { AddressBookEntry } from '#src/remembered/addressBookStore.ts';
import { foundEntries } from '#src/remembered/findEntries.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { EntryRow } from './EntryRow.tsx';
import { useMore } from './useMore.tsx';

interface EntriesProps {
  session: Session;
  entries: readonly AddressBookEntry[];
}

/** Everybody in the book, by name, or those that were looked for. */
export function Entries({ session, entries }: EntriesProps) {
  const [typed, setTyped] = useState('');
  const [removed, setRemoved] = useState<AddressBookEntry | null>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const sought = useDeferredValue(typed);
  const found = useMemo(() => foundEntries(entries, sought), [entries, sought]);
  const { shown, more } = useMore(found);
  const { service } = session;
  // The row that had the focus is gone.
  useEffect(() => {
    if (removed) undo.current?.focus();
  }, [removed]);
  const remove = (entry: AddressBookEntry) => {
    removeEntry(service, entry);
    setRemoved(entry);
  };
  const bringBack = () => {
    if (removed) addEntries(service, [removed]);
    setRemoved(null);
    heading.current?.focus();
  };
  return (
    <section className="book-part" aria-label="Entries">
      <h2 ref={heading} tabIndex={-1}>
        Entries
      </h2>
      {removed && (
        <Notice tone="plain" live="status">
          Removed “<RawText value={removed.name} max={80} />
          ”.{' '}
          <Button size="small" ref={undo} onClick={bringBack}>
            Undo
          </Button>
        </Notice>
      )}
      {entries.length === 0 ? (
        <p className="sub">
          Nobody is in it yet. Whoever is added here can be picked by name in a new withdrawal, and an address that only
          looks like theirs is blocked there.
        </p>
      ) : (
        <>
          <Field label="Find" hint="(name, chain or address)">
            {(control) => (
              <input
                {...control}
                className={`${inputClass} book-find`}
                type="search"
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <output className="small sub">
            {typed.trim() === '' ? '' : found.length === 1 ? '1 found' : `${found.length.toLocaleString('en')} found`}
          </output>
          <ul className="book-list" aria-label="Entries">
            {shown.map((entry) => (
              <EntryRow key={placeKey(entry)} session={session} entry={entry} onRemove={() => remove(entry)} />
            ))}
          </ul>
          {more}
        </>
      )}
    </section>
  );
}
