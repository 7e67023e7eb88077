import { batchReviewedSchema, lineKey, type ReviewedLine } from '#src/shared/contract/batchContract.ts';
import { PRESS_HOLDS_MS } from '#src/shared/contract/gatewayContract.ts';
import * as v from 'valibot';
import { askBatches, type BatchCommand, commandBatch, lookAtBatch, offeredCommands } from './batchCommands.ts';
import { disturbRun } from './batchFaults.ts';
import { isOpen, keysOf, seenFrom, stillWants } from './forms.ts';
import { isWanted, mayBeForgotten, truthOf } from './intents.ts';
import { limitAhead } from './pages.ts';
import { normalized } from './judge.ts';
import {
  type BatchForm,
  type BatchFormLine,
  type Intent,
  type Scene,
  type SimulatedPage,
  intentOf,
  isBatchOver,
  pageMono,
} from './scene.ts';

// The moves of people who make batches. Runs without `batchRandom` have none.

const MOST_BATCHES = 4;
const MOST_KEYS = 6;
const MOST_LINES = 6;
const MOST_PRESSES = 5;

type Move = { weight: number; make: () => void };

export function batchMoves(scene: Scene, page: SimulatedPage): Move[] {
  if (scene.batchRandom === null) return [];
  const moves: Move[] = page.batchForms.flatMap((form) => [
    { weight: 5, make: () => void submitBatch(scene, page, form) },
    { weight: 0.2, make: () => dropBatchForm(page, form) },
  ]);
  const wanted = intentsForBatch(scene, page);
  if (wanted.length > 0 && page.batchForms.length === 0 && scene.batchesBegun < MOST_BATCHES)
    moves.push({ weight: scene.batchesBegun === 0 ? 30 : 4, make: () => openBatchForm(scene, page, wanted) });
  if (scene.batchesBegun > 0) moves.push({ weight: 0.3, make: () => void listBatches(scene, page) });
  const others = [...scene.database.batches.values()].filter(({ account }) => account !== page.account?.name);
  for (const { id } of others) moves.push({ weight: 0.15, make: () => void followBatchLink(scene, page, id) });
  for (const id of knownBatches(page)) {
    const isEnded = isBatchOver(page.batches.get(id)?.view.batch.state);
    moves.push({ weight: isEnded ? 0.3 : 6, make: () => void visitBatch(scene, page, id) });
  }
  return moves;
}

/** Withdrawals that somebody on this page may put into a file: those to do, and some that were forgotten. */
function intentsForBatch(scene: Scene, page: SimulatedPage): Intent[] {
  const isTheirs = ({ account }: Intent): boolean =>
    account === page.account || (scene.worlds.sharesAccount && account.at.id === page.account?.at.id);
  return scene.intents.filter(
    (intent) =>
      isTheirs(intent) &&
      intent.kind === 'withdrawal' &&
      intent.keys.length < MOST_KEYS &&
      (isDue(scene, page, intent) || mayBeForgotten(scene, intent)),
  );
}

/** True if the payment is due on the page's account, judging by what the page shows. */
function isDue(scene: Scene, page: SimulatedPage, intent: Intent): boolean {
  return intent.account === page.account && isWanted(scene, intent, seenFrom(page));
}

/** Batches that the page has seen, or whose lines it shows. */
function knownBatches(page: SimulatedPage): string[] {
  const ofLines = [...page.shown.values()].flatMap(({ view }) => view.operation.batch?.id ?? []);
  return [...new Set([...page.batches.keys(), ...ofLines])];
}

function openBatchForm(scene: Scene, page: SimulatedPage, intents: readonly Intent[]): void {
  const { random } = scene;
  const chosen = intents.filter((intent) => random.chance(isDue(scene, page, intent) ? 0.85 : 0.25));
  if (chosen.length === 0) return;
  scene.batchesBegun += 1;
  const id = scene.name('batch-000');
  const lines = chosen.slice(0, MOST_LINES).map((intent, index): BatchFormLine => {
    if (random.chance(0.5)) intent.amend();
    return { intent, line: index + 2, body: intent.request().body, secondSendOf: [] };
  });
  for (const { intent, line } of lines) intent.keys.push(lineKey(id, line));
  const form: BatchForm = { id, lines, again: null, reviewed: null, mayHaveArrived: false };
  page.batchForms.push(form);
  scene.tell?.(`${page.name} makes ${id} of ${lines.map(({ intent }) => intent.name).join(', ')}`);
  if (random.chance(0.9)) void submitBatch(scene, page, form);
}

function dropBatchForm(page: SimulatedPage, form: BatchForm): void {
  page.batchForms = page.batchForms.filter((other) => other !== form);
}

/** The person reviews the file and presses Send, which records the batch and starts it; again, if there is no answer. */
async function submitBatch(scene: Scene, page: SimulatedPage, form: BatchForm): Promise<void> {
  for (let presses = 0; presses < MOST_PRESSES && page.batchForms.includes(form); presses += 1) {
    if (await pressSend(scene, page, form)) return;
    const pause = scene.random.whole(500, 20_000);
    await new Promise<void>((resolve) =>
      scene.agenda.after(pause, () => (scene.agenda.stir(), resolve()), page.machine),
    );
  }
}

/** Returns false if the person presses Send again. */
async function pressSend(scene: Scene, page: SimulatedPage, form: BatchForm): Promise<boolean> {
  if (form.mayHaveArrived) {
    const found = await lookAtBatch(scene, page, form.id);
    if (found.status === 200) return startRecorded(scene, page, form);
    if (found.code !== 'not_recorded') return false;
  }
  if (dropsForm(scene, page, form)) return true;
  if (form.reviewed === null || scene.random.chance(0.7)) {
    if (!(await reviewBatch(scene, page, form))) return false;
  }
  if (dropsForm(scene, page, form)) return true;
  if (scene.random.chance(0.1)) return true;
  await recordBatch(scene, page, form);
  return page.batches.has(form.id) && startRecorded(scene, page, form);
}

/** Takes out what was paid meanwhile. Returns whether the form is gone then. */
function dropsForm(scene: Scene, page: SimulatedPage, form: BatchForm): boolean {
  leaveOut(scene, page, form, ({ intent }) => !stillWants(scene, page, intent));
  return !page.batchForms.includes(form);
}

/** Takes lines out of the file. What may have been recorded already is left as it is, with its form. */
function leaveOut(scene: Scene, page: SimulatedPage, form: BatchForm, isOut: (line: BatchFormLine) => boolean): void {
  const out = form.lines.filter(isOut);
  if (out.length === 0) return;
  scene.tell?.(`${page.name} leaves ${out.map(({ intent }) => intent.name).join(', ')} out of ${form.id}`);
  form.lines = form.lines.filter((line) => !out.includes(line));
  form.reviewed = null;
  if (form.mayHaveArrived || form.lines.length === 0) dropBatchForm(page, form);
}

/** Compares the file with what was paid before; false if it must not be recorded now. */
async function reviewBatch(scene: Scene, page: SimulatedPage, form: BatchForm): Promise<boolean> {
  const requestedAt = pageMono(scene);
  const lines = form.lines.map(({ line, body }) => ({ line, body, recipient: null, reference: null }));
  const reply = await askBatches(scene, page, { method: 'POST', path: '/review', body: { lines } });
  const reviewed = reply.status === 200 ? v.safeParse(batchReviewedSchema, reply.body) : null;
  if (!reviewed?.success) return false;
  form.reviewed = { now: reviewed.output.now, mono: requestedAt };
  const { same, listed } = reviewed.output;
  leaveOut(scene, page, form, (line) => {
    const found = reviewed.output.lines.find((one) => one.line === line.line);
    // If the page says that the service's list could not be read, the person asks the service.
    const { paidElsewhere } = line.intent;
    const isAsked = paidElsewhere !== null && listed !== 'listed';
    if (isAsked && truthOf(scene, line.intent, [paidElsewhere]) !== 'to do') return true;
    return found !== undefined && !confirmLine(scene, form, line, found);
  });
  if (form.reviewed === null) return false;
  if (same !== null && same.id !== form.id) form.again = 'They are due once more.';
  return true;
}

/** As the second-send step of a form: returns whether the person knows that everything found is another payment. */
function confirmLine(
  scene: Scene,
  { id }: BatchForm,
  { intent, secondSendOf }: BatchFormLine,
  found: ReviewedLine,
): boolean {
  const isOwn = (key: string): boolean => key.startsWith(`${id}.`);
  const { existing } = found;
  if (existing !== null && !isOwn(existing) && !secondSendOf.includes(existing)) {
    if (intentOf(scene, existing) === intent || scene.random.chance(0.3)) return false;
    secondSendOf.push(existing);
  }
  for (const send of found.of.filter((one) => !isOwn(one.id) && !secondSendOf.includes(one.id))) {
    if (truthOf(scene, intent, keysOf(scene, intent, send)) !== 'to do' || isOpen(scene, intent, send)) return false;
    scene.count('secondSends');
    secondSendOf.push(send.id);
  }
  const waits = found.batches.some(
    (batch) => batch.id !== id && intent.keys.some((key) => key.startsWith(`${batch.id}.`)),
  );
  return !waits || scene.random.chance(0.4);
}

async function recordBatch(scene: Scene, page: SimulatedPage, form: BatchForm): Promise<void> {
  const { id, again, reviewed } = form;
  if (reviewed === null) return;
  const earlier = new Map<string, number>();
  const lines = form.lines.map(({ line, body, secondSendOf }) => {
    const destination = destinationIn(body);
    const count = earlier.get(destination) ?? 0;
    earlier.set(destination, count + 1);
    return { line, body, recipient: null, reference: null, second_send_of: [...secondSendOf], earlier_lines: count };
  });
  const notAfter = reviewed.now + (pageMono(scene) - reviewed.mono) + PRESS_HOLDS_MS + limitAhead(scene);
  const body = { lines, file: { name: null, text: `The file of ${id}` }, again, not_after: notAfter };
  form.mayHaveArrived = true;
  scene.agenda.stir();
  scene.tell?.(`${page.name} records ${id}`);
  const reply = await askBatches(scene, page, { method: 'PUT', path: `/${id}`, body });
  // The next press shows what was found, or another form is opened.
  if (reply.code === 'look_alike' || reply.code === 'batch_again' || reply.code === 'too_late') form.reviewed = null;
  if (reply.code === 'batch_faults' || reply.code === 'key_reused') dropBatchForm(page, form);
}

function destinationIn(body: string): string {
  const { asset, chain, address }: Record<string, unknown> = JSON.parse(body);
  return [asset, chain, address].map(normalized).join(' ');
}

/** Returns true: the form has done its work. */
function startRecorded(scene: Scene, page: SimulatedPage, form: BatchForm): true {
  dropBatchForm(page, form);
  if (page.batches.get(form.id)?.view.batch.state === 'waiting' && scene.random.chance(0.85))
    pressOn(scene, page, form.id, 'start');
  return true;
}

/** Loads the list of batches, which ends those with nothing left to send. */
async function listBatches(scene: Scene, page: SimulatedPage): Promise<void> {
  await askBatches(scene, page, { method: 'GET', path: '' });
}

/** Opens the URL of another account's batch, or withdraws it by a script. */
async function followBatchLink(scene: Scene, page: SimulatedPage, id: string): Promise<void> {
  scene.count('linksPassedOn');
  await lookAtBatch(scene, page, id);
  if (scene.random.chance(0.3)) await askBatches(scene, page, { method: 'POST', path: `/${id}/withdraw` });
}

/** The person opens the batch's page, and takes one of the offered actions. */
async function visitBatch(scene: Scene, page: SimulatedPage, id: string): Promise<void> {
  if (!page.batches.has(id) || scene.random.chance(0.7)) await lookAtBatch(scene, page, id);
  const shown = page.batches.get(id);
  if (shown === undefined) return;
  const { random } = scene;
  const weights = { start: 6, stop: 0.7, withdraw: 0.4, exclude: 0.6 };
  const offered = offeredCommands(shown.view, shown.view.now + pageMono(scene) - shown.mono);
  let drawn = random.next() * (offered.reduce((sum, command) => sum + weights[command], 0) + 0.5);
  const chosen = offered.find((command) => (drawn -= weights[command]) < 0);
  if (chosen !== undefined) pressOn(scene, page, id, chosen);
}

/** Presses a button on a batch's page; a run that starts is mostly disturbed. */
function pressOn(scene: Scene, page: SimulatedPage, id: string, command: BatchCommand): void {
  commandBatch(scene, page, id, command);
  if (command === 'start') disturbRun(scene, page, id);
}
