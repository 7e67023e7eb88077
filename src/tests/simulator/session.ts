import type { Attempt, Call } from '#src/api/http.ts';
import { readEnvelope } from '#src/lib/answers.ts';
import { type Account, type Scene, type Tab, aliveTabs } from './scene.ts';

// What api/session.ts does to the pages of one profile, as far as operations can tell.

export function signIn(scene: Scene, tab: Tab, account: Account): void {
  if (account.revoked) return;
  scene.browser.cookie = account;
  scene.tell?.(`${tab.name} signs in to ${account.session.account}`);
  take(tab, account);
  tellTabs(scene, tab);
}

export function signOut(scene: Scene, tab: Tab): void {
  scene.browser.cookie = null;
  scene.count('signOuts');
  scene.tell?.(`${tab.name} signs out`);
  take(tab, null);
  tellTabs(scene, tab);
}

/** What a page takes from an answer about its session. */
export function learn(scene: Scene, tab: Tab, { account }: Call, heard: Attempt): void {
  if (heard.kind !== 'answer' || tab.session === null || account !== tab.session.account) return;
  if (heard.gatewayError === 'account') take(tab, scene.browser.cookie);
  const isRevoked =
    heard.status === 401 && heard.gatewayError === null && readEnvelope(heard.text)?.code === 'authentication_error';
  if (heard.gatewayError === 'session' || isRevoked) {
    take(tab, null);
    tellTabs(scene, tab);
  }
}

function take(tab: Tab, account: Account | null): void {
  tab.session = account?.session ?? null;
  void tab.operations.refresh();
}

/** Most tabs hear of it at once, some by their own next request. */
function tellTabs(scene: Scene, from: Tab): void {
  for (const tab of aliveTabs(scene)) {
    if (tab !== from && scene.random.chance(0.7)) take(tab, scene.browser.cookie);
  }
}
