import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { type Session, useSession } from '#src/api/session.ts';
import { accountName, setAccountName, usePreferences } from '#src/remembered/preferences.ts';
import { Button } from '#src/ui/Button.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { AccountName } from './AccountName.tsx';

/** Which account: the person's own name for it, or the start of its id; all of it on demand. */
export function Identity() {
  const session = useSession();
  const preferences = usePreferences();
  const [open, setOpen] = useState(false);
  const name = accountName(preferences, session.service, session.account);
  return (
    <>
      <button type="button" className="who" onClick={() => setOpen(true)} aria-haspopup="dialog">
        <span className="vh">Account </span>
        <AccountName session={session} />
        <Pencil className="icon-s" aria-hidden />
        <span className="vh">, show and name it</span>
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="This account">
        <AccountForm session={session} name={name ?? ''} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function AccountForm({ session, name, onDone }: { session: Session; name: string; onDone: () => void }) {
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('account-name');
    setAccountName(session.service, session.account, typeof typed === 'string' ? typed : '');
    onDone();
  };
  return (
    <form className="form" onSubmit={save}>
      <Facts>
        <Fact label="Service" action={<CopyButton value={session.service} label="Copy service" />}>
          <bdi>{session.service}</bdi>
        </Fact>
        <Fact label="Account" mono action={<CopyButton value={session.account} label="Copy account" />}>
          {session.account}
        </Fact>
        {session.sandbox !== null && (
          <Fact
            label="In the sandbox"
            mono
            action={<CopyButton value={session.sandbox} label="Copy sandbox account" />}
          >
            <bdi>{session.sandbox}</bdi>
          </Fact>
        )}
      </Facts>
      <Field
        label="Name of this account"
        hint="(optional)"
        help="Kept in this browser only; the service does not learn it."
      >
        {(control) => (
          <input
            {...control}
            className={inputClass}
            name="account-name"
            defaultValue={name}
            maxLength={60}
            autoComplete="off"
          />
        )}
      </Field>
      <div className="acts-row">
        <Button type="submit" variant="primary">
          Save name
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Close
        </Button>
      </div>
    </form>
  );
}
