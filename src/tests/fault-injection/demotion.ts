import { rightsInKeyMode, type SessionRights } from '#src/server/people/actor.ts';
import type { Scene, SessionCookie } from './scene.ts';

/** An admin takes away the right to send: the open pages don't know. A new sign-in gives it back. */
export function demote(scene: Scene, cookie: SessionCookie | null): void {
  if (cookie === null || scene.demotedSessions.has(cookie.session)) return;
  scene.demotedSessions.set(cookie.session, scene.agenda.now());
  scene.count('demotions');
  scene.tell?.(`whoever has ${cookie.session} may only view from now on`);
}

/** The rights that a write's transaction reads for an open session; null if it has ended. */
export function sessionRightsOf({ endedSessions, demotedSessions }: Scene, session: string): SessionRights | null {
  if (endedSessions.has(session)) return null;
  const rights = rightsInKeyMode({ journalOnly: false });
  return demotedSessions.has(session) ? { ...rights, permissions: ['view'] } : rights;
}
