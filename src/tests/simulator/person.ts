import { isFinal, isUnresolved } from '#src/operations/record.ts';
import type { Action } from '#src/operations/outcomes.ts';
import { viewOf, viewsOf } from '#src/operations/views.ts';
import { openTab } from './browser.ts';
import { openForm, press, seenFrom } from './forms.ts';
import { isWanted, mayBeForgotten } from './intents.ts';
import { type Scene, type Tab, aliveTabs, intentOf, wall } from './scene.ts';
import { signIn } from './session.ts';
import { weather } from './weather.ts';

const MOST_FORMS = 6;
const WEIGHTS: Partial<Record<Action, number>> = {
  send: 6,
  discard: 1,
  resend: 6,
  check: 2,
  close: 0.3,
  'confirm-not-sent': 4,
  'edit-as-new': 3,
};

type Move = { weight: number; make: () => void };

/** One thing that a person, or the world around, does now. */
export function act(scene: Scene): void {
  const tab = aliveTabs(scene).at(-1) === undefined ? openTab(scene) : scene.random.pick(aliveTabs(scene));
  if (tab.session === null) {
    const [first, second] = scene.accounts;
    const account = scene.random.chance(0.8) ? first : second;
    if (account !== undefined) signIn(scene, tab, account);
    if (tab.session === null) return;
  }
  const moves = [...operationMoves(scene, tab), ...formMoves(scene, tab), ...weather(scene, tab)];
  let drawn = scene.random.next() * moves.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, make } of moves) {
    drawn -= weight;
    if (drawn < 0) return make();
  }
}

function operationMoves(scene: Scene, tab: Tab): Move[] {
  const { operations, blocks, damaged } = viewsOf(tab.operations.getSnapshot(), tab.session);
  return [
    ...operations.map(({ id, state }) => ({
      weight: isUnresolved(state) ? 3 : 0.1,
      make: () => visitTogether(scene, tab, id),
    })),
    ...[...blocks, ...damaged.filter(({ closed }) => closed === undefined)].map(({ id }) => ({
      weight: 0.4,
      make: () => visit(scene, tab, id),
    })),
  ];
}

/** Two pages of one operation, and a hand on each. */
function visitTogether(scene: Scene, tab: Tab, id: string): void {
  visit(scene, tab, id);
  const other = aliveTabs(scene).find((open) => open !== tab && open.session === tab.session);
  if (other === undefined || !scene.random.chance(0.25)) return;
  scene.count('togetherInTwoTabs');
  visit(scene, other, id);
}

/** The operation's page: the person takes one of the actions that it offers. */
function visit(scene: Scene, tab: Tab, id: string): void {
  const { operations, session } = tab;
  const view = viewOf(operations.getSnapshot(), session, id, wall(scene), operations.serviceNow());
  const offered = view.allowed.filter((action) => view.disabled[action] === undefined);
  const weighed = offered.map((action) => ({ action, weight: WEIGHTS[action] ?? 0 }));
  let drawn = scene.random.next() * (weighed.reduce((sum, { weight }) => sum + weight, 0) + 0.5);
  const chosen = weighed.find(({ weight }) => (drawn -= weight) < 0)?.action;
  if (chosen === 'edit-as-new') {
    const intent = view.operation && intentOf(scene, view.operation.key);
    if (intent === undefined || intent.keys.length >= MOST_FORMS) return;
    const form = openForm(scene, tab, intent);
    // Never so in this app: one that lets what is unconfirmed be edited puts the form in its place.
    if (view.operation?.state !== 'refused') form.secondSendOf.push(id);
    press(scene, tab, form);
    return;
  }
  if (chosen !== undefined) take(scene, tab, id, chosen);
  const { operation } = view;
  if (operation === undefined || !isFinal(operation.state) || !scene.random.chance(0.5)) return;
  const intent = intentOf(scene, operation.key);
  if (intent !== undefined && operation.state === 'succeeded') intent.seenDone = true;
  void operations.seen(id);
}

/** Presses one of the buttons of an operation's page. */
export function take(scene: Scene, { name, operations }: Tab, id: string, action: Action): void {
  scene.tell?.(`${name}: ${action} ${id}`);
  const told = (result: { outcome: string; reason?: string }): void =>
    scene.tell?.(`${name}: ${action} ${id}: ${result.reason ?? result.outcome}`);
  switch (action) {
    case 'send':
      return void operations.send(id).then(told);
    case 'resend':
      void operations.resend(id).then(told);
      if (scene.random.chance(0.1)) {
        scene.count('doubleClicks');
        void operations.resend(id);
      }
      return undefined;
    case 'discard':
      return void operations.discard(id).then(told);
    case 'check':
      return void operations.check(id).then(told);
    case 'close':
      return void operations
        .close(id, 'The service told me.')
        .then(told)
        .finally(() => remember(scene, id));
    case 'confirm-not-sent':
      return void operations.confirmNotSent(id, 'not sent').then(told);
    case 'edit-as-new':
    case 'start-another':
      return undefined;
  }
}

/** Who closed it by hand heard from the service what became of it, and keeps that in mind. */
function remember(scene: Scene, id: string): void {
  const { disk, broken } = scene.browser;
  const { key } = disk.get(id) ?? broken.get(id) ?? {};
  if (key === undefined || !scene.judge.wasExecuted(key)) return;
  const intent = intentOf(scene, key);
  if (intent !== undefined) intent.settled = true;
}

function formMoves(scene: Scene, tab: Tab): Move[] {
  const { random } = scene;
  const moves: Move[] = tab.forms.map((form) => ({ weight: 3, make: () => press(scene, tab, form) }));
  for (const intent of scene.intents) {
    if (intent.keys.length >= MOST_FORMS || tab.forms.some((form) => form.intent === intent)) continue;
    const isHere = intent.account.session === tab.session;
    const isKept = intent.kind === 'withdrawal' || intent.kind === 'webhook-replay';
    // Two forms for one charge are two charges: nothing but the person keeps them apart.
    if (!isKept && (!isHere || aliveTabs(scene).some(({ forms }) => forms.some((form) => form.intent === intent)))) {
      continue;
    }
    if (isHere && isWanted(scene, intent, seenFrom(scene, tab, intent))) {
      const make = (): void => {
        intent.amend();
        const form = openForm(scene, tab, intent);
        if (random.chance(0.85)) press(scene, tab, form);
      };
      moves.push({ weight: 4, make });
    } else if (mayBeForgotten(scene, intent)) {
      const make = (): void => {
        scene.count('formsForgotten');
        const form = openForm(scene, tab, intent);
        if (random.chance(0.6)) press(scene, tab, form);
      };
      moves.push({ weight: isHere ? 0.8 : 0.3, make });
    }
  }
  return moves;
}
