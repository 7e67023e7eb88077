import { randomBytes } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import { isCounting, type PasskeyRows } from './passkeyRows.ts';
import { columnsToSeal, INVITE_COLUMNS, insertRow, type InviteRow, secondsOf } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { tokenHash } from './secrets.ts';
import { NOW_MS } from './sessionAge.ts';

export interface NewInvite {
  person: string;
  /** The secret in the invite's link. Only its hash is stored. */
  token: string;
  /** Unix seconds. */
  expiresAt: number;
}

export type InviteFault = 'invite_used' | 'invite_ended' | 'invite_expired' | 'invite_unknown';

export type InviteRows = ReturnType<typeof createInviteRows>;

/** Reads and writes people.invites. */
export function createInviteRows(seals: Seals, { passkeysOf, endPasskey }: PasskeyRows) {
  const isInviteSealed = (row: InviteRow) => seals.isSealed(row.seal, ...columnsToSeal.invite(row));

  async function inviteOf(queries: Queries, token: string): Promise<InviteRow | InviteFault> {
    const [row] = await queries.query<InviteRow & { now: string }>(
      `select ${INVITE_COLUMNS}, ${NOW_MS}::text as now from people.invites where token_sha256 = $1`,
      [tokenHash(token)],
    );
    if (row === undefined || !isInviteSealed(row)) return 'invite_unknown';
    if (row.used_at !== null) return 'invite_used';
    if (row.ended_at !== null) return 'invite_ended';
    return Number(row.expires_at) <= Number(row.now) ? 'invite_expired' : row;
  }

  /** Invites that can still be used, or were used and wait for their code, newest first. */
  async function invitesOf(queries: Queries, person: string): Promise<InviteRow[]> {
    const rows = await queries.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 and ended_at is null order by created_at desc`,
      [person],
    );
    return rows.filter(isInviteSealed);
  }

  async function insertInvite(
    tx: Queries,
    invite: Pick<InviteRow, 'person' | 'account' | 'invited_by' | 'permissions'>,
    now: string,
    lifetime: number,
  ): Promise<NewInvite> {
    // A newer invite replaces the ones before.
    for (const before of await invitesOf(tx, invite.person)) await endInvite(tx, before, now);
    const token = randomBytes(32).toString('base64url');
    const expires = String(Number(now) + lifetime);
    const row: Omit<InviteRow, 'seal'> = {
      token_sha256: tokenHash(token),
      ...invite,
      created_at: now,
      expires_at: expires,
      used_at: null,
      passkey: null,
      issuer: null,
      subject: null,
      code: null,
      tries: 0,
      ended_at: null,
    };
    await insertRow(tx, 'people.invites', { ...row, seal: seals.sealOf(...columnsToSeal.invite(row)) });
    return { person: invite.person, token, expiresAt: secondsOf(expires) };
  }

  async function updateInvite(tx: Queries, row: InviteRow): Promise<void> {
    await tx.query(
      `update people.invites set used_at = $2, passkey = $3, issuer = $4, subject = $5, code = $6, tries = $7,
         ended_at = $8, seal = $9
       where token_sha256 = $1`,
      [
        row.token_sha256,
        row.used_at,
        row.passkey,
        row.issuer,
        row.subject,
        row.code,
        row.tries,
        row.ended_at,
        seals.sealOf(...columnsToSeal.invite(row)),
      ],
    );
  }

  /** Also ends the passkey that was made with the invite, if it doesn't count yet. */
  async function endInvite(tx: Queries, invite: InviteRow, now: string): Promise<void> {
    await updateInvite(tx, { ...invite, ended_at: now });
    for (const passkey of await passkeysOf(tx, invite.person))
      if (passkey.id === invite.passkey && !isCounting(passkey)) await endPasskey(tx, passkey, now);
  }

  async function endInvitesOf(
    tx: Queries,
    { person, account }: { person: string; account: string },
    now: string,
  ): Promise<number> {
    const invites = (await invitesOf(tx, person)).filter((invite) => invite.account === account);
    for (const invite of invites) await endInvite(tx, invite, now);
    return invites.length;
  }

  return { isInviteSealed, inviteOf, invitesOf, insertInvite, updateInvite, endInvite, endInvitesOf };
}
