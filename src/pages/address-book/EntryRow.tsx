import { Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { KnownRecipient } from '#src/api/recipients.ts';
import type { Session } from '#src/api/session.ts';
import { useTeamChange } from '#src/api/team.ts';
import { MovedOn } from '#src/api/teamItems.ts';
import { recipientNameRule } from '#src/lib/fieldRules.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import { byWhom } from '#src/lib/operations/who.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { chainLabel } from '#src/lib/chains/names.ts';
import { TeamProblem } from '#src/list/TeamProblem.tsx';
import { nameOf } from './nameOf.tsx';
import { Button, buttonClass, IconButton } from '#src/ui/Button.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { focusOnMount } from '#src/ui/focus.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';

interface EntryRowProps {
  session: Session;
  entry: KnownRecipient;
  onRemove: () => void;
}

export function EntryRow({ session, entry, onRemove }: EntryRowProps) {
  const [renaming, setRenaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const { name, chain, address, reference, note } = entry;
  const called = visible(name.slice(0, 60));
  const returning = useRef(false);
  const endRenaming = () => {
    returning.current = true;
    setRenaming(false);
  };
  // In every render: the row is moved to the place of its new name a little later, and loses the focus by it.
  useEffect(() => {
    if (renaming || !returning.current) return;
    const { activeElement } = document;
    if (activeElement === document.body) pencil.current?.focus();
    else returning.current = activeElement === pencil.current;
  });
  return (
    <li className="grid grid-cols-[minmax(0,16rem)_minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1 border-b border-rule p-2 wrap-anywhere hover:bg-hover narrow:grid-cols-1">
      {renaming ? (
        <Rename account={session.account} entry={entry} onEnd={endRenaming} />
      ) : (
        <>
          <span>
            <b>
              <UntrustedText value={name} max={120} />
            </b>
            <span className="small sub block">{chainLabel(chain)}</span>
          </span>
          <span>
            <span className="mono">
              <UntrustedText value={address} max={120} />
            </span>
            {[reference, note].map(
              (text, at) =>
                text !== '' && (
                  <span key={at === 0 ? 'reference' : 'note'} className="small block">
                    <UntrustedText value={text} max={200} />
                  </span>
                ),
            )}
            <span className="small sub block">
              {entry.revision === 1 ? 'Added' : 'Changed'}
              {byWhom(entry.who)} <Time unix={entry.changed} />
            </span>
          </span>
          <span className="acts-row">
            {!session.read_only && (
              <Link
                className={buttonClass('plain', 'small')}
                to={paths.newWithdrawal}
                state={locationState({ prefill: { chain, address } })}
                aria-label={`New withdrawal to ${called}`}
              >
                Withdraw
              </Link>
            )}
            <CopyButton value={address} label={`Copy the address ${shorten(address)}`} />
            {!session.read_only && (
              <>
                <IconButton ref={pencil} label={`Rename ${called}`} onClick={() => setRenaming(true)}>
                  <Pencil className="icon-s" aria-hidden />
                </IconButton>
                <IconButton label={`Remove ${called}`} onClick={onRemove}>
                  <Trash2 className="icon-s" aria-hidden />
                </IconButton>
              </>
            )}
          </span>
        </>
      )}
    </li>
  );
}

/** The name alone can be changed: another address is another entry, checked and compared as a new one. */
function Rename({ account, entry, onEnd }: { account: string; entry: KnownRecipient; onEnd: () => void }) {
  // What the person saw: a colleague may change it while they type.
  const [seen, setSeen] = useState(entry.revision);
  const { mutateAsync, error, isPending } = useTeamChange(account, 'recipients');
  const [typed, setTyped] = useState(entry.name);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    const ruling = recipientNameRule(typed);
    if (ruling !== true) {
      setProblem(ruling);
      return;
    }
    const { id, chain, address, asset, reference, note } = entry;
    const value = { name: typed.trim(), chain, address, asset, reference, note };
    try {
      await mutateAsync({ id, value, revision: seen });
      onEnd();
    } catch (failure) {
      // Told of their colleague's version, they may still save their own.
      if (failure instanceof MovedOn && failure.item) setSeen(failure.item.revision);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) void save();
  };
  return (
    <form className="col-span-full grid max-w-measure gap-3 py-2" noValidate onSubmit={submit}>
      <Field
        label="New name"
        error={problem}
        help={
          <>
            {chainLabel(entry.chain)} <span className="mono">{visible(entry.address.slice(0, 120))}</span>
          </>
        }
      >
        {(control) => (
          <input
            {...control}
            className={inputClass}
            ref={focusOnMount}
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setProblem(undefined);
            }}
            onKeyDown={(event) => event.key === 'Escape' && onEnd()}
          />
        )}
      </Field>
      {error && <TeamProblem error={error} heading="The name was not saved" theirs={nameOf} />}
      <div className="acts-row">
        <Button type="submit" variant="primary">
          Save name
        </Button>
        <Button variant="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
