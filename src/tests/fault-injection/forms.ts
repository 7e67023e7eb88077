import { type EarlierSends, type EarlierSend, reviewedSchema } from '#src/shared/contract/gatewayContract.ts';
import * as v from 'valibot';
import { ask } from './hop.ts';
import { isWanted, mayBeForgotten, truthOf } from './intents.ts';
import { learn, look, startOperationFrom } from './pages.ts';
import { type Form, type Intent, type SimulatedPage, type Scene, alivePages, intentOf, pageMono } from './scene.ts';

/** Opens a form, which creates its key. */
export function openForm(scene: Scene, page: SimulatedPage, intent: Intent): Form {
  const form: Form = {
    intent,
    key: scene.name('key_'),
    request: intent.request(),
    secondSendOf: [],
    reviewed: null,
  };
  intent.keys.push(form.key);
  page.forms.push(form);
  scene.tell?.(`${page.name} opens a form for ${intent.name} (${form.key})`);
  return form;
}

/** The person reviews the form and presses Send, perhaps twice or in two pages at once. */
export function submitForm(scene: Scene, page: SimulatedPage, form: Form): void {
  void send(scene, page, form);
  const other = alivePages(scene).find(
    (open) => open !== page && open.account === page.account && open.forms.some(({ intent }) => intent === form.intent),
  );
  const standing = other?.forms.find(({ intent }) => intent === form.intent);
  if (other === undefined || standing === undefined || !scene.random.chance(0.6)) return;
  scene.count('togetherInTwoPages');
  void send(scene, other, standing);
}

async function send(scene: Scene, page: SimulatedPage, form: Form): Promise<void> {
  const { intent, key } = form;
  if (!stillWants(scene, page, intent)) return drop(page, form);
  // A reviewed form may stay open for long before Send is pressed.
  if (form.reviewed === null || scene.random.chance(scene.worlds.sharesAccount ? 0.3 : 0.7)) {
    if (!(await review(scene, page, form))) return;
  }
  if (!page.forms.includes(form) || !stillWants(scene, page, intent)) return drop(page, form);
  if (scene.random.chance(scene.worlds.sharesAccount ? 0.4 : 0.1)) return;
  scene.agenda.stir();
  scene.tell?.(`${page.name} presses Send for ${intent.name} (${key})`);
  // While a send is running, the operation's page replaces the form.
  drop(page, form);
  startOperationFrom(scene, page, form);
  if (scene.random.chance(0.1)) {
    scene.count('doubleClicks');
    startOperationFrom(scene, page, form);
  }
}

/** Runs the review, which checks for duplicates and notes the time; false if the form must not be sent now. */
export async function review(scene: Scene, page: SimulatedPage, form: Form): Promise<boolean> {
  const { intent } = form;
  const requestedAt = pageMono(scene);
  const reply = await ask(scene, page, { method: 'POST', path: '/review', body: form.request });
  const reviewed = reply.status === 200 ? v.safeParse(reviewedSchema, reply.body) : null;
  if (!reviewed?.success) {
    learn(scene, page, reply);
    return false;
  }
  const { now, existing, of, listed } = reviewed.output;
  // If the page says that the service's list could not be read, the person asks the service.
  const elsewhere = intent.paidElsewhere;
  if (elsewhere !== null && listed !== 'listed' && truthOf(scene, intent, [elsewhere]) !== 'to do') {
    drop(page, form);
    return false;
  }
  form.reviewed = { now, mono: requestedAt };
  return passes(scene, page, form, { existing, of });
}

/**
 * The second-send step: a person who recognizes an earlier payment as this intent leaves the form, and otherwise confirms.
 * Returns whether it was confirmed.
 */
export function passes(scene: Scene, page: SimulatedPage, form: Form, { existing, of }: EarlierSends): boolean {
  if (existing !== null) {
    scene.count('ledToTheOther');
    drop(page, form);
    void look(scene, page, existing);
    return false;
  }
  const unconfirmed = of.filter(({ id }) => !form.secondSendOf.includes(id));
  if (unconfirmed.length === 0) return true;
  scene.count('secondSends');
  for (const send of unconfirmed) {
    const keys = keysOf(scene, form.intent, send);
    if (truthOf(scene, form.intent, keys) === 'to do' && !isOpen(scene, form.intent, send)) continue;
    scene.tell?.(`${page.name}: "that was it", and leaves the form`);
    drop(page, form);
    return false;
  }
  form.secondSendOf.push(...unconfirmed.map(({ id }) => id));
  return true;
}

/** The intent's keys that an earlier payment in the step reminds the person of. */
export function keysOf(scene: Scene, intent: Intent, { source, id }: EarlierSend): string[] {
  switch (source) {
    case 'journal':
      return intentOf(scene, id) === intent ? [id] : [];
    case 'service': {
      const key = scene.judge.executions.find((execution) => execution.id === id)?.key;
      return key !== undefined && intentOf(scene, key) === intent ? [key] : [];
    }
    // Only their number is shown, so the person asks the service and colleagues.
    case 'others':
    case 'set-back':
      return intent.keys;
  }
}

/** Whether a colleague may still send the payment that the step showed. */
export function isOpen(scene: Scene, intent: Intent, { source }: EarlierSend): boolean {
  if (source !== 'others') return false;
  return intent.keys.some((key) => {
    const state = scene.database.records.get(key)?.state;
    return state === 'ready' || state === 'sending' || state === 'unconfirmed';
  });
}

/** A person who returns to a form checks that the intent isn't done. */
export function stillWants(scene: Scene, page: SimulatedPage, intent: Intent): boolean {
  return mayBeForgotten(scene, intent) || isWanted(scene, intent, seenFrom(page));
}

export function seenFrom({ shown }: SimulatedPage) {
  return [...shown.values()].map(({ view }) => view.operation);
}

export function drop(page: SimulatedPage, form: Form): void {
  page.forms = page.forms.filter((other) => other !== form);
}
