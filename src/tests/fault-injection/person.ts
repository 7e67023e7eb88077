import { PRESS_HOLDS_MS } from '#src/shared/contract/gatewayContract.ts';
import { type Action, isUnresolved } from '#src/shared/operations/states.ts';
import { batchMoves } from './batches.ts';
import { drop, openForm, passes, submitForm, seenFrom } from './forms.ts';
import { ask, messageOf, viewsIn } from './hop.ts';
import { believed, isDone, isWanted, mayBeForgotten } from './intents.ts';
import { takeBackStart, learn, limitAhead, look, openPage, refresh } from './pages.ts';
import {
  type Intent,
  type SimulatedPage,
  type Scene,
  type PageStart,
  alivePages,
  intentOf,
  pageMono,
  type PageReply,
} from './scene.ts';
import { signInPage } from './session.ts';
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

/** One step of a person or of the environment. */
export async function takeStep(scene: Scene): Promise<void> {
  const { random, agenda } = scene;
  const profile = random.pick(scene.profiles);
  const page = profile.pages.length === 0 ? openPage(scene, profile) : random.pick(profile.pages);
  if (page.account === null) {
    const [first, second] = scene.accounts;
    const account = random.chance(0.8) ? first : second;
    if (account !== undefined) signInPage(scene, page, account);
    if (page.account === null) return;
  }
  // A list polls, but the page may still show old data.
  if (!page.isLoaded || random.chance(0.25)) {
    void refresh(scene, page);
    await agenda.run(300);
    agenda.stir();
  }
  const moves = [
    ...operationMoves(scene, page),
    ...startMoves(scene, page),
    ...formMoves(scene, page),
    ...batchMoves(scene, page),
    ...weather(scene, page),
  ];
  let drawn = random.next() * moves.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, make } of moves) {
    drawn -= weight;
    if (drawn < 0) return make();
  }
}

function operationMoves(scene: Scene, page: SimulatedPage): Move[] {
  const moves = [...page.shown.values()].map(({ view: { operation } }) => ({
    weight: isUnresolved(operation.state) ? 4 : scene.worlds.altersObjects ? 1 : 0.1,
    make: () => visitTogether(scene, page, operation.key),
  }));
  const unreadable = [...page.unreadable].map((key) => ({ weight: 0.4, make: () => take(scene, page, key, 'close') }));
  return [...moves, ...unreadable];
}

/** Opens one operation in two pages, and acts in both. */
function visitTogether(scene: Scene, page: SimulatedPage, key: string): void {
  visit(scene, page, key);
  const other = alivePages(scene).find((open) => open !== page && open.shown.has(key));
  if (other === undefined || !scene.random.chance(0.25)) return;
  scene.count('togetherInTwoPages');
  visit(scene, other, key);
}

/** Opens the operation's page, where the person takes one of the offered actions. */
function visit(scene: Scene, page: SimulatedPage, key: string): void {
  const view = page.shown.get(key)?.view;
  if (view === undefined) return;
  const { state } = view.operation;
  const intent = intentOf(scene, key);
  const offered = view.allowed.filter((action) => view.disabled[action] === undefined);
  const weighed = offered.map((action) => ({ action, weight: weightOf(scene, action) }));
  let drawn = scene.random.next() * (weighed.reduce((sum, { weight }) => sum + weight, 0) + 0.5);
  const chosen = weighed.find(({ weight }) => (drawn -= weight) < 0)?.action;
  if (chosen === 'edit-as-new') {
    if (intent === undefined || intent.keys.length >= MOST_FORMS) return;
    if (state === 'refused') intent.amend();
    const form = openForm(scene, page, intent);
    // Doesn't occur in this product, but a mutant that allows editing an unconfirmed one replaces it by the form.
    if (state !== 'refused') form.secondSendOf.push(key);
    return submitForm(scene, page, form);
  }
  if (intent !== undefined && state === 'succeeded') intent.seenDone = true;
  if (chosen === undefined) return void look(scene, page, key);
  take(scene, page, key, chosen);
}

/** People who close an operation manually usually tell colleagues. */
function weightOf({ worlds, database }: Scene, action: Action): number {
  // A copy of the journal lacks operations that were closed later.
  const isCloser = worlds.deafColleagues || database.backup !== null;
  return action === 'close' && isCloser ? 3 : (WEIGHTS[action] ?? 0);
}

/** Presses a button on an operation's page. */
export function take(scene: Scene, page: SimulatedPage, key: string, action: Action): void {
  scene.tell?.(`${page.name}: ${action} ${key}`);
  const shown = page.shown.get(key);
  const revision = shown?.view.operation.revision ?? 0;
  const learnReply = async (pending: Promise<PageReply>): Promise<void> => {
    const reply = await pending;
    learn(scene, page, reply);
    scene.tell?.(
      `${page.name}: ${action} ${key}: ${reply.status} ${messageOf(reply) ?? viewsIn(reply)[0]?.operation.state ?? ''}`,
    );
    if (action === 'close') remember(scene, key);
  };
  const post = (path: string, body: object): void =>
    void learnReply(ask(scene, page, { method: 'POST', path: `/${key}/${path}`, body }));
  switch (action) {
    case 'send':
    case 'resend': {
      if (shown === undefined) return;
      const elapsed = pageMono(scene) - shown.mono;
      const body = { revision, not_after: shown.view.databaseNow + elapsed + PRESS_HOLDS_MS + limitAhead(scene) };
      scene.judge.pressed(key);
      post('send', body);
      if (!scene.random.chance(0.1)) return;
      scene.count('doubleClicks');
      return post('send', body);
    }
    case 'discard':
      return void learnReply(ask(scene, page, { method: 'DELETE', path: `/${key}` }));
    case 'check':
      return post('check', {});
    case 'close':
      return post('close', { revision, reason: 'The service told me.' });
    case 'confirm-not-sent':
      return post('not-sent', { revision, reason: 'not sent' });
    case 'edit-as-new':
    case 'start-another':
      return;
  }
}

/** A person who closed it manually has asked the service for the outcome and remembers it. */
function remember(scene: Scene, key: string): void {
  const intent = intentOf(scene, key);
  if (intent !== undefined && scene.judge.wasExecuted(key)) intent.settled = true;
}

/** The page of a started key: the person waits, discards it, or reads the outcome. */
function startMoves(scene: Scene, page: SimulatedPage): Move[] {
  return [...page.starts.values()].map((begun) => {
    if (begun.conclusion === null) return { weight: 0.6, make: () => void takeBackStart(scene, page, begun) };
    return { weight: 4, make: () => goOn(scene, page, begun) };
  });
}

/** Every way back to a form mounts a new one: the same input, a new key. */
function goOn(scene: Scene, page: SimulatedPage, begun: PageStart): void {
  page.starts.delete(begun.key);
  const { conclusion, intent } = begun;
  if (conclusion?.kind !== 'not-sent' || intent.keys.length >= MOST_FORMS) return;
  if (scene.random.chance(0.3) || believed(scene, intent, seenFrom(page)) !== 'to do') return;
  const form = openForm(scene, page, intent);
  const { lookAlikes } = conclusion;
  if (lookAlikes !== null && !passes(scene, page, form, lookAlikes)) return;
  submitForm(scene, page, form);
}

function formMoves(scene: Scene, page: SimulatedPage): Move[] {
  const { random } = scene;
  const moves: Move[] = page.forms.map((form) => ({ weight: 3, make: () => submitForm(scene, page, form) }));
  for (const form of page.forms) moves.push({ weight: 0.2, make: () => drop(page, form) });
  for (const intent of scene.intents) {
    if (intent.keys.length >= MOST_FORMS || page.forms.some((form) => form.intent === intent)) continue;
    if (intent.account !== page.account && !isElsewhere(intent, page)) continue;
    const isHere = intent.account === page.account;
    const isStarting = [...page.starts.values()].some((begun) => begun.intent === intent && begun.conclusion === null);
    const opens = (chance: number, fault?: 'formsForgotten' | 'backWhileSending') => (): void => {
      if (fault !== undefined) scene.count(fault);
      if (fault === 'formsForgotten' && isDone(scene, intent)) scene.count('formsOfDeafColleagues');
      intent.amend();
      const form = openForm(scene, page, intent);
      if (random.chance(chance)) submitForm(scene, page, form);
    };
    if (isHere && isWanted(scene, intent, seenFrom(page))) {
      // The pending one may have been sent to another address.
      moves.push(isStarting ? { weight: 3, make: opens(0.8, 'backWhileSending') } : { weight: 6, make: opens(0.9) });
    } else if (mayBeForgotten(scene, intent)) {
      moves.push({ weight: isHere ? 0.8 : scene.worlds.sharesAccount ? 3 : 0.3, make: opens(0.6, 'formsForgotten') });
    }
  }
  return moves;
}

/** Whether the intent belongs to the other API key of the same account at the service. */
function isElsewhere({ account, kind }: Intent, page: SimulatedPage): boolean {
  return account.at.id === page.account?.at.id && kind === 'withdrawal';
}
