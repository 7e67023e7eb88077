import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Person, WaitingRole } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { ROLES } from '#src/shared/permissions.ts';
import { capital, listInWords, revealHidden } from '#src/shared/text.ts';
import { confirmRole, peopleQuery, refuseRole, usePersonCommand } from '#src/web/api/people.ts';
import { useCan, useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton, PasskeyButton } from '#src/web/list/CommandButton.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface WaitingRoleOf {
  person: Pick<Person, 'id' | 'name'>;
  role: WaitingRole;
}

/** At the top of the page People: roles that an admin gave but that don't count yet. */
export function WaitingRoleNotices() {
  const waiting = useWaitingRoles();
  if (waiting.length === 0) return null;
  return (
    <section className="grid gap-3 px-gutter py-3" aria-label="Waiting roles">
      {waiting.map((one) => (
        <WaitingRoleNotice key={one.role.id} {...one} />
      ))}
    </section>
  );
}

function useWaitingRoles(enabled = true): WaitingRoleOf[] {
  const { account } = useSession();
  const { data } = useQuery({ ...peopleQuery(account), enabled });
  return (data?.people ?? []).flatMap((person) => person.waiting.map((role) => ({ person, role })));
}

function WaitingRoleNotice({ person, role }: WaitingRoleOf) {
  const { person: self } = useSession();
  const refusal = useRefusal('manage-people');
  const mayRefuse = useRefusal('veto-roles');
  const confirming = usePersonCommand(confirmRole);
  const refusing = usePersonCommand(refuseRole);
  const { id, permission, given_by: by, given_at: at } = role;
  const name = revealHidden(person.name);
  const confirm = async () => {
    const isDone = await confirming.mutateAsync({ id, person: person.id, permission }).catch(() => null);
    if (isDone) announce(`${name} is ${roleName(role)} now`);
  };
  const refuse = async () => {
    if (await refusing.mutateAsync(id).catch(() => null)) announce('Refused');
  };
  return (
    <Notice tone="open" title={`${name} is to become ${roleName(role)}.`}>
      <p>
        {by && (
          <>
            <UntrustedText value={by.name} /> gave this role <Time unix={at} age />.{' '}
          </>
        )}
        <Waits role={role} />
      </p>
      <div className="acts-row items-start pt-2">
        <PasskeyButton
          mutation={confirming}
          variant="primary"
          aria-label={`Confirm ${name} as ${ROLES[permission]}`}
          disabledReason={confirmReason({ person, role }, { refusal, self: self?.id })}
          onPress={() => void confirm()}
        >
          Confirm…
        </PasskeyButton>
        <CommandButton
          mutation={refusing}
          busy="Refusing"
          aria-label={`Refuse ${name} as ${ROLES[permission]}`}
          disabledReason={mayRefuse}
          onPress={() => void refuse()}
        >
          Refuse
        </CommandButton>
      </div>
    </Notice>
  );
}

/** Why the reader can't confirm the role; undefined if they can. One of its confirmers can without being an admin. */
export function confirmReason(
  { person, role }: WaitingRoleOf,
  { refusal, self }: { refusal: string | undefined; self: string | undefined },
): string | undefined {
  if (role.confirmers.some((one) => one.person === self)) return undefined;
  if (refusal !== undefined) return refusal;
  if (role.given_by?.person === self) return 'You gave this role, so another admin has to confirm it.';
  return person.id === self ? 'Nobody confirms their own role.' : undefined;
}

const nameOf = ({ name }: WaitingRole['confirmers'][number]) => revealHidden(name);

function Waits({ role: { counts_from: from, is_told: isTold, confirmers } }: { role: WaitingRole }) {
  if (from !== null && !isTold)
    return (
      <>
        No approver or other admin has seen it on Home or got a notice of it yet. It counts a day after one has, and
        from <Time unix={from} /> on at the earliest, unless one of them refuses it before.
      </>
    );
  if (from !== null)
    return (
      <>
        It counts from <Time unix={from} /> on, unless an approver or an admin refuses it before.
        {confirmers.length > 0 && ` ${listInWords(confirmers.map(nameOf))} can confirm it now.`}
      </>
    );
  if (confirmers.length === 0)
    return 'Another admin has to confirm it, but there is none who can sign in now. Save the roles again: then it counts after some days.';
  return `It doesn’t count until another admin confirms it: ${listInWords(confirmers.map(nameOf))}.`;
}

/** The person's roles that don't count yet, one per line. */
export function WaitingRoleLines({ waiting }: Pick<Person, 'waiting'>) {
  return waiting.map(({ id, permission, counts_from: from, is_told: isTold }) => (
    <span key={id} className="small sub block font-normal whitespace-normal">
      {capital(ROLES[permission])}:{' '}
      {from === null ? (
        'waits for another admin'
      ) : (
        <>
          counts from <Time unix={from} />{' '}
          {!isTold && 'at the earliest, a day after an approver or admin has seen it on Home, '}
          unless somebody refuses it
        </>
      )}
    </span>
  ));
}

/** On Home: waiting roles, for people who can confirm or refuse them. */
export function RolesToDecide() {
  const canRefuse = useCan('veto-roles');
  const { person: self } = useSession();
  const waiting = useWaitingRoles(self !== null && canRefuse);
  const [first] = waiting;
  if (!canRefuse || first === undefined) return null;
  const title =
    waiting.length === 1
      ? `${revealHidden(first.person.name)} is to become ${roleName(first.role)}.`
      : `${waiting.length} roles wait to be confirmed.`;
  return (
    <div className="px-gutter py-3">
      <Notice tone="open" title={title}>
        If you don’t expect this, refuse it on <Link to={paths.people}>People</Link>.
      </Notice>
    </div>
  );
}

/** "an approver" */
function roleName({ permission }: WaitingRole): string {
  const role = ROLES[permission];
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
