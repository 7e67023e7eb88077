import { type DamagedRecord, isUnresolved } from '#src/operations/record.ts';
import type { Action } from '#src/operations/outcomes.ts';
import { viewOf } from '#src/operations/views.ts';
import { openTab } from './browser.ts';
import { take } from './person.ts';
import { type Account, type Scene, type Tab, wall } from './scene.ts';
import { signIn } from './session.ts';

/** Longer than any request is on its way. */
const ALL_ARRIVE_MS = 32 * 60 * 1_000;
/** Longer than an attempt with its time-out, its rest and its automatic retries. */
const SETTLES_MS = 3 * 60 * 1_000;
const MOST_ACTIONS = 3;
const ORDER: readonly Action[] = ['send', 'discard', 'resend', 'check', 'close'];

/** The faults stop; then at most three actions must end each operation. */
export async function end(scene: Scene): Promise<void> {
  const { agenda, browser, accounts } = scene;
  scene.heat = 0;
  browser.offline = false;
  for (const account of accounts) account.revoked = false;
  scene.tell?.('the faults stop');
  await agenda.run(ALL_ARRIVE_MS);
  for (const account of accounts) {
    const records = [...browser.disk.values()].filter(
      (record) => isUnresolved(record.state) && record.account === account.session.account,
    );
    const damaged = [...browser.broken.values()].map((broken) => broken.damaged);
    const closable = damaged.filter((record) => record.closed === undefined && isOf(record, account));
    const open = [...records, ...closable];
    if (open.length === 0) continue;
    agenda.stir();
    const tab = openTab(scene);
    signIn(scene, tab, account);
    await agenda.run(SETTLES_MS);
    for (const { id } of open) await finish(scene, tab, id);
  }
}

async function finish(scene: Scene, tab: Tab, id: string): Promise<void> {
  let isChecked = false;
  for (let actions = 0; actions < MOST_ACTIONS; actions += 1) {
    if (!isOpen(scene, id)) return;
    const { operations, session } = tab;
    const view = viewOf(operations.getSnapshot(), session, id, wall(scene), operations.serviceNow());
    const offered = new Set(view.allowed.filter((action) => view.disabled[action] === undefined));
    const action = ORDER.find((one) => offered.has(one) && !(one === 'check' && isChecked));
    if (action === undefined) break;
    isChecked ||= action === 'check';
    scene.agenda.stir();
    take(scene, tab, id, action);
    await scene.agenda.run(SETTLES_MS);
  }
  if (!isOpen(scene, id)) return;
  scene.judge.verdicts.unresolved += 1;
  const { state, reason } = scene.browser.disk.get(id) ?? {};
  scene.tell?.(`!! unresolved: ${id} is ${state ?? 'damaged'}, ${reason ?? 'no reason'}`);
}

function isOpen({ browser }: Scene, id: string): boolean {
  const broken = browser.broken.get(id);
  if (broken !== undefined) return broken.damaged.closed === undefined;
  const record = browser.disk.get(id);
  return record !== undefined && isUnresolved(record.state);
}

/** One of which not even the account can be read is anybody's. */
function isOf(record: DamagedRecord, { session }: Account): boolean {
  return record.account === null || record.account === session.account;
}
