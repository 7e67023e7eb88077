import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import * as v from 'valibot';
import type { Person } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { type Permission, PERMISSIONS } from '#src/shared/permissions.ts';
import { revealHidden } from '#src/shared/text.ts';
import {
  blockPerson,
  confirmCode,
  grantPermissions,
  inviteAgain,
  revokeInvite,
  setPersonEmail,
  signPersonOut,
  usePersonCommand,
} from '#src/web/api/people.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton, PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { FormText, focusField, schemaResolver, useSubmit } from '#src/web/send/FormFields.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { Fact, Facts } from '#src/web/ui/Facts.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { EmailForm } from './EmailForm.tsx';
import { InviteLink } from './InviteLink.tsx';
import { RoleChips } from './people.tsx';
import { RoleFields } from './RoleFields.tsx';
import { WaitingRoleLines } from './WaitingRoles.tsx';

/** An admin's commands for one person. */
export function PersonDialog({ row: person, onClose }: { row: Person; onClose: () => void }) {
  const invite = usePersonCommand(inviteAgain);
  return (
    <Dialog
      open
      onClose={onClose}
      title={revealHidden(person.name)}
      wide="max-w-[min(40rem,calc(100vw-2rem))]"
      actions={
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      {invite.data ? (
        <InviteLink invited={invite.data} name={person.name} />
      ) : (
        // Takes the focus when a form or button disappears after its command.
        <div className="grid gap-5" tabIndex={-1} data-takes-focus>
          {person.waits_for_code && <CodeForm person={person} />}
          <PersonFacts person={person} />
          <Commands person={person} invite={invite} />
        </div>
      )}
    </Dialog>
  );
}

function PersonFacts({ person }: { person: Person }) {
  const {
    permissions,
    waiting,
    invited_by: invitedBy,
    created_at: createdAt,
    passkeys,
    last_seen_at: lastSeen,
    email,
  } = person;
  return (
    <Facts>
      <Fact label="Roles">
        <RoleChips permissions={permissions} />
        <WaitingRoleLines waiting={waiting} />
      </Fact>
      <Fact label="Invited">
        <Time unix={createdAt} />{' '}
        {invitedBy !== null && (
          <>
            by <UntrustedText value={invitedBy} max={120} />
          </>
        )}
      </Fact>
      <Fact label="Last seen">{lastSeen === null ? 'Never' : <Time unix={lastSeen} age />}</Fact>
      <Fact label="Passkeys">{passkeys}</Fact>
      <Fact label="E-mail">{email === null ? 'None' : <UntrustedText value={email} max={254} />}</Fact>
    </Facts>
  );
}

const CODE_FIELD = v.pipe(
  v.string(),
  // People read it out in two groups.
  v.transform((text) => text.replace(/[\s-]/g, '')),
  v.regex(/^\d{6}$/, 'Enter the six digits that they see.'),
);

/** The person reads the code out, which proves that the passkey is theirs. */
function CodeForm({ person }: { person: Person }) {
  const confirming = usePersonCommand(confirmCode);
  const form = useForm({
    defaultValues: { code: '' },
    shouldFocusError: false,
    resolver: schemaResolver<{ code: string }>(() => ({ code: CODE_FIELD })),
  });
  const part = useRef<HTMLFormElement>(null);
  useReturnFocus(part);
  useLayoutEffect(() => focusField('code'), []);
  const name = revealHidden(person.name);
  const submit = useSubmit(form, async ({ code }) => {
    const isDone = await confirming.mutateAsync({ person: person.id, code }).catch(() => null);
    if (isDone) announce(`The code of ${name} is right`);
  });
  return (
    <form className="form border border-rule bg-inset p-4" noValidate onSubmit={submit} ref={part}>
      <p>
        {person.state === 'active'
          ? `${name} has a new way to sign in or to confirm. Have them read their code to you, by phone or in person. Until then, what they had before still works.`
          : `${name} used the invite. Have them read their code to you, by phone or in person. Until then they have no access.`}
      </p>
      <JoinedBeside person={person} />
      <FormText
        label="Six-digit code"
        control={form.control}
        name="code"
        required
        exact
        mono
        inputMode="numeric"
        maxLength={7}
      />
      <PasskeyButton mutation={confirming} type="submit" variant="primary" cancelled="Cancelled. The code wasn’t used.">
        Confirm code
      </PasskeyButton>
    </form>
  );
}

/** Whoever was signed in there may have used the invite in place of the person. */
export function JoinedBeside({ person }: { person: Pick<Person, 'name' | 'joined_beside'> }) {
  if (person.joined_beside === null) return null;
  return (
    <Notice tone="open" title={`${revealHidden(person.joined_beside)} was signed in in the browser that used it.`}>
      Before you confirm, ask {revealHidden(person.name)} whose device that was.
    </Notice>
  );
}

type Invite = ReturnType<typeof usePersonCommand<string, Awaited<ReturnType<typeof inviteAgain>>>>;

function Commands({ person, invite }: { person: Person; invite: Invite }) {
  const { person: self } = useSession();
  if (person.id === self?.id) {
    return (
      <Notice tone="plain">
        Nobody changes their own access: ask another admin. Your sessions and passkeys are under{' '}
        <Link to={paths.ownAccount}>Your account</Link>.
      </Notice>
    );
  }
  return (
    <div className="grid gap-4">
      <Roles person={person} />
      <Email person={person} />
      <SignOutEverywhere person={person} />
      <NewInvite person={person} invite={invite} />
      {person.invite_expires_at !== null && <RevokeInvite person={person} />}
      {person.state !== 'blocked' && <Block person={person} />}
    </div>
  );
}

/** Why only an admin of another account can do something; undefined if this one can. */
function otherAdminReason({ needs_other_admin: needsOther }: Person): string | undefined {
  return needsOther
    ? 'They have, or had, roles on another account. Only an admin of every such account can do this.'
    : undefined;
}

function rolesText(person: Person): string {
  if (!person.can_sign_in)
    return person.state === 'blocked'
      ? 'They have no way to sign in: make a new invite first.'
      : 'Once they have joined.';
  if (person.state === 'blocked') return 'Ends the block: they can sign in again, with the roles that you choose.';
  return 'Takes effect at once; a new approver or admin may have to be confirmed first. Pages that they have open show it after a reload.';
}

/** The person's permissions, including those that wait: saving other changes must not revoke them. */
function permissionsGiven({ permissions, waiting }: Person): Permission[] {
  const given = new Set([...permissions, ...waiting.map(({ permission }) => permission)]);
  return PERMISSIONS.filter((each) => each === 'view' || given.has(each));
}

function Roles({ person }: { person: Person }) {
  const granting = usePersonCommand(grantPermissions);
  const [permissions, setPermissions] = useState<Permission[] | null>(null);
  if (permissions === null)
    return (
      <Command text={rolesText(person)}>
        <Button
          disabledReason={person.can_sign_in ? undefined : rolesText(person)}
          reasonHidden
          onClick={() => setPermissions(permissionsGiven(person))}
        >
          {person.state === 'blocked' ? 'Give roles again' : 'Change roles'}
        </Button>
      </Command>
    );
  const save = async () => {
    const isDone = await granting.mutateAsync({ person: person.id, permissions }).catch(() => null);
    if (!isDone) return;
    setPermissions(null);
    announce('Roles changed');
  };
  return (
    <div className="grid gap-4 border border-rule bg-inset p-4">
      <RoleFields permissions={permissions} onChange={setPermissions} />
      <div className="acts-row items-start">
        <PasskeyButton mutation={granting} variant="primary" onPress={() => void save()}>
          Save roles
        </PasskeyButton>
        <Button variant="quiet" onClick={() => setPermissions(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

function Email({ person }: { person: Person }) {
  const saving = usePersonCommand(setPersonEmail);
  const [isEditing, setEditing] = useState(false);
  const reason = otherAdminReason(person);
  if (!isEditing)
    return (
      <Command text={reason ?? 'Where their notices go. The former address is told.'}>
        <Button disabledReason={reason} reasonHidden onClick={() => setEditing(true)}>
          Change e-mail
        </Button>
      </Command>
    );
  const save = async (email: string | null) => {
    const isDone = await saving.mutateAsync({ person: person.id, email }).catch(() => null);
    if (!isDone) return;
    setEditing(false);
    announce('E-mail address changed');
  };
  return (
    <div className="border border-rule bg-inset p-4">
      <EmailForm
        email={person.email}
        label="E-mail address"
        help="Leave it empty to send them no mail."
        takesFocus
        onSave={save}
      >
        <PasskeyButton mutation={saving} type="submit" variant="primary">
          Save address
        </PasskeyButton>
        <Button variant="quiet" onClick={() => setEditing(false)}>
          Cancel
        </Button>
      </EmailForm>
    </div>
  );
}

function SignOutEverywhere({ person }: { person: Person }) {
  const signingOut = usePersonCommand(signPersonOut);
  const reason = otherAdminReason(person);
  const text =
    person.open_sessions === 0
      ? 'None is open on this account. Ends those on other accounts at once.'
      : 'Ends their sessions at once, on all accounts.';
  return (
    <Command text={reason ?? text}>
      <CommandButton
        mutation={signingOut}
        busy="Signing out"
        onPress={() => signingOut.mutate(person.id)}
        {...(reason !== undefined && { disabledReason: reason, reasonHidden: true })}
      >
        Sign out everywhere
      </CommandButton>
    </Command>
  );
}

function NewInvite({ person, invite }: { person: Person; invite: Invite }) {
  const text =
    person.state === 'invited' || person.state === 'joined'
      ? 'A new link. The one before, and what was made with it, stops working.'
      : 'For somebody who lost their way to sign in. It stops working once you enter their new code.';
  const reason = otherAdminReason(person);
  return (
    <Command text={reason ?? text}>
      <PasskeyButton
        mutation={invite}
        onPress={() => invite.mutate(person.id)}
        {...(reason !== undefined && { disabledReason: reason, reasonHidden: true })}
      >
        New invite
      </PasskeyButton>
    </Command>
  );
}

function RevokeInvite({ person }: { person: Person }) {
  const revoking = usePersonCommand(revokeInvite);
  return (
    <Command text="The link stops working at once.">
      <CommandButton mutation={revoking} busy="Revoking" onPress={() => revoking.mutate(person.id)}>
        Revoke invite
      </CommandButton>
    </Command>
  );
}

/** Asks for confirmation in place, because blocking needs no passkey that would ask. */
function Block({ person }: { person: Person }) {
  const blocking = usePersonCommand(blockPerson);
  const [isAsking, setAsking] = useState(false);
  const text = 'Ends all their sessions, and their roles on this account until an admin gives them roles again.';
  if (!isAsking)
    return (
      <Command text={text}>
        <Button onClick={() => setAsking(true)}>Block…</Button>
      </Command>
    );
  return (
    <Command text={text}>
      <div className="acts-row items-start">
        <CommandButton mutation={blocking} busy="Blocking" variant="danger" onPress={() => blocking.mutate(person.id)}>
          Block {revealHidden(person.name)}
        </CommandButton>
        <Button variant="quiet" onClick={() => setAsking(false)}>
          Don’t block
        </Button>
      </div>
    </Command>
  );
}

/** A button with an explanation beside it. */
function Command({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[11rem_minmax(0,1fr)] items-start gap-x-4 gap-y-1 narrow:grid-cols-1">
      <div>{children}</div>
      <p className="small sub pt-1.5 narrow:pt-0">{text}</p>
    </div>
  );
}
