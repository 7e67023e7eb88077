import type { Action } from '#src/shared/operations/states.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnresolved } from '#src/shared/operations/states.ts';
import { endBatch, loadBatch, openBatches } from './batchEnding.ts';
import { openPage, refresh } from './pages.ts';
import { take } from './person.ts';
import type { SimulatedAccount, SimulatedPage, Scene } from './scene.ts';
import { kill, startServer } from './servers.ts';
import { signInPage } from './session.ts';

/** Longer than any request is in transit, on both hops together. */
const ALL_ARRIVE_MS = 64 * 60 * 1_000;
/** Longer than an attempt with its timeout, its waiting time and its automatic retries. */
const SETTLES_MS = 3 * 60 * 1_000;
const MINUTE_MS = 60_000;
const MOST_ACTIONS = 3;
const ORDER: readonly Action[] = ['send', 'discard', 'resend', 'check', 'close'];

/** Stops the faults; then at most three actions must end each operation. */
export async function end(scene: Scene): Promise<void> {
  const { agenda, accounts, database, random } = scene;
  scene.faultRate = 0;
  database.awayUntil = 0;
  for (const server of scene.servers) server.cutOffUntil = 0;
  scene.wrongDateSeconds = 0;
  // Pending events of a process still happen; then a frozen one is restarted.
  await agenda.run(MINUTE_MS);
  for (const server of [...scene.servers]) {
    if (server.machine.awakeAt > agenda.now() + MINUTE_MS) kill(scene, server, 'serversKilled');
  }
  // A key may stay revoked: then only a session that can view and close is left.
  for (const account of accounts) account.revoked &&= random.chance(0.5);
  scene.tell?.('the faults stop');
  await agenda.run(ALL_ARRIVE_MS);
  for (const server of [...scene.servers]) {
    if (!server.readOnly && server.version === database.version) continue;
    server.machine.alive = false;
    server.killed = true;
    scene.servers = scene.servers.filter((other) => other !== server);
  }
  const [host] = scene.hosts;
  if (scene.servers.length === 0 && host !== undefined) startServer(scene, host);
  for (const account of accounts) await endAll(scene, account);
}

async function endAll(scene: Scene, account: SimulatedAccount): Promise<void> {
  const { agenda, database } = scene;
  const open = (): OperationRecord[] =>
    [...database.records.values()].filter((record) => record.account === account.name && isOpen(scene, record));
  if (open().length === 0 && openBatches(scene, account).length === 0) return;
  agenda.stir();
  const profile = { name: 'the last person', pages: [], cookie: null, offline: false };
  const page = openPage(scene, profile);
  signInPage(scene, page, account);
  // Batches first: sending their lines may leave operations to finish.
  for (const id of openBatches(scene, account)) await endBatch(scene, page, id);
  for (const { key } of open()) await finish(scene, page, key);
  for (const id of openBatches(scene, account)) await loadBatch(scene, page, id);
}

async function finish(scene: Scene, page: SimulatedPage, key: string): Promise<void> {
  // Actions that were refused or changed nothing are not tried again.
  const tried = new Set<Action>();
  for (let actions = 0; actions < MOST_ACTIONS; actions += 1) {
    scene.agenda.stir();
    void refresh(scene, page);
    await scene.agenda.run(SETTLES_MS);
    const record = scene.database.records.get(key);
    if (record === undefined || !isOpen(scene, record)) return;
    const view = page.shown.get(key)?.view;
    const offered = new Set(view?.allowed.filter((action) => view.disabled[action] === undefined));
    if (page.unreadable.has(key)) offered.add('close');
    const action = ORDER.find((one) => offered.has(one) && !tried.has(one));
    // After a clock was set back a retry may seem due for up to a minute: the person looks again.
    if (action === undefined) continue;
    scene.agenda.stir();
    take(scene, page, key, action);
    await scene.agenda.run(SETTLES_MS);
    // Looking again immediately shows nothing new, unless a retry seemed due.
    const isSame = scene.database.records.get(key)?.revision === record.revision;
    const isWaiting = page.shown.get(key)?.view?.waiting === true;
    if ((isSame && !isWaiting) || action === 'check') tried.add(action);
  }
  const record = scene.database.records.get(key);
  if (record === undefined || !isOpen(scene, record)) return;
  scene.judge.blame('unresolved', `${key} is ${record.state}, ${record.reason ?? 'no reason'}`);
}

function isOpen({ database }: Scene, { key, state }: OperationRecord): boolean {
  const isClosed = database.unreadable.get(key);
  return isClosed === undefined ? isUnresolved(state) : !isClosed;
}
