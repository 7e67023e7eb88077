import type { Queries } from '#src/server/database/sql.ts';
import { type Ability, type Rights, KEY_SESSION_PERMISSIONS, refusalOf } from '#src/shared/permissions.ts';

/** The person or server behind a request. Every function that writes takes one and records it. */
export interface Actor {
  /** The account's id. */
  account: string;
  /** The session's id, by which a write reads rights again in its own transaction; null for what the server does itself. */
  session: string | null;
  /** The name given at sign-in; unverified without `person`. */
  who: string | null;
  /** The id of the person who signed in as themselves; null in key mode. */
  person: string | null;
  rights: Rights;
}

/** The rights of an open session, without the server's READ_ONLY setting. */
export type SessionRights = Omit<Rights, 'readOnly'>;

/** Reads what an open session gives, in a write's transaction; null once it has ended. */
export type ReadSessionRights = (transaction: Queries, id: string) => Promise<SessionRights | null>;

export function rightsInKeyMode({ journalOnly }: { journalOnly: boolean }): SessionRights {
  return { permissions: KEY_SESSION_PERMISSIONS, keyRefused: journalOnly, hasKey: true };
}

/** A write of a session that has ended meanwhile: nothing was changed. */
export class SessionEnded extends Error {
  override name = 'SessionEnded';
}

/** A write of somebody who lost the right meanwhile: nothing was changed. */
export class NotPermitted extends Error {
  override name = 'NotPermitted';
}

/**
 * Call it in the transaction of a write, with what that transaction read of the actor's session. Throws SessionEnded or
 * NotPermitted.
 */
export function requireRight(actor: Actor, ability: Ability, session: SessionRights | null): void {
  if (session === null) throw new SessionEnded('The session has ended, so nothing was changed.');
  const refusal = refusalOf(ability, { ...session, readOnly: actor.rights.readOnly });
  if (refusal !== null) throw new NotPermitted(`${refusal.message} Nothing was changed.`);
}
