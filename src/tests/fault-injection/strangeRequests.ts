import { ask } from './hop.ts';
import { closePage, learn, look, openPage } from './pages.ts';
import { type SimulatedPage, type Scene, pageMono, recordsOf } from './scene.ts';

type Move = { weight: number; make: () => void };

/** Requests that no page makes by itself: from a colleague's link, a script, a bug. */
export function strangeRequests(scene: Scene, page: SimulatedPage): Move[] {
  const isOthers = recordsOf(scene).some(({ account }) => account !== page.account?.name);
  return [
    { weight: isOthers ? 0.15 : 0, make: () => void followLink(scene, page) },
    { weight: scene.setsBack || page.shown.size === 0 ? 0 : 0.08, make: () => void reuseKey(scene, page) },
    { weight: scene.stolenCookie === null ? 0 : 0.1, make: () => useStolenCookie(scene, page) },
    { weight: page.shown.size === 0 ? 0 : scene.worlds.foreignPages ? 2 : 0.05, make: () => sendLater(scene, page) },
  ];
}

/** Opens the URL of another account's operation. */
async function followLink(scene: Scene, page: SimulatedPage): Promise<void> {
  const { random } = scene;
  const { key } = random.pick(recordsOf(scene).filter(({ account }) => account !== page.account?.name));
  scene.count('linksPassedOn');
  await look(scene, page, key);
  if (random.chance(0.3)) learn(scene, page, await ask(scene, page, { method: 'DELETE', path: `/${key}` }));
}

/** Another body under a recorded key, without a press of Send. */
async function reuseKey(scene: Scene, page: SimulatedPage): Promise<void> {
  const { random, agenda, intents } = scene;
  const [key, shown] = random.pick([...page.shown]);
  const request = random.pick(intents).request();
  if (request.body === shown.view.operation.body) return;
  scene.count('keysReused');
  const notAfter = shown.view.databaseNow + (pageMono(scene) - shown.mono) + 60_000;
  agenda.stir();
  const body = { ...request, second_send_of: [], not_after: notAfter };
  learn(scene, page, await ask(scene, page, { method: 'PUT', path: `/${key}`, body }));
}

/** With the cookie of a session that was signed out, somebody acts on what they see in another browser. */
function useStolenCookie(scene: Scene, { profile, shown }: SimulatedPage): void {
  const { random, agenda, intents, stolenCookie } = scene;
  if (stolenCookie === null) return;
  scene.count('stolenCookies');
  const thief = { ...profile, name: 'a thief', pages: [], cookie: { ...stolenCookie }, offline: false };
  const page = openPage(scene, thief);
  const own = intents.filter(({ account }) => account === stolenCookie.account);
  const [shownOperation] = shown.values();
  // Any time of the database's clock that the thief could have seen.
  const databaseNow =
    shownOperation === undefined
      ? agenda.now()
      : shownOperation.view.databaseNow + (pageMono(scene) - shownOperation.mono);
  const body = {
    ...random.pick(own.length > 0 ? own : intents).request(),
    second_send_of: [],
    not_after: databaseNow + 60_000,
  };
  void ask(scene, page, { method: 'PUT', path: `/${scene.name('stolen-')}`, body }).then(() => closePage(page));
}

/** A script's send request whose limit is hours ahead, and which arrives long after it was made. */
function sendLater(scene: Scene, page: SimulatedPage): void {
  const { random, agenda } = scene;
  const open = [...page.shown].filter(([, { view }]) =>
    view.allowed.some((action) => action === 'send' || action === 'resend'),
  );
  if (open.length === 0) return;
  const [key, { view, mono }] = random.pick(open);
  scene.count('limitsTooFarAhead');
  const notAfter = view.databaseNow + (pageMono(scene) - mono) + random.whole(2, 20) * 3_600_000;
  const body = { revision: view.operation.revision, not_after: notAfter };
  const late = random.whole(6, 40) * 60_000;
  const due = agenda.now() + late;
  const send = (): void => {
    // Not on a machine that slept for hours: by then the limit may be near, and the request valid.
    if (agenda.now() - due < 60_000) void ask(scene, page, { method: 'POST', path: `/${key}/send`, body });
  };
  agenda.after(late, send, page.machine);
}
