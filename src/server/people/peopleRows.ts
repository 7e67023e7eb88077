import type { Param, Queries } from '#src/server/database/sql.ts';
import { withView, PERMISSIONS, type Permission } from '#src/shared/permissions.ts';

// Rows of the people tables as read, with times as text: a bigint in milliseconds. `seal` covers the columns named in
// `columnsToSeal`; a row whose seal fails doesn't exist.

export type PersonRow = {
  id: string;
  service: string;
  name: string;
  created_at: string;
  /** Their identity at the provider, with SIGN_IN=oidc. */
  issuer: string | null;
  subject: string | null;
  /** Where notices go; null: nowhere. */
  email: string | null;
  seal: string;
};

export type GrantRow = {
  id: string;
  person: string;
  account: string;
  permission: string;
  granted_by: string | null;
  /** WAITS_FOR_ADMIN until another admin confirms it. */
  counts_from: string;
  ended_at: string | null;
  ended_by: string | null;
  /** The other admin who confirmed it; null where none had to. */
  confirmed_by: string | null;
  /** When the wait began; null if it counted at once. */
  waits_since: string | null;
  /** When somebody was told who could refuse it, or it was found that nobody could; null until then. */
  told_at: string | null;
  seal: string;
};

/** `told_at` of a role that was given before this was recorded. Its seal doesn't cover the column. */
export const TOLD_UNRECORDED = '0';

export type PasskeyRow = {
  id: string;
  person: string;
  public_key: string;
  rp_id: string;
  parent: string | null;
  counts_from: string;
  created_at: string;
  ended_at: string | null;
  used_at: string | null;
  seal: string;
};

export type InviteRow = {
  token_sha256: string;
  person: string;
  account: string;
  /** Null: made on the server's console. */
  invited_by: string | null;
  /** JSON; empty for somebody who lost their passkeys and keeps their permissions. */
  permissions: string;
  created_at: string;
  expires_at: string;
  used_at: string | null;
  passkey: string | null;
  /** The identity that used it, with SIGN_IN=oidc. */
  issuer: string | null;
  subject: string | null;
  /** Six digits; null before the invite is used, and if it counted at once. */
  code: string | null;
  /** Wrong codes typed. */
  tries: number;
  /** When it was confirmed, revoked, replaced, or ended by too many wrong codes. */
  ended_at: string | null;
  seal: string;
};

/** An API key of an account. */
export type CredentialRow = {
  service: string;
  credential: string;
  account: string;
  since: string;
  seal: string;
};

/** A version of an account's approval policy. */
export type PolicyRow = {
  service: string;
  account: string;
  /** Counts up from 1. */
  number: number;
  /** JSON of a Policy. */
  body: string;
  /** Null for the sandbox's first policy. */
  proposed_by: string | null;
  proposed_at: string;
  /** The other admin who confirmed it; null where none had to. */
  confirmed_by: string | null;
  /** WAITS_FOR_ADMIN until another admin confirms it. */
  counts_from: string;
  /** When it was vetoed, or replaced before it counted. */
  ended_at: string | null;
  ended_by: string | null;
  seal: string;
};

/** A person's decision about a recipient: confirmed, or blocked so that nothing is sent to it. */
export type RecipientRow = {
  id: string;
  service: string;
  account: string;
  /** addressKey of its address; also the recipient's id in the team's list. */
  address_key: string;
  chain: string;
  address: string;
  name: string;
  /** The person who gave it this name; null if unknown. */
  proposed_by: string | null;
  /** The person who confirmed or blocked it. */
  decided_by: string;
  decided_at: string;
  blocked: boolean;
  /** Why it is blocked. */
  reason: string | null;
  /** A confirmed recipient still counts as unlisted until this time. */
  counts_from: string;
  /** Whether another name of this address, or another address of this name, was confirmed before. */
  changed: boolean;
  /** When a later decision replaced it. */
  ended_at: string | null;
  seal: string;
};

export const RECIPIENT_COLUMNS = `id, service, account, address_key, chain, address, name, proposed_by, decided_by,
  decided_at::text, blocked, reason, counts_from::text, changed, ended_at::text, seal`;
export const POLICY_COLUMNS = `service, account, number, body, proposed_by, proposed_at::text, confirmed_by, counts_from::text,
  ended_at::text, ended_by, seal`;
export const CREDENTIAL_COLUMNS = 'service, credential, account, since::text, seal';
export const PERSON_COLUMNS = 'id, service, name, created_at::text, issuer, subject, email, seal';
export const GRANT_COLUMNS =
  'id, person, account, permission, granted_by, counts_from::text, ended_at::text, ended_by, confirmed_by, waits_since::text, told_at::text, seal';
export const PASSKEY_COLUMNS =
  'id, person, public_key, rp_id, parent, counts_from::text, created_at::text, ended_at::text, used_at::text, seal';
export const INVITE_COLUMNS = `token_sha256, person, account, invited_by, permissions, created_at::text, expires_at::text,
  used_at::text, passkey, issuer, subject, code, tries, ended_at::text, seal`;

/** Rows without an identity keep the seal from before identities existed. */
function identityColumns({ issuer, subject }: { issuer: string | null; subject: string | null }): string[] {
  return issuer === null || subject === null ? [] : [issuer, subject];
}

/** Rows without an e-mail address keep the seal from before addresses existed. */
function personColumns({ issuer, subject, email }: Pick<PersonRow, 'issuer' | 'subject' | 'email'>): string[] {
  return email === null ? identityColumns({ issuer, subject }) : [issuer ?? '', subject ?? '', email];
}

/** Rows that neither waited nor were confirmed keep the seal from before confirmations existed. */
function confirmationColumns({
  waits_since: since,
  confirmed_by: by,
  told_at: told,
}: Omit<GrantRow, 'seal'>): string[] {
  if (since === null && by === null) return [];
  // A role that waits has a third value even if nobody was told, so that nobody can set told_at to TOLD_UNRECORDED.
  return [since ?? '', by ?? '', ...(since === null || told === TOLD_UNRECORDED ? [] : [told ?? ''])];
}

/** The values that a row's seal covers, starting with the table's name. */
export const columnsToSeal = {
  person: (row: Omit<PersonRow, 'seal'>) => [
    'people.people',
    row.id,
    row.service,
    row.name,
    row.created_at,
    ...personColumns(row),
  ],
  grant: (row: Omit<GrantRow, 'seal'>) => [
    'people.grants',
    row.id,
    row.person,
    row.account,
    row.permission,
    row.granted_by ?? '',
    row.counts_from,
    row.ended_at ?? '',
    row.ended_by ?? '',
    ...confirmationColumns(row),
  ],
  passkey: (row: Omit<PasskeyRow, 'seal' | 'used_at'>) => [
    'people.passkeys',
    row.id,
    row.person,
    row.public_key,
    row.rp_id,
    row.parent ?? '',
    row.counts_from,
    row.created_at,
    row.ended_at ?? '',
  ],
  policy: (row: Omit<PolicyRow, 'seal'>) => [
    'people.policies',
    row.service,
    row.account,
    row.number,
    row.body,
    row.proposed_by ?? '',
    row.proposed_at,
    row.confirmed_by ?? '',
    row.counts_from,
    row.ended_at ?? '',
    row.ended_by ?? '',
  ],
  recipient: (row: Omit<RecipientRow, 'seal'>) => [
    'people.recipients',
    row.id,
    row.service,
    row.account,
    row.address_key,
    row.chain,
    row.address,
    row.name,
    row.proposed_by ?? '',
    row.decided_by,
    row.decided_at,
    String(row.blocked),
    row.reason ?? '',
    row.counts_from,
    String(row.changed),
    row.ended_at ?? '',
  ],
  credential: (row: Omit<CredentialRow, 'seal'>) => [
    'people.credentials',
    row.service,
    row.credential,
    row.account,
    row.since,
  ],
  invite: (row: Omit<InviteRow, 'seal'>) => [
    'people.invites',
    row.token_sha256,
    row.person,
    row.account,
    row.invited_by ?? '',
    row.permissions,
    row.created_at,
    row.expires_at,
    row.used_at ?? '',
    row.passkey ?? '',
    row.code ?? '',
    row.tries,
    row.ended_at ?? '',
    ...identityColumns(row),
  ],
};

export async function insertRow(tx: Queries, table: string, row: Record<string, Param>): Promise<void> {
  const columns = Object.keys(row);
  const places = columns.map((_, at) => `$${at + 1}`);
  await tx.query(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row));
}

export function secondsOf(milliseconds: string): number {
  return Math.floor(Number(milliseconds) / 1000);
}

export function permissionsText(permissions: readonly Permission[]): string {
  return JSON.stringify(withView(permissions));
}

export function permissionsIn(text: string): Permission[] {
  const listed: unknown = JSON.parse(text);
  return PERMISSIONS.filter((permission) => Array.isArray(listed) && listed.includes(permission));
}
