import type { Queries } from '#src/server/database/sql.ts';
import { type Ability, type Rights, KEY_SESSION_PERMISSIONS, refusalOf } from '#src/shared/permissions.ts';

/** The person or server behind a request. Every function that writes takes one and records it. */
export interface Actor {
  /** The account's id. */
  account: string;
  /** The session's id, with which a write reads the rights again in its own transaction; null if the server itself acts. */
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

/** Reads the rights of an open session, in a write's transaction; null once it has ended. */
export type ReadSessionRights = (transaction: Queries, id: string) => Promise<SessionRights | null>;

export function rightsInKeyMode({ journalOnly }: { journalOnly: boolean }): SessionRights {
  return { permissions: KEY_SESSION_PERMISSIONS, keyRefused: journalOnly, hasKey: true };
}

/** The session ended before the write could be made: nothing was changed. */
export class SessionEnded extends Error {
  override name = 'SessionEnded';
}

/** The person may not, or no longer, make this write: nothing was changed. */
export class NotPermitted extends Error {
  override name = 'NotPermitted';
}

export const OLD_SIGN_IN = 'You signed in more than 4 hours ago. Sign in again to approve. Nothing was approved.';

/** The approver signed in too long ago: nothing was changed. */
export class SignInTooOld extends NotPermitted {
  override name = 'SignInTooOld';
}

/**
 * Call it in a write's transaction, with the session's rights as read in that transaction. Throws SessionEnded or
 * NotPermitted.
 */
export function requireAbility(actor: Actor, ability: Ability, session: SessionRights | null): void {
  if (session === null) throw new SessionEnded('The session has ended, so nothing was changed.');
  const refusal = refusalOf(ability, { ...session, readOnly: actor.rights.readOnly });
  if (refusal !== null) throw new NotPermitted(`${refusal.message} Nothing was changed.`);
  // The sign-in must be young enough by the database's clock (`session`) and by the server's (`actor`).
  if (ability === 'approve' && (session.isOldSignIn || actor.rights.isOldSignIn)) throw new SignInTooOld(OLD_SIGN_IN);
}
