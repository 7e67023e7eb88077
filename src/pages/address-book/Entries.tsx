import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { KnownRecipient } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { useTeamChange } from '#src/api/team.ts';
import type { Recipient } from '#src/api/teamContract.ts';
import { foundEntries } from '#src/lib/findEntries.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { focusOnMount } from '#src/ui/focus.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { EntryRow } from './EntryRow.tsx';
import { nameOf } from './nameOf.tsx';
import { useMore } from './useMore.tsx';

interface EntriesProps {
  session: Session;
  entries: readonly KnownRecipient[];
}

/** Everybody in the book, by name, or those that were looked for. */
export function Entries({ session, entries }: EntriesProps) {
  const [typed, setTyped] = useState('');
  const [removed, setRemoved] = useState<(Recipient & { id: string }) | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const sought = useDeferredValue(typed);
  const found = useMemo(() => foundEntries(entries, sought), [entries, sought]);
  const { shown, more } = useMore(found);
  const { mutateAsync, error, reset } = useTeamChange(session.account, 'recipients');
  // What goes wrong stands in the mutation's error.
  const remove = async ({ id, revision, name, chain, address, asset, reference, note }: KnownRecipient) => {
    setRemoved(null);
    const done = await mutateAsync({ id, value: null, revision }).catch(() => null);
    if (done) setRemoved({ id, name, chain, address, asset, reference, note });
  };
  const bringBack = async () => {
    if (!removed) return;
    const { id, ...value } = removed;
    const done = await mutateAsync({ id, value, revision: 0 }).catch(() => null);
    if (!done) return;
    setRemoved(null);
    heading.current?.focus();
  };
  return (
    <section className="grid gap-3" aria-label="Entries">
      <h2 ref={heading} tabIndex={-1}>
        Entries
      </h2>
      {removed && (
        <Notice tone="plain" live="status">
          Removed “<UntrustedText value={removed.name} max={80} />
          ”. {/* The row that had the focus is gone. */}
          <Button size="small" ref={focusOnMount} onClick={() => void bringBack()}>
            Undo
          </Button>
        </Notice>
      )}
      {error && (
        <>
          <TeamProblem error={error} heading="The entry was not changed" theirs={nameOf} />
          <Button size="small" onClick={reset}>
            Dismiss
          </Button>
        </>
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
                className={`${inputClass} max-w-96`}
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
          <ul className="border-t border-rule-strong" aria-label="Entries">
            {shown.map((entry) => (
              <EntryRow key={entry.id} session={session} entry={entry} onRemove={() => void remove(entry)} />
            ))}
          </ul>
          {more}
        </>
      )}
    </section>
  );
}
