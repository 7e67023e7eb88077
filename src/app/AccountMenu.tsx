import { serviceHost, useSession, type Session } from '#src/api/session.ts';
import { shorten } from '#src/lib/text.ts';
import { accountName, usePreferences, setAccountName } from '#src/storage/preferences.ts';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '#src/ui/Button.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';

/** Which account: the person's own name for it, or the start of its id; all of it on demand. */
export function AccountMenu() {
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

/** The person's own name for the account, or the start and end of its id. */
export function AccountName({ session }: { session: Session }) {
  const name = accountName(usePreferences(), session.service, session.account);
  if (name === undefined) return <span className="mono who-name">{shorten(session.account)}</span>;
  return <bdi className="who-name">{name}</bdi>;
}

/** Which money this is, on every page: the sandbox's or a service's; with `account`, whose as well. */
export function EnvironmentBadge({ account = false }: { account?: boolean }) {
  const session = useSession();
  return (
    <p className="money-mark">
      {session.sandbox === null ? <bdi>{serviceHost(session)}</bdi> : 'Sandbox: not real money'}
      {session.read_only && <span className="read-only">{session.journal_only ? 'Records only' : 'Read only'}</span>}
      {account && <AccountName session={session} />}
    </p>
  );
}
