import { openTab } from './browser.ts';
import { deviceWeather } from './device.ts';
import { damage } from './disk.ts';
import { type Scene, type Tab, aliveTabs, kill } from './scene.ts';
import { signIn, signOut } from './session.ts';

const MOST_TABS = 3;
/** So much more often does it happen at the moments that matter. */
const HASTE = 4;

/** What happens around a person: to the page, the browser, the device, the key and the account. */
export function weather(scene: Scene, tab: Tab): { weight: number; make: () => void }[] {
  const { random, browser, accounts, agenda } = scene;
  const haste = isUnderWay(scene) ? HASTE : 1;
  return [
    {
      weight: 0.2 * haste,
      make: () => {
        scene.count('reloads');
        kill(scene, tab);
        openTab(scene);
      },
    },
    {
      weight: 0.2 * haste,
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
    ...deviceWeather(scene, haste),
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

/** An attempt is running, or one is about to start by itself. */
function isUnderWay({ browser }: Scene): boolean {
  return [...browser.disk.values()].some(({ state, retryAt }) => state === 'sending' || retryAt !== undefined);
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
