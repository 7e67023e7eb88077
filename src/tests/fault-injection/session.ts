import { leave } from './pages.ts';
import type { SessionCookie, SimulatedAccount, SimulatedPage, Scene } from './scene.ts';

// Sign-in and sign-out, and their effect on the pages of a browser profile.

/** With a revoked key, an account that is in the journal gets a session that can view and close. */
export function signInPage(scene: Scene, page: SimulatedPage, account: SimulatedAccount): void {
  const { profile } = page;
  const isKnown = [...scene.database.records.values()].some((record) => record.account === account.name);
  if (account.revoked && !isKnown) return;
  if (account.revoked) scene.count('journalOnlySessions');
  endSession(scene, profile.cookie);
  profile.cookie = newCookie(scene, account, account.revoked, profile.cookie?.mark);
  scene.tell?.(`${page.name} signs in to ${account.name}`);
  leave(page);
  tellPages(scene, page);
}

export function signOutPage(scene: Scene, page: SimulatedPage): void {
  endSession(scene, page.profile.cookie);
  page.profile.cookie = null;
  scene.count('signOuts');
  scene.tell?.(`${page.name} signs out`);
  leave(page);
  tellPages(scene, page);
}

export function newCookie(
  scene: Scene,
  account: SimulatedAccount,
  journalOnly = false,
  mark: string | null = null,
): SessionCookie {
  return { session: scene.name('session '), account, journalOnly, mark };
}

/** Some cookies are copied before, as by malware on a shared machine. */
function endSession(scene: Scene, cookie: SessionCookie | null): void {
  if (cookie === null) return;
  scene.endedSessions.set(cookie.session, scene.agenda.now());
  if (!cookie.journalOnly) scene.stolenCookie = { ...cookie };
}

/** Most pages are notified immediately, some notice at their next request. */
function tellPages(scene: Scene, from: SimulatedPage): void {
  for (const page of from.profile.pages) {
    if (page !== from && scene.random.chance(0.7)) leave(page);
  }
}
