import { type FormEvent, useRef, useState } from 'react';
import type { Session } from '#src/api/session.ts';
import { useTeamChange } from '#src/api/team.ts';
import { randomName } from '#src/lib/operations/random.ts';
import { dayStart, zoneName } from '#src/lib/time.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { useZone } from '#src/ui/Time.tsx';

interface NewBookProps {
  session: Session;
  onAdded: (id: string) => void;
  onCancel?: (() => void) | undefined;
}

/** Begins a reconciliation. */
export function NewBook({ session, onAdded, onCancel }: NewBookProps) {
  const zone = useZone();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  // The same one when it is sent again, after an answer that was lost.
  const [id] = useState(() => randomName('book_'));
  const { mutateAsync, error, isPending } = useTeamChange(session.account, 'reconciliations');
  const begin = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isPending) return;
    const since = from === '' ? null : dayStart(from, zone);
    const value = { name: name.trim(), since, statements: 0, last: null, followed: 0, ledger: null };
    // What goes wrong stands in the mutation's error.
    if (await mutateAsync({ id, value, revision: 0 }).catch(() => null)) onAdded(id);
  };
  const part = useRef<HTMLElement>(null);
  useReturnFocus(part);
  return (
    <section className="grid min-w-0 gap-3" aria-labelledby="new-book" ref={part}>
      <h2 id="new-book">Begin a reconciliation</h2>
      <p className="max-w-measure">
        Each run reads the deposits that came since the last checkpoint, oldest first, and states every one of them
        once. Deposits younger than two minutes wait for the next run. Everybody who signs in to this account sees it
        and can go on with it.
      </p>
      <form onSubmit={(event) => void begin(event)} className="grid max-w-measure gap-4">
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
          <Button
            type="submit"
            variant="primary"
            disabledReason={session.read_only ? 'Read-only' : name.trim() === '' ? 'Enter a name' : undefined}
          >
            Begin
          </Button>
          {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
      {error && <TeamProblem error={error} heading="The reconciliation was not saved" />}
    </section>
  );
}
