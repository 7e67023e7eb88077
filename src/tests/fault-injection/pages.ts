import { type OperationView, PRESS_HOLDS_MS, type StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { conclusionOf } from '#src/web/api/operations/recordOperation.ts';
import { ask, extrasOf, listIn, viewsIn } from './hop.ts';
import type { Conclusion, Form, Page, Profile, Scene, Start, Heard } from './scene.ts';
import { pageMono } from './scene.ts';
import { serviceOf } from './wire.ts';

/** A page asks again so much later; the last for as long as it is open. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 5_000] as const;

/** A simulated page that waits for long asks less often, to spare the simulation. */
const IDLE_MS = 10 * 60 * 1_000;

/** A page that loads; it holds nothing but what the server tells it. */
export function openPage(scene: Scene, profile: Profile): Page {
  const page: Page = {
    name: scene.name(`${profile.name}, page `),
    profile,
    machine: { alive: true, awakeAt: 0 },
    account: profile.cookie?.account ?? null,
    forms: [],
    starts: new Map(),
    shown: new Map(),
    unreadable: new Set(),
    isLoaded: false,
    mark: profile.cookie?.mark ?? null,
  };
  profile.pages.push(page);
  scene.tell?.(`${page.name} opens${page.account === null ? '' : ` as ${page.account.name}`}`);
  return page;
}

export function closePage(page: Page): void {
  page.machine.alive = false;
  page.profile.pages = page.profile.pages.filter((other) => other !== page);
}

/** The list of operations, as the page shows it from now on. */
export async function refresh(scene: Scene, page: Page): Promise<void> {
  if (page.account === null) return;
  page.isLoaded = true;
  const heard = await ask(scene, page, { method: 'GET', path: '', query: { limit: '100' } });
  if (heard.status !== 200 || !('data' in heard.body)) {
    learn(scene, page, heard);
    return;
  }
  const { unreadable } = listIn(heard.body);
  page.shown.clear();
  for (const view of viewsIn(heard)) keep(scene, page, view);
  page.unreadable = new Set(unreadable.filter(({ closed }) => closed === null).map(({ key }) => key));
}

/** Looks at one operation again, as its page does. */
export async function look(scene: Scene, page: Page, key: string): Promise<Heard> {
  const heard = await ask(scene, page, { method: 'GET', path: `/${key}` });
  learn(scene, page, heard);
  return heard;
}

/** Takes what an answer says of operations, and of the session. */
export function learn(scene: Scene, page: Page, heard: Heard): void {
  for (const view of viewsIn(heard)) keep(scene, page, view);
  if (heard.code === 'account_mismatch' || heard.code === 'no_session') leave(page);
}

/** Nobody goes on with another account's work: its forms and starts are dropped. */
export function leave(page: Page): void {
  page.account = page.profile.cookie?.account ?? null;
  page.isLoaded = false;
  page.forms = [];
  page.starts.clear();
  page.shown.clear();
  page.unreadable.clear();
}

function keep(scene: Scene, page: Page, view: OperationView): void {
  const { key, revision } = view.operation;
  const before = page.shown.get(key);
  if (before !== undefined && before.view.operation.revision > revision) return;
  page.shown.set(key, { view, mono: pageMono(scene) });
}

/** A press of Send: the request goes again and again, until the server has said what became of it. */
export function start(scene: Scene, page: Page, { intent, key, request, secondSendOf, reviewed }: Form): Start {
  const pressed = reviewed === null ? 0 : reviewed.now + (pageMono(scene) - reviewed.mono) + PRESS_HOLDS_MS;
  const notAfter = pressed + limitAhead(scene);
  const body: StartRequest = { ...request, second_send_of: [...secondSendOf], not_after: notAfter };
  const begun: Start = { intent, key, request: body, conclusion: null };
  if (page.starts.has(key)) return begun;
  page.starts.set(key, begun);
  scene.judge.pressed(key);
  void untilTold(scene, page, begun);
  if (scene.mutation.relaysPosts === true) void relay(scene, begun);
  return begun;
}

/** A page whose own clock is wrong, or a foreign script, lets a press hold for as long as it likes; milliseconds more. */
export function limitAhead({ random, heat, worlds, count }: Scene): number {
  if (heat === 0 || !worlds.foreignPages || !random.chance(0.6)) return 0;
  count('limitsTooFarAhead');
  return random.whole(10, 1_500) * 60_000;
}

/** What no page can do: a POST past the journal. */
async function relay(scene: Scene, { intent, key, request }: Start): Promise<void> {
  const [server] = scene.servers;
  if (server === undefined) return;
  const { apiKey } = intent.account.at;
  const connection = await serviceOf(scene, server).connect(apiKey);
  await connection.post({ path: request.path, body: request.body, key, attempt: scene.name('relayed ') });
}

async function untilTold(scene: Scene, page: Page, begun: Start): Promise<void> {
  const { key, request } = begun;
  for (let tried = 0; ; tried += 1) {
    const heard = await ask(scene, page, { method: 'PUT', path: `/${key}`, body: request });
    if (page.starts.get(key) !== begun || begun.conclusion !== null) return;
    conclude(scene, page, begun, heard);
    if (begun.conclusion !== null) return;
    const pause =
      page.profile.offline || tried > 20 ? IDLE_MS : (BACKOFF_MS[Math.min(tried, BACKOFF_MS.length - 1)] ?? 0);
    await new Promise<void>((resolve) =>
      scene.agenda.after(pause, () => (scene.agenda.stir(), resolve()), page.machine),
    );
    if (page.starts.get(key) !== begun || begun.conclusion !== null) return;
  }
}

function conclude(scene: Scene, page: Page, begun: Start, heard: Heard): void {
  const { key } = begun;
  begun.conclusion = scene.mutation.concludes?.(heard, key) ?? concluded(heard, key);
  if (begun.conclusion?.kind === 'not-sent') scene.judge.saysNotSent(key, page.name);
  if (begun.conclusion === null && begun.intent.account === page.account) return;
  learn(scene, page, heard);
}

/** The person takes it back: only a tombstone says that nothing was sent. */
export async function discardStart(scene: Scene, page: Page, begun: Start): Promise<void> {
  const { key } = begun;
  scene.tell?.(`${page.name} discards ${key}`);
  const heard = await ask(scene, page, { method: 'DELETE', path: `/${key}` });
  if (begun.conclusion !== null) return;
  const notSent = heard.status === 200 ? extrasOf(heard).not_sent : undefined;
  if (notSent !== undefined) {
    begun.conclusion = { kind: 'not-sent', notSent, lookAlikes: null };
    scene.judge.saysNotSent(key, page.name);
  } else if (viewsIn(heard).some(({ operation }) => operation.key === key)) {
    begun.conclusion = { kind: 'recorded' };
    learn(scene, page, heard);
  }
}

/** After a reload the page of a key asks the server; no record is no word, and the person may take it back. */
export async function askAfter(scene: Scene, page: Page, key: string): Promise<void> {
  const heard = await look(scene, page, key);
  if (heard.status !== 404) return;
  const discarded = await ask(scene, page, { method: 'DELETE', path: `/${key}` });
  learn(scene, page, discarded);
  if (discarded.status === 200 && extrasOf(discarded).not_sent !== undefined) scene.judge.saysNotSent(key, page.name);
}

/** What an answer to a PUT says for good, by the rules of the real pages; null: nothing, and the page asks again. */
function concluded({ status, body }: Heard, key: string): Conclusion | null {
  if (status === 0) return null;
  const said = conclusionOf(key, {
    kind: 'answer',
    status,
    requestId: null,
    date: null,
    replayed: false,
    retryAfter: null,
    contentType: 'application/json',
    text: JSON.stringify(body),
    complete: true,
    ms: 20,
    gatewayError: null,
  });
  if (said === null || said.kind === 'recorded' || said.kind === 'not-sent') return said;
  return { kind: 'other' };
}
