import { ask } from './hop.ts';
import { learn, look } from './pages.ts';
import { type Page, type Scene, pageMono, recordsOf } from './scene.ts';

type Move = { weight: number; make: () => void };

/** What no page of this product asks for by itself: a colleague's link, a script, a bug. */
export function strangeRequests(scene: Scene, page: Page): Move[] {
  const isOthers = recordsOf(scene).some(({ account }) => account !== page.account?.name);
  return [
    { weight: isOthers ? 0.15 : 0, make: () => void followLink(scene, page) },
    { weight: scene.setsBack || page.shown.size === 0 ? 0 : 0.08, make: () => void reuseKey(scene, page) },
  ];
}

/** The address of an operation of another account. */
async function followLink(scene: Scene, page: Page): Promise<void> {
  const { random } = scene;
  const { key } = random.pick(recordsOf(scene).filter(({ account }) => account !== page.account?.name));
  scene.count('linksPassedOn');
  await look(scene, page, key);
  if (random.chance(0.3)) learn(scene, page, await ask(scene, page, { method: 'DELETE', path: `/${key}` }));
}

/** Something else under a key that is recorded; nobody pressed Send for it. */
async function reuseKey(scene: Scene, page: Page): Promise<void> {
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
