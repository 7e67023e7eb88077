import { openTab } from './browser.ts';
import { damage } from './disk.ts';
import { type Scene, type Tab, aliveTabs, kill } from './scene.ts';
import { signIn, signOut } from './session.ts';

const HOUR_MS = 3_600_000;
const MOST_TABS = 3;

/** What happens around a person: to the page, the browser, the device, the key and the account. */
export function weather(scene: Scene, tab: Tab): { weight: number; make: () => void }[] {
  const { random, browser, accounts, agenda } = scene;
  return [
    {
      weight: 0.2,
      make: () => {
        scene.count('reloads');
        kill(scene, tab);
        openTab(scene);
      },
    },
    {
      weight: 0.2,
      make: () => {
        const dies = (): void => {
          if (!tab.alive) return;
          scene.count('crashesBetween');
          scene.tell?.(`${tab.name} dies`);
          kill(scene, tab);
        };
        agenda.after(random.whole(0, 20_000), dies, true);
      },
    },
    {
      weight: aliveTabs(scene).length < MOST_TABS ? 0.25 : 0,
      make: () => {
        scene.count('tabs');
        openTab(scene);
      },
    },
    {
      weight: 0.15,
      make: () => void tab.operations.refresh(),
    },
    {
      weight: 0.12,
      make: () => {
        scene.count('clockJumps');
        browser.skew += random.whole(-30 * HOUR_MS, 30 * HOUR_MS);
        scene.tell?.(`the device's clock jumps to ${Math.round(browser.skew / HOUR_MS)} h off`);
      },
    },
    {
      weight: 0.15,
      make: () => {
        const ms = random.chance(0.5) ? random.whole(5_000, 120_000) : random.whole(1, 26) * HOUR_MS;
        scene.count('sleeps');
        scene.tell?.(`the device sleeps for ${Math.round(ms / 1_000)} s`);
        agenda.sleep(ms);
        // On some devices the monotonic clock stands still meanwhile.
        if (random.chance(0.5)) browser.stood += ms;
      },
    },
    {
      weight: browser.offline ? 1 : 0.12,
      make: () => {
        browser.offline = !browser.offline;
        scene.tell?.(`the device goes ${browser.offline ? 'offline' : 'online'}`);
      },
    },
    { weight: 0.08, make: () => signOut(scene, tab) },
    {
      weight: 0.15,
      make: () => {
        const other = accounts.find(({ session }) => session !== tab.session);
        if (other === undefined) return;
        scene.count('accountsSwitched');
        signIn(scene, tab, other);
      },
    },
    {
      weight: accounts.some(({ revoked }) => revoked) ? 1 : 0.08,
      make: () => {
        const account = accounts.find(({ revoked }) => revoked) ?? random.pick(accounts);
        account.revoked = !account.revoked;
        if (account.revoked) scene.count('keysRevoked');
        scene.tell?.(`the key of ${account.session.account} is ${account.revoked ? 'revoked' : 'valid again'}`);
      },
    },
    { weight: 0.03, make: () => damage(scene) },
    {
      weight: scene.lostStorage ? 0.5 : 0,
      make: () => {
        scene.count('storageLost');
        scene.tell?.('the browser loses its records');
        browser.disk.clear();
        browser.broken.clear();
      },
    },
    { weight: 0.1, make: () => agenda.after(0, () => colleague(scene)) },
  ];
}

/** Somebody else, elsewhere, pays the same. */
async function colleague(scene: Scene): Promise<void> {
  const withdrawals = scene.intents.filter(({ kind }) => kind === 'withdrawal');
  if (withdrawals.length === 0) return;
  const { account, request } = scene.random.pick(withdrawals);
  const { path, body } = request('', []);
  const served = await scene.service.post(account.at.apiKey, path, scene.name('colleague '), body);
  if (served.status >= 300) return;
  scene.colleagues += 1;
  scene.count('colleagues');
  scene.tell?.('a colleague makes an identical withdrawal');
}
