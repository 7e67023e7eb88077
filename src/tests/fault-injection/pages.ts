import { type OperationView, PRESS_HOLDS_MS, type StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { conclusionOf } from '#src/web/api/operations/recordOperation.ts';
import { ask, extrasOf, operationListIn, viewsIn } from './hop.ts';
import type { SimulatedConclusion, Form, SimulatedPage, Profile, Scene, PageStart, PageReply } from './scene.ts';
import { pageMono } from './scene.ts';
import { serviceOf } from './wire.ts';

/** Delays before a page asks again; the last one repeats while the page is open. */
const BACKOFF_MS = [1_000, 2_000, 4_000, 5_000] as const;

/** A simulated page that has waited for long asks less often, to save computation. */
const IDLE_MS = 10 * 60 * 1_000;

/** Opens a page, which has no data but what the server returns. */
export function openPage(scene: Scene, profile: Profile): SimulatedPage {
  const page: SimulatedPage = {
    name: scene.name(`${profile.name}, page `),
    profile,
    machine: { alive: true, awakeAt: 0 },
    account: profile.cookie?.account ?? null,
    forms: [],
    starts: new Map(),
    batchForms: [],
    batches: new Map(),
    shown: new Map(),
    unreadable: new Set(),
    isLoaded: false,
    mark: profile.cookie?.mark ?? null,
  };
  profile.pages.push(page);
  scene.tell?.(`${page.name} opens${page.account === null ? '' : ` as ${page.account.name}`}`);
  return page;
}

export function closePage(page: SimulatedPage): void {
  page.machine.alive = false;
  page.profile.pages = page.profile.pages.filter((other) => other !== page);
}

/** Loads the list of operations into the page. */
export async function refresh(scene: Scene, page: SimulatedPage): Promise<void> {
  if (page.account === null) return;
  page.isLoaded = true;
  const reply = await ask(scene, page, { method: 'GET', path: '', query: { limit: '100' } });
  if (reply.status !== 200 || !('data' in reply.body)) {
    learn(scene, page, reply);
    return;
  }
  const { unreadable } = operationListIn(reply.body);
  page.shown.clear();
  for (const view of viewsIn(reply)) keep(scene, page, view);
  page.unreadable = new Set(unreadable.filter(({ closed }) => closed === null).map(({ key }) => key));
}

/** Loads one operation, as its page does. */
export async function look(scene: Scene, page: SimulatedPage, key: string): Promise<PageReply> {
  const reply = await ask(scene, page, { method: 'GET', path: `/${key}` });
  learn(scene, page, reply);
  return reply;
}

/** Updates the page from a response: operations and session. */
export function learn(scene: Scene, page: SimulatedPage, reply: PageReply): void {
  for (const view of viewsIn(reply)) keep(scene, page, view);
  if (reply.code === 'account_mismatch' || reply.code === 'no_session') leave(page);
}

/** Drops the page's forms and starts, since they belong to another account. */
export function leave(page: SimulatedPage): void {
  page.account = page.profile.cookie?.account ?? null;
  page.isLoaded = false;
  page.forms = [];
  page.starts.clear();
  page.batchForms = [];
  page.batches.clear();
  page.shown.clear();
  page.unreadable.clear();
}

function keep(scene: Scene, page: SimulatedPage, view: OperationView): void {
  const { key, revision } = view.operation;
  const before = page.shown.get(key);
  if (before !== undefined && before.view.operation.revision > revision) return;
  page.shown.set(key, { view, mono: pageMono(scene) });
}

/** A press of Send: repeats the request until the server reports the outcome. */
export function startOperationFrom(
  scene: Scene,
  page: SimulatedPage,
  { intent, key, request, secondSendOf, reviewed }: Form,
): PageStart {
  const pressed = reviewed === null ? 0 : reviewed.now + (pageMono(scene) - reviewed.mono) + PRESS_HOLDS_MS;
  const notAfter = pressed + limitAhead(scene);
  const body: StartRequest = { ...request, second_send_of: [...secondSendOf], not_after: notAfter };
  const begun: PageStart = { intent, key, request: body, conclusion: null };
  if (page.starts.has(key)) return begun;
  page.starts.set(key, begun);
  scene.judge.pressed(key);
  void untilTold(scene, page, begun);
  if (scene.mutation.relaysPosts === true) void relay(scene, begun);
  return begun;
}

/** How many ms longer a press is valid if the page's clock is wrong or a script sends the request. */
export function limitAhead({ random, faultRate, worlds, count }: Scene): number {
  if (faultRate === 0 || !worlds.foreignPages || !random.chance(0.6)) return 0;
  count('limitsTooFarAhead');
  return random.whole(10, 1_500) * 60_000;
}

/** A POST that bypasses the journal, which no real page can do. */
async function relay(scene: Scene, { intent, key, request }: PageStart): Promise<void> {
  const [server] = scene.servers;
  if (server === undefined) return;
  const { apiKey } = intent.account.at;
  const connection = await serviceOf(scene, server).connect(apiKey);
  await connection.post({ path: request.path, body: request.body, key, attempt: scene.name('relayed ') });
}

async function untilTold(scene: Scene, page: SimulatedPage, begun: PageStart): Promise<void> {
  const { key, request } = begun;
  for (let tried = 0; ; tried += 1) {
    const reply = await ask(scene, page, { method: 'PUT', path: `/${key}`, body: request });
    if (page.starts.get(key) !== begun || begun.conclusion !== null) return;
    conclude(scene, page, begun, reply);
    if (begun.conclusion !== null) return;
    const pause =
      page.profile.offline || tried > 20 ? IDLE_MS : (BACKOFF_MS[Math.min(tried, BACKOFF_MS.length - 1)] ?? 0);
    await new Promise<void>((resolve) =>
      scene.agenda.after(pause, () => (scene.agenda.stir(), resolve()), page.machine),
    );
    if (page.starts.get(key) !== begun || begun.conclusion !== null) return;
  }
}

function conclude(scene: Scene, page: SimulatedPage, begun: PageStart, reply: PageReply): void {
  const { key } = begun;
  begun.conclusion = scene.mutation.concludePage?.(reply, key) ?? concluded(reply, key);
  if (begun.conclusion?.kind === 'not-sent') scene.judge.saysNotSent(key, page.name);
  if (begun.conclusion === null && begun.intent.account === page.account) return;
  learn(scene, page, reply);
}

/** The person discards the start: only a tombstone proves that nothing was sent. */
export async function takeBackStart(scene: Scene, page: SimulatedPage, begun: PageStart): Promise<void> {
  const { key } = begun;
  scene.tell?.(`${page.name} discards ${key}`);
  const reply = await ask(scene, page, { method: 'DELETE', path: `/${key}` });
  if (begun.conclusion !== null) return;
  const notSent = reply.status === 200 ? extrasOf(reply).not_sent : undefined;
  if (notSent !== undefined) {
    begun.conclusion = { kind: 'not-sent', notSent, lookAlikes: null };
    scene.judge.saysNotSent(key, page.name);
  } else if (viewsIn(reply).some(({ operation }) => operation.key === key)) {
    begun.conclusion = { kind: 'recorded' };
    learn(scene, page, reply);
  }
}

/** After a reload the page of a key asks the server. No record proves nothing; the person may discard the start. */
export async function askAfter(scene: Scene, page: SimulatedPage, key: string): Promise<void> {
  const reply = await look(scene, page, key);
  if (reply.status !== 404) return;
  const discarded = await ask(scene, page, { method: 'DELETE', path: `/${key}` });
  learn(scene, page, discarded);
  if (discarded.status === 200 && extrasOf(discarded).not_sent !== undefined) scene.judge.saysNotSent(key, page.name);
}

/** The final outcome in a response to a PUT, by the rules of the real pages; null if none, and the page asks again. */
function concluded({ status, body }: PageReply, key: string): SimulatedConclusion | null {
  if (status === 0) return null;
  const conclusion = conclusionOf(key, {
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
  if (conclusion === null || conclusion.kind === 'recorded' || conclusion.kind === 'not-sent') return conclusion;
  return { kind: 'other' };
}
