import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  addFirstPasskey,
  endSession,
  ownEmailQuery,
  passkeysQuery,
  peopleQuery,
  removePasskey,
  sessionsQuery,
  setOwnEmail,
  useAddPasskey,
  usePersonCommand,
} from '#src/web/api/people.ts';
import { type Session, useSession } from '#src/web/api/session.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSignOut } from '#src/web/api/signOut.ts';
import { CommandButton, PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { EmailForm } from '#src/web/resources/EmailForm.tsx';
import { RoleChips } from '#src/web/resources/people.tsx';
import { WaitingRoleLines } from '#src/web/resources/WaitingRoles.tsx';
import { SixDigits } from '#src/web/resources/SixDigits.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

type Passkey = NonNullable<ReturnType<typeof usePasskeys>['data']>[number];
type OpenSession = NonNullable<ReturnType<typeof useOpenSessions>['data']>[number];

export function Component() {
  const session = useSession();
  return session.person && <OwnAccount session={session} person={session.person} />;
}

interface OwnAccountProps {
  session: Session;
  person: NonNullable<Session['person']>;
}

function OwnAccount({ session, person }: OwnAccountProps) {
  const { account, rights } = session;
  const passkeys = usePasskeys(account);
  const sessions = useOpenSessions(account);
  const { data: listed } = useQuery(peopleQuery(account));
  const waiting = listed?.people.find(({ id }) => id === person.id)?.waiting ?? [];
  const [adding, setAdding] = useState(false);
  // Without a passkey it is a demo person: everyone else in the sandbox joined with one.
  const isOfDemo = session.sandbox !== null && passkeys.data?.length === 0;
  return (
    <PageFrame title="Your account" padded>
      <div className="grid max-w-184 gap-8">
        <Facts>
          <Fact label="Name">
            <UntrustedText value={person.name} />
          </Fact>
          <Fact label="Roles">
            <RoleChips permissions={rights.permissions} />
            <WaitingRoleLines waiting={waiting} />
          </Fact>
        </Facts>
        <Section
          title="Passkeys"
          text="Keep two, on different devices, so that losing one doesn’t lock you out."
          query={passkeys}
          action={
            <Button
              icon={<KeyRound aria-hidden />}
              aria-haspopup="dialog"
              disabledReason={isOfDemo ? 'The four people of the demo have no passkey.' : undefined}
              onClick={() => setAdding(true)}
            >
              Add a passkey
            </Button>
          }
        >
          {(rows) => <Passkeys rows={rows} />}
        </Section>
        <Section
          title="Open sessions"
          text="Where you are signed in. End any that you don’t recognize."
          query={sessions}
        >
          {(rows) => <Sessions rows={rows} />}
        </Section>
        <OwnEmail account={account} />
      </div>
      {/* If pressed before the passkeys are loaded, opens once they are, because the first one is added differently. */}
      {adding && passkeys.data && (
        <AddPasskey isFirst={passkeys.data.every((one) => one.waits_for_code)} onClose={() => setAdding(false)} />
      )}
    </PageFrame>
  );
}

function OwnEmail({ account }: { account: string }) {
  const query = useQuery(ownEmailQuery(account));
  return (
    <Section title="E-mail" text="You get a message when there is something that you can act on." query={query}>
      {({ email, isSent }) => <OwnEmailForm email={email} isSent={isSent} />}
    </Section>
  );
}

function OwnEmailForm({ email, isSent }: { email: string | null; isSent: boolean }) {
  const refusal = useRefusal('own-email');
  const saving = usePersonCommand(setOwnEmail);
  const save = async (typed: string | null) => {
    const isDone = await saving.mutateAsync(typed).catch(() => null);
    if (isDone) announce(typed === null ? 'E-mail address removed' : 'E-mail address saved');
  };
  const help = isSent
    ? 'Leave it empty to get no mail. When it changes, the former address is told.'
    : 'This server sends no e-mail yet: whoever runs it can set SMTP_URL. The address is kept for then.';
  return (
    <EmailForm email={email} label="E-mail address" help={help} onSave={save}>
      <CommandButton mutation={saving} busy="Saving" type="submit" disabledReason={refusal}>
        Save address
      </CommandButton>
    </EmailForm>
  );
}

function usePasskeys(account: string) {
  return useQuery(passkeysQuery(account));
}

function useOpenSessions(account: string) {
  return useQuery(sessionsQuery(account));
}

interface SectionProps<T> {
  title: string;
  text: string;
  query: UseQueryResult<T>;
  action?: ReactNode;
  children: (data: T) => ReactNode;
}

function Section<T>({ title, text, query, action, children }: SectionProps<T>) {
  return (
    <section className="grid gap-3" aria-label={title}>
      <div className="acts-row justify-between">
        <div>
          <h2>{title}</h2>
          <p className="small sub">{text}</p>
        </div>
        {action}
      </div>
      {query.data ? (
        children(query.data)
      ) : query.error ? (
        <LoadError of={query} heading={`Couldn’t load ${title.toLowerCase()}`} />
      ) : (
        <output>Loading…</output>
      )}
    </section>
  );
}

function Passkeys({ rows }: { rows: readonly Passkey[] }) {
  if (rows.length === 0) return <p className="sub">None yet. You need one to approve or to manage people.</p>;
  const columns = passkeyColumns(rows.filter((one) => !one.waits_for_code).length === 1);
  return <DataTable label="Passkeys" rows={rows} columns={columns} keyOf={({ id }) => id} className={TABLE} />;
}

function passkeyColumns(isOnly: boolean): DataColumn<Passkey>[] {
  return [
    { name: 'Created', isHead: true, cell: ({ created_at: at }) => <Time unix={at} /> },
    {
      name: 'Last used',
      cell: ({ last_used_at: at, waits_for_code: waits }) =>
        waits ? 'Waiting for code' : at === null ? <span className="dim">Never</span> : <Time unix={at} age />,
    },
    {
      name: 'Actions',
      head: <span className="vh">Actions</span>,
      cell: ({ id, waits_for_code: waits }) => <RemovePasskey id={id} isOnly={isOnly && !waits} />,
    },
  ];
}

const TABLE = 'grid-table labelled fitted';

function RemovePasskey({ id, isOnly }: { id: string; isOnly: boolean }) {
  const removing = usePersonCommand(removePasskey);
  return (
    <PasskeyButton
      mutation={removing}
      size="small"
      {...(isOnly && { disabledReason: 'Your only passkey. Add another one first.' })}
      onPress={() => removing.mutate(id)}
    >
      Remove
    </PasskeyButton>
  );
}

const SESSION_COLUMNS: DataColumn<OpenSession>[] = [
  { name: 'Signed in', isHead: true, cell: ({ created_at: at }) => <Time unix={at} /> },
  { name: 'Last active', cell: ({ seen_at: at }) => <Time unix={at} age /> },
  { name: 'Where', cell: ({ current }) => (current ? 'This browser' : <span className="dim">Elsewhere</span>) },
  {
    name: 'Actions',
    head: <span className="vh">Actions</span>,
    cell: ({ id, current }) => (current ? <SignOut /> : <EndSession id={id} />),
  },
];

function Sessions({ rows }: { rows: readonly OpenSession[] }) {
  return (
    <DataTable label="Open sessions" rows={rows} columns={SESSION_COLUMNS} keyOf={({ id }) => id} className={TABLE} />
  );
}

function SignOut() {
  const leaving = useSignOut();
  return (
    <CommandButton mutation={leaving} busy="Signing out" size="small" onPress={() => leaving.mutate()}>
      Sign out
    </CommandButton>
  );
}

function EndSession({ id }: { id: string }) {
  const ending = usePersonCommand(endSession);
  return (
    <CommandButton mutation={ending} busy="Ending" size="small" onPress={() => ending.mutate(id)}>
      End
    </CommandButton>
  );
}

function AddPasskey({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  // State, so that adding the first passkey doesn't turn this into the dialog for a further one.
  const [wasFirst] = useState(isFirst);
  return wasFirst ? <AddFirstPasskey onClose={onClose} /> : <AddFurtherPasskey onClose={onClose} />;
}

/** For people who sign in at an identity provider. */
function AddFirstPasskey({ onClose }: { onClose: () => void }) {
  const adding = usePersonCommand((account) => addFirstPasskey(account));
  const code = adding.data?.code ?? null;
  const add = async () => {
    const added = await adding.mutateAsync(undefined).catch(() => null);
    if (added === null || added.code !== null) return;
    announce('Passkey added');
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={code === null ? 'Add a passkey' : 'Read this code to an admin'}
      actions={
        <Button variant="quiet" onClick={onClose}>
          {code === null ? 'Cancel' : 'Done'}
        </Button>
      }
    >
      {code === null ? (
        <div className="grid gap-4">
          <p>
            You’ll use it to confirm changes to people’s access. It can be this device’s screen lock, a phone or a
            security key. You still sign in as before.
          </p>
          <PasskeyButton
            mutation={adding}
            variant="primary"
            cancelled="Cancelled. No passkey was created."
            onPress={() => void add()}
          >
            Create a passkey
          </PasskeyButton>
        </div>
      ) : (
        <div className="grid gap-4">
          <SixDigits code={code} />
          <p ref={focusOnMount} tabIndex={-1}>
            An admin other than you enters this code on the People page. Call or meet them, and keep this open until
            then: the code isn’t shown again. After that, sign in again.
          </p>
        </div>
      )}
    </Dialog>
  );
}

/** Two steps with one click each, because some browsers open a passkey dialog only after a click. */
function AddFurtherPasskey({ onClose }: { onClose: () => void }) {
  const { create, confirm } = useAddPasskey();
  const created = create.data ?? null;
  const save = async () => {
    if (created === null) return;
    const isAdded = await confirm.mutateAsync(created).catch(() => null);
    if (!isAdded) return;
    announce('Passkey added');
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a passkey"
      actions={
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <div className="grid gap-4">
        {created === null ? (
          <>
            <p>First create the new passkey, on this device, a phone or a security key.</p>
            <PasskeyButton
              key="create"
              mutation={create}
              variant="primary"
              cancelled="Cancelled. No passkey was created."
              onPress={() => create.mutate()}
            >
              Create a passkey
            </PasskeyButton>
          </>
        ) : (
          <>
            <p ref={focusOnMount} tabIndex={-1}>
              Now confirm with a passkey that you already had.
            </p>
            <PasskeyButton
              key="confirm"
              mutation={confirm}
              variant="primary"
              cancelled="Cancelled. The new passkey wasn’t added yet."
              onPress={() => void save()}
            >
              Confirm with my old passkey
            </PasskeyButton>
          </>
        )}
      </div>
    </Dialog>
  );
}
