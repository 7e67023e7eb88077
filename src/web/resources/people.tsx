import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import type { Person } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { rolesOf } from '#src/shared/permissions.ts';
import { capital, counted, revealHidden, searchForm } from '#src/shared/text.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { ownEmailQuery, peopleQuery } from '#src/web/api/people.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import { WaitingRoleLines } from './WaitingRoles.tsx';

const POLL_MS = 15_000;

/** Everyone who can use this account, or is invited to. */
export const people = {
  title: 'People',
  path: paths.people,
  noun: { one: 'person', many: 'people' },
  label: 'People',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  search: { hint: '(name or role)', find: findPeople },
  Empty: () => <EmptyState>No people yet.</EmptyState>,
  // Forms load when a person is opened.
  Dialog: lazy(() => import('./PersonDialog.tsx').then((module) => ({ default: module.PersonDialog }))),
} satisfies OwnList<Person>;

export function usePeopleRows({ open }: { open: (person: Person) => void }): OwnListRows<Person> {
  const { account, person: self } = useSession();
  const refusal = useRefusal('manage-people');
  const options = peopleQuery(account);
  const query = useQuery({ ...options, ...POLLED, refetchInterval: POLL_MS });
  const { data: mail } = useQuery(ownEmailQuery(account));
  const rows = query.data?.people;
  return {
    rows,
    query,
    isEmpty: rows?.length === 0,
    columns: columnsOf({ self: self?.id, refusal, showsEmail: mail?.isSent === true && refusal === undefined, open }),
    asOf: rows ? counted(rows.length, 'person', 'people') : '\u00a0',
    above: refusal !== undefined && (
      <div className="px-gutter py-3">
        <Notice tone="plain">{refusal}</Notice>
      </div>
    ),
  };
}

interface ColumnsProps {
  /** The id of the signed-in person. */
  self: string | undefined;
  refusal: string | undefined;
  /** The server sends notices by e-mail, and the signed-in person is an admin. */
  showsEmail: boolean;
  open: (person: Person) => void;
}

function columnsOf({ self, refusal, showsEmail, open }: ColumnsProps): DataColumn<Person>[] {
  return [
    {
      name: 'Name',
      isHead: true,
      className: 'min-w-36 whitespace-normal wrap-anywhere',
      cell: ({ id, name, email }) => (
        <>
          <UntrustedText value={name} max={120} />
          {id === self && <span className="small sub font-normal"> (you)</span>}
          {showsEmail && (
            <span className="small sub block font-normal">
              {email === null ? 'No e-mail address' : <UntrustedText value={email} max={254} />}
            </span>
          )}
        </>
      ),
    },
    {
      name: 'Roles',
      cell: ({ permissions, waiting }) => (
        <>
          <RoleChips permissions={permissions} />
          <WaitingRoleLines waiting={waiting} />
        </>
      ),
    },
    { name: 'State', cell: (person) => <StateCell person={person} /> },
    {
      name: 'Last seen',
      cell: ({ last_seen_at: at }) => (at === null ? <span className="dim">Never</span> : <Time unix={at} age />),
    },
    { name: 'Passkeys', className: 'num', cell: ({ passkeys }) => passkeys },
    { name: 'Open sessions', className: 'num', cell: ({ open_sessions: sessions }) => sessions },
    {
      name: 'Actions',
      head: <span className="vh">Actions</span>,
      cell: (person) => (
        <span className="acts-row flex-nowrap justify-end">
          <Button
            size="small"
            variant={person.waits_for_code && refusal === undefined ? 'primary' : 'plain'}
            disabledReason={refusal}
            reasonHidden
            aria-haspopup="dialog"
            aria-label={`${person.waits_for_code ? 'Enter code of' : 'Manage'} ${revealHidden(person.name)}`}
            onClick={() => open(person)}
          >
            {person.waits_for_code ? 'Enter code' : 'Manage'}
          </Button>
        </span>
      ),
    },
  ];
}

export function RoleChips({ permissions }: { permissions: readonly string[] }) {
  const roles = rolesOf(permissions);
  if (roles.length === 0) return <span className="dim">None</span>;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {roles.map((role) => (
        <span key={role} className="rounded-sm border border-rule-strong px-1.5 text-small/5">
          {capital(role)}
        </span>
      ))}
    </span>
  );
}

const STATES = {
  invited: { tone: 'plain', icon: 'dash', chip: 'Invited' },
  joined: { tone: 'open', icon: 'question', chip: 'Waiting for code' },
  active: { tone: 'plain', icon: 'check', chip: 'Active' },
  blocked: { tone: 'plain', icon: 'slash', chip: 'Blocked' },
} as const;

function StateCell({ person: { state, waits_for_code: waits, invite_expires_at: inviteEnds } }: { person: Person }) {
  return (
    <>
      <StateChip mark={STATES[state]} big={false} />
      {waits && state === 'active' && <span className="small sub block">Waiting for a code</span>}
      {inviteEnds !== null ? (
        <span className="small sub block">
          Link works until <Time unix={inviteEnds} />
        </span>
      ) : (
        state === 'invited' && <span className="small sub block">The invite has ended</span>
      )}
    </>
  );
}

function findPeople(all: readonly Person[], text: string): readonly Person[] {
  const words = searchForm(text).split(/\s+/).filter(Boolean);
  return all.filter(({ name, permissions }) => {
    const form = searchForm([name, ...rolesOf(permissions)].join(' '));
    return words.every((word) => form.includes(word));
  });
}
