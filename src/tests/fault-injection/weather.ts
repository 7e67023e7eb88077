import { damage } from './database.ts';
import { elsewhere } from './elsewhere.ts';
import { askAfter, closePage, openPage, refresh } from './pages.ts';
import type { SimulatedPage, Scene } from './scene.ts';
import { signInPage, signOutPage } from './session.ts';
import { strangeRequests } from './strangeRequests.ts';
import { serverWeather } from './serverWeather.ts';

const MOST_PAGES = 3;
/** Factor by which faults are more frequent at critical moments. */
const HASTE = 4;

/** Faults around a person: of the page, the browser, the servers, the database, the key and the account. */
export function weather(scene: Scene, page: SimulatedPage): { weight: number; make: () => void }[] {
  const { random, accounts, agenda } = scene;
  const { profile } = page;
  const haste = isUnderWay(scene) ? HASTE : 1;
  return [
    { weight: 0.15 * haste, make: () => reload(scene, page) },
    {
      weight: 0.15 * haste,
      make: () =>
        agenda.after(random.whole(0, 20_000), () => {
          scene.count('pagesClosed');
          closePage(page);
        }),
    },
    {
      weight: profile.pages.length < MOST_PAGES ? 0.25 : 0,
      make: () => {
        scene.count('pages');
        void refresh(scene, openPage(scene, profile));
      },
    },
    { weight: 0.15, make: () => void refresh(scene, page) },
    {
      weight: 0.04 * haste,
      make: () => {
        const ms = random.chance(0.4) ? random.whole(5_000, 120_000) : random.whole(1, 30) * 3_600_000;
        scene.count('browsersAsleep');
        for (const open of profile.pages) open.machine.awakeAt = agenda.now() + ms;
      },
    },
    {
      weight: profile.offline ? 2 : 0.06,
      make: () => {
        profile.offline = !profile.offline;
      },
    },
    ...serverWeather(scene, haste),
    { weight: 0.08, make: () => signOutPage(scene, page) },
    {
      weight: 0.12,
      make: () => {
        const other = accounts.find((account) => account !== page.account);
        if (other === undefined) return;
        scene.count('accountsSwitched');
        signInPage(scene, page, other);
      },
    },
    {
      weight: accounts.some(({ revoked }) => revoked) ? 0.6 : 0.08,
      make: () => {
        const account = accounts.find(({ revoked }) => revoked) ?? random.pick(accounts);
        account.revoked = !account.revoked;
        if (account.revoked) scene.count('keysRevoked');
        scene.tell?.(`the key of ${account.name} is ${account.revoked ? 'revoked' : 'valid again'}`);
      },
    },
    { weight: scene.setsBack ? 0 : 0.03, make: () => agenda.after(0, () => damage(scene)) },
    { weight: scene.lostStorage ? 0.6 : 0, make: () => wipe(scene, page) },
    ...elsewhere(scene),
    ...strangeRequests(scene, page),
  ];
}

function reload(scene: Scene, page: SimulatedPage): void {
  scene.count('reloads');
  const { profile, starts } = page;
  closePage(page);
  const again = openPage(scene, profile);
  // The URL contains the key of the start; the reload sends nothing.
  const key = [...starts.values()].find(({ conclusion }) => conclusion === null)?.key;
  void (key === undefined ? refresh(scene, again) : askAfter(scene, again, key));
}

/** The browser loses its storage; the person signs in again and continues. */
function wipe(scene: Scene, { profile, account }: SimulatedPage): void {
  scene.count('profilesWiped');
  scene.tell?.(`${profile.name} loses everything that it kept`);
  for (const page of [...profile.pages]) closePage(page);
  profile.cookie = null;
  const page = openPage(scene, profile);
  if (account === null) return;
  signInPage(scene, page, account);
  void refresh(scene, page);
}

/** Whether an attempt is running, about to start automatically, or requested by a page. */
export function isUnderWay({ database, profiles }: Scene): boolean {
  for (const { state, retryAt } of database.records.values())
    if (state === 'sending' || retryAt !== undefined) return true;
  if ([...database.batches.values()].some(({ state }) => state === 'running')) return true;
  return profiles.some(({ pages }) =>
    pages.some(({ starts }) => [...starts.values()].some(({ conclusion }) => conclusion === null)),
  );
}
