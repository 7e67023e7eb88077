import type { SameSend } from '#src/operations/outcomes.ts';
import { isWanted, mayBeForgotten } from './intents.ts';
import { type Form, type Intent, type Scene, type Tab, aliveTabs, intentOf } from './scene.ts';

/** A form opens, and its key is made. */
export function openForm(scene: Scene, tab: Tab, intent: Intent): Form {
  const form: Form = { intent, key: scene.name('key '), secondSendOf: [] };
  intent.keys.push(form.key);
  tab.forms.push(form);
  scene.tell?.(`${tab.name} opens a form for ${intent.name} (${form.key})`);
  return form;
}

/** The person has reviewed it and presses Send; perhaps twice, perhaps in two tabs at once. */
export function press(scene: Scene, tab: Tab, form: Form): void {
  void send(scene, tab, form);
  if (scene.random.chance(0.1)) {
    scene.count('doubleClicks');
    void send(scene, tab, form);
  }
  const other = aliveTabs(scene).find((open) => open !== tab && open.forms.length > 0 && open.session === tab.session);
  const standing = other?.forms[0];
  if (other === undefined || standing === undefined || !scene.random.chance(0.5)) return;
  scene.count('togetherInTwoTabs');
  void send(scene, other, standing);
}

async function send(scene: Scene, tab: Tab, form: Form): Promise<void> {
  const { intent, key, secondSendOf } = form;
  if (!stillWants(scene, tab, intent)) return drop(tab, form);
  scene.agenda.stir();
  scene.tell?.(`${tab.name} presses Send for ${intent.name} (${key})`);
  const result = await tab.operations.start(intent.request(key, secondSendOf));
  scene.agenda.stir();
  scene.tell?.(`${tab.name} hears: ${JSON.stringify(result)}`);
  switch (result.outcome) {
    case 'started':
    case 'existing':
      return drop(tab, form);
    case 'not-recorded':
      if (scene.random.chance(0.3)) drop(tab, form);
      return undefined;
    case 'second-send':
      return review(scene, tab, form, result.of);
  }
}

/** The second-send step: the person recognises what was for this very intent, and confirms what was not. */
function review(scene: Scene, tab: Tab, form: Form, of: readonly SameSend[]): void {
  scene.count('secondSends');
  const { intent } = form;
  for (const same of of) {
    const key = keyOf(scene, same);
    if (key === null || intentOf(scene, key) !== intent) continue;
    const isDone = scene.judge.wasExecuted(key);
    if (isDone) intent.settled = true;
    if (isDone || (scene.onTheWay.get(key) ?? 0) > 0) {
      scene.tell?.(`${tab.name}: "that was it", and leaves the form`);
      return drop(tab, form);
    }
  }
  form.secondSendOf.push(...of.map(({ id }) => id));
  if (scene.random.chance(0.8)) void send(scene, tab, form);
  return undefined;
}

/** null: nobody's of this browser. */
function keyOf({ browser, judge }: Scene, { source, id }: SameSend): string | null {
  if (source === 'journal') return (browser.disk.get(id) ?? browser.broken.get(id))?.key ?? null;
  return judge.executions.find((execution) => execution.id === id)?.key ?? null;
}

/** A person who looks at a form again sees to it that it is not known to be done. */
function stillWants(scene: Scene, tab: Tab, intent: Intent): boolean {
  return mayBeForgotten(scene, intent) || isWanted(scene, intent, seenFrom(scene, tab, intent));
}

/** Kinds that nothing but the list of operations keeps apart are looked up there; of the others the page may be stale. */
export function seenFrom(scene: Scene, tab: Tab, { kind }: Intent) {
  const isKept = kind === 'withdrawal' || kind === 'webhook-replay';
  return isKept ? tab.operations.getSnapshot().records : [...scene.browser.disk.values()];
}

function drop(tab: Tab, form: Form): void {
  tab.forms = tab.forms.filter((other) => other !== form);
}
