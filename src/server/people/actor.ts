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
  rights: Rights & SignInAge;
}

/** `isOldSignIn`: the person signed in too long ago to approve payments. */
interface SignInAge {
  isOldSignIn?: boolean;
}

/** The rights of an open session, without the server's READ_ONLY setting. */
export type SessionRights = Omit<Rights, 'readOnly'> & SignInAge;

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

export const OLD_SIGN_IN = 'You signed in more than 4 hours ago. Sign in again to approve. Nothing was approved.';

/** An approval of somebody who signed in too long ago: nothing was changed. */
export class SignInTooOld extends NotPermitted {
  override name = 'SignInTooOld';
}

/**
 * Call it in the transaction of a write, with what that transaction read of the actor's session. Throws SessionEnded or
 * NotPermitted.
 */
export function requireRight(actor: Actor, ability: Ability, session: SessionRights | null): void {
  if (session === null) throw new SessionEnded('The session has ended, so nothing was changed.');
  const refusal = refusalOf(ability, { ...session, readOnly: actor.rights.readOnly });
  if (refusal !== null) throw new NotPermitted(`${refusal.message} Nothing was changed.`);
  // The session by the database's clock, the request by the server's as well.
  if (ability === 'approve' && (session.isOldSignIn || actor.rights.isOldSignIn)) throw new SignInTooOld(OLD_SIGN_IN);
}
