import { isObject } from '#src/shared/answers.ts';
import { BATCHES_PATH, lineKey } from '#src/shared/contract/batchContract.ts';
import { readWithdrawalBody, withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { PAYMENT_AMOUNTS } from './companyPolicy.ts';
import { approve, approversIn, beSignedIn, operatorsIn, PLACES, reject, takePlaceOf } from './approvalActs.ts';
import { type Human, type PeopleReply, proofFor, send, finishPendingWork, tokenOf } from './humans.ts';
import { sendAndJudge, block, calmly, noteState, pay, type PeopleWorld, pickOne, signOutHuman } from './peopleActs.ts';
import { type PeopleServer, databaseNow } from './peopleScene.ts';

type PassTime = (ms: number) => Promise<void>;

/** Longer than the pause between two lines. */
const LINE_MS = 700;
/** Sending a line takes many statements, and each may take several turns of the event loop. */
const SETTLES = 6;
const MOST_STEPS = 24;
/** A batch that sends no line within so many steps has ended. */
const MOST_ASKED_STEPS = 6;

/** Notes what an answer says about a batch and its lines. */
function noteBatch(world: PeopleWorld, id: string, reply: PeopleReply | null): void {
  const body = reply?.body ?? {};
  const view = isObject(body['view']) ? body['view'] : body;
  const { batch, lines, approval } = view;
  if (!isObject(batch) || !Array.isArray(lines)) return;
  const needs = isObject(approval) ? Number(approval['needs']) : 0;
  for (const line of lines.filter(isObject)) {
    const key = String(line['key']);
    world.judge.payments.noteStatedNeed(key, needs);
    noteState(world, key, { revision: -1, state: String(line['state']), needs });
  }
  world.batches.set(id, { revision: Number(batch['revision']), state: String(batch['state']) });
}

async function lookAtBatch(world: PeopleWorld, human: Human, id: string, server?: PeopleServer): Promise<void> {
  const call = { method: 'GET', path: `${BATCHES_PATH}/${id}` };
  noteBatch(world, id, await send(world.scene, human, call, server ?? world.scene.random.pick(world.scene.servers)));
}

/** An operator records a batch of a few lines, some to addresses that single payments went to. Returns its id. */
async function recordBatch(world: PeopleWorld, human: Human): Promise<string> {
  const { scene, judge } = world;
  const { random } = scene;
  const id = scene.name('people-batch-');
  const lines = Array.from({ length: random.whole(2, 6) }, (_, index) => {
    const single = random.chance(0.1) ? pickOne(scene, [...world.operations.keys()]) : null;
    const paid = single === null ? null : readWithdrawalBody(judge.payments.payments.get(single)?.body ?? '');
    const address = paid?.address ?? `bc1q${`${id}${index}`.replaceAll(/[^a-z\d]/g, '')}`;
    const { body } = withdrawalRequest({
      asset: 'BTC',
      chain: 'bitcoin',
      amount: random.pick(PAYMENT_AMOUNTS),
      address,
    });
    return { line: index + 2, body, recipient: null, reference: null, second_send_of: [] };
  });
  const payments = lines.map(({ line, body, second_send_of }) => {
    return { key: lineKey(id, line), body, second_send_of, batch: { id, line } };
  });
  const passkey = human.authenticator.id;
  const needs = judge.payments.expectBatch(id, payments, { maker: human.person, passkey });
  const file = { name: null, text: 'pasted' };
  const body = { lines, file, again: null, not_after: databaseNow(scene) + 60_000 };
  const server = random.pick(scene.servers);
  const isSigning = needs === 0 || random.chance(0.2);
  const toSign = { decision: 'send', payments };
  const proof = isSigning ? await proofFor(scene, human, toSign, { signer: human.authenticator, server }) : null;
  if (proof === null) for (const { key } of payments) judge.payments.notSigned(key);
  const call = { method: 'PUT', path: `${BATCHES_PATH}/${id}`, body: { ...body, ...(proof && { proof }) } };
  const reply = await sendAndJudge(world, human, call, ['prepare'], { server, ...(proof && { proofBy: passkey }) });
  noteBatch(world, id, reply);
  if (reply?.status === 201) scene.count('batchesRecorded');
  return id;
}

function waitingLines(world: PeopleWorld, id: string): string[] {
  return linesOf(world, id).filter((key) => world.operations.get(key)?.state === 'awaiting');
}

/** Mostly those with lines that wait. */
function openBatches(world: PeopleWorld): string[] {
  const all = [...world.batches.keys()];
  const open = all.filter((id) => waitingLines(world, id).length > 0);
  return open.length === 0 || world.scene.random.chance(0.1) ? all : open;
}

function linesOf(world: PeopleWorld, id: string): string[] {
  return [...world.operations.keys()].filter((key) => key.startsWith(`${id}.`));
}

/** Approvers sign all waiting lines; sometimes too few of them do, or only for some lines. */
async function approveBatch(world: PeopleWorld, id: string): Promise<void> {
  const { scene, judge } = world;
  const waiting = waitingLines(world, id);
  const [first] = waiting;
  const payment = judge.payments.payments.get(first ?? '');
  if (first === undefined || payment === undefined) return;
  const approvers = approversIn(world).filter(({ person }) => person !== payment.maker);
  const needed = world.operations.get(first)?.needs ?? 0;
  const count = scene.random.chance(0.2) ? needed - 1 : needed;
  for (const human of approvers.slice(0, Math.max(0, count))) {
    await beSignedIn(world, human);
    await approve(world, human, { keys: scene.random.chance(0.15) ? waiting.slice(1) : waiting });
    scene.count('batchesApproved');
  }
}

/** Somebody starts the batch, or continues it. Returns false if the server refused that. */
async function startBatch(world: PeopleWorld, human: Human, id: string, server: PeopleServer): Promise<boolean> {
  const { scene, judge } = world;
  await beSignedIn(world, human);
  await lookAtBatch(world, human, id, server);
  const { revision = 0, state } = world.batches.get(id) ?? {};
  const token = tokenOf(human);
  const body = { revision, not_after: databaseNow(scene) + 60_000 };
  const { process } = server;
  const processes = scene.faultRate === 0 ? [process] : [process, ...scene.servers.map((one) => one.process)];
  const run = judge.payments.expectRun(id, { person: human.person, token, processes });
  const call = { method: 'POST', path: `${BATCHES_PATH}/${id}/start`, body };
  const reply = await sendAndJudge(world, human, call, ['prepare'], { server });
  noteBatch(world, id, reply);
  const isRefused = reply !== null && reply.status >= 400 && reply.status < 500 && scene.faultRate === 0;
  if (isRefused) run.refused();
  if (reply?.status === 200) run.started();
  if (reply?.status === 200) scene.count(state === 'paused' ? 'batchesContinued' : 'batchesStarted');
  else scene.count('batchStartsRefused');
  return !isRefused;
}

async function stopBatch(world: PeopleWorld, human: Human, id: string): Promise<void> {
  const { scene, judge } = world;
  await beSignedIn(world, human);
  const call = { method: 'POST', path: `${BATCHES_PATH}/${id}/stop` };
  const reply = await sendAndJudge(world, human, call, ['prepare', 'approve']);
  noteBatch(world, id, reply);
  if (reply?.status !== 200) return;
  judge.payments.stopsRun(id);
  scene.count('batchesStopped');
}

async function withdrawBatch(world: PeopleWorld, human: Human, id: string): Promise<void> {
  await beSignedIn(world, human);
  const call = { method: 'POST', path: `${BATCHES_PATH}/${id}/withdraw` };
  const reply = await sendAndJudge(world, human, call, ['prepare', 'approve']);
  noteBatch(world, id, reply);
  if (reply?.status !== 200) return;
  world.judge.payments.stopsRun(id);
  world.scene.count('batchesWithdrawn');
}

async function excludeLine(world: PeopleWorld, human: Human, id: string): Promise<void> {
  const { scene, judge } = world;
  const key = pickOne(scene, waitingLines(world, id));
  if (key === null) return;
  await beSignedIn(world, human);
  const body = { line: Number(key.slice(id.length + 1)) };
  const reply = await sendAndJudge(world, human, { method: 'POST', path: `${BATCHES_PATH}/${id}/exclude`, body }, [
    'prepare',
    'approve',
  ]);
  if (reply?.status === 200) {
    judge.payments.noteEnded(key, 'excluded');
    scene.count('linesExcluded');
  }
  noteBatch(world, id, reply);
}

async function rejectRest(world: PeopleWorld, human: Human, id: string): Promise<void> {
  const waiting = waitingLines(world, id);
  await reject(world, human, waiting);
  const { payments } = world.judge.payments;
  if (waiting.some((key) => payments.get(key)?.ending === 'rejected')) world.judge.payments.rejectedRest(id);
}

/** A person acts while lines are sent: stops or withdraws the batch, excludes a line, blocks its starter, and so on. */
async function interfere(world: PeopleWorld, id: string, starter: Human, passTime: PassTime): Promise<void> {
  const { scene } = world;
  const { random } = scene;
  const human = pickOne(scene, random.chance(0.5) ? approversIn(world) : operatorsIn(world));
  if (human === null) return;
  const kind = random.next();
  if (kind < 0.35) return stopBatch(world, human, id);
  if (kind < 0.43) return excludeLine(world, human, id);
  if (kind < 0.63) return withdrawBatch(world, human, id);
  if (kind < 0.69) return rejectRest(world, human, id);
  if (kind < 0.74) return void (await block(world, human, starter));
  if (kind < 0.8) return signOutHuman(world, starter);
  if (kind < 0.9) return void (await pay(world, human));
  return passTime(random.whole(1_000, 90_000));
}

/** Lines are sent while others act, for a while, or until the server is frozen or killed. */
async function letRun(
  world: PeopleWorld,
  { id, server, starter, passTime }: { id: string; server: PeopleServer; starter: Human; passTime: PassTime },
): Promise<void> {
  const { scene } = world;
  const { random } = scene;
  const { process } = server;
  const troubleAt = random.chance(0.8) ? random.whole(0, 3) : null;
  for (let made = 0; made < MOST_STEPS; made += 1) {
    await passTime(LINE_MS);
    for (let turns = 0; turns < SETTLES; turns += 1) await finishPendingWork();
    if (process.isKilled) {
      scene.count('runsKilled');
      return takePlaceOf(world, server);
    }
    if (made === troubleAt) await interfere(world, id, starter, passTime);
  }
}

/** A server is frozen while it sends a line; meanwhile somebody stops the batch, or continues it on another server. */
async function freezeRun(world: PeopleWorld, of: Parameters<typeof letRun>[1]): Promise<void> {
  const { scene } = world;
  const { random } = scene;
  const { process, host } = of.server;
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const frozen = { isReached: false };
  process.standStill = { at: random.pick(PLACES), until, reached: () => (frozen.isReached = true) };
  for (let made = 0; made < MOST_STEPS && !frozen.isReached; made += 1) {
    await of.passTime(LINE_MS);
    for (let turns = 0; turns < SETTLES; turns += 1) await finishPendingWork();
  }
  process.standStill = null;
  const everywhere = scene.servers;
  const other = everywhere.find((one) => one.host !== host);
  if (frozen.isReached && other !== undefined) {
    scene.count('runsFrozen');
    scene.tell(`${host.name} stands still while it sends a batch`);
    scene.servers = [other];
    const isReplaced = random.chance(0.5);
    if (isReplaced) await stopBatch(world, of.starter, of.id);
    else await interfere(world, of.id, of.starter, async (ms) => void (scene.now += ms));
    scene.now += random.pick([0, 12_000, 70_000, 150_000]);
    if (isReplaced || random.chance(0.5)) await startBatch(world, of.starter, of.id, other);
    scene.servers = everywhere;
    scene.tell(`${host.name} goes on`);
  }
  goOn();
  await letRun(world, of);
}

/** The provider asks to wait before lines are sent again, and meanwhile somebody stops the batch, or the like. */
async function interfereWithRetry(world: PeopleWorld, of: Parameters<typeof letRun>[1]): Promise<void> {
  const { random } = world.scene;
  // Some lines are sent again undisturbed, or are asked to wait more than once.
  const before = random.whole(0, 3);
  for (let made = 0; made < before && (await askToWait(world, of, 1)); made += 1) await of.passTime(1_000);
  if (!(await askToWait(world, of, random.pick([2, 8, 30])))) return letRun(world, of);
  await interfere(world, of.id, of.starter, of.passTime);
  await letRun(world, of);
  await of.passTime(random.whole(1_000, 40_000));
}

/** The provider asks to wait in its answer to the next line. Returns whether one was sent. */
async function askToWait(
  { scene }: PeopleWorld,
  { passTime }: { passTime: PassTime },
  seconds: number,
): Promise<boolean> {
  scene.asksToWait = seconds;
  for (let made = 0; made < MOST_ASKED_STEPS && scene.asksToWait !== null; made += 1) {
    await passTime(LINE_MS);
    for (let turns = 0; turns < SETTLES; turns += 1) await finishPendingWork();
  }
  const wasSent = scene.asksToWait === null;
  scene.asksToWait = null;
  return wasSent;
}

/** Makes a batch and takes it from its record to its run, while other things happen. */
export async function makeBatch(world: PeopleWorld, passTime: PassTime): Promise<void> {
  const human = pickOne(world.scene, operatorsIn(world));
  if (human === null) return;
  await beSignedIn(world, human);
  const id = await recordBatch(world, human);
  if (world.batches.has(id)) await goOnWithBatch(world, passTime, id);
}

/** Approves a batch, and starts or continues it. */
export async function goOnWithBatch(
  world: PeopleWorld,
  passTime: PassTime,
  id = pickOne(world.scene, openBatches(world)),
): Promise<void> {
  const { scene } = world;
  const { random } = scene;
  const starter = pickOne(scene, operatorsIn(world));
  if (id === null || starter === null) return;
  const work = async (): Promise<void> => {
    await approveBatch(world, id);
    if (random.chance(0.1)) await excludeLine(world, starter, id);
    const server = random.pick(scene.servers);
    if (!(await startBatch(world, starter, id, server)) && random.chance(0.8)) return;
    const how = random.next();
    const of = { id, server, starter, passTime };
    if (how < 0.22) return freezeRun(world, of);
    if (how < 0.42) {
      server.process.stepsLeft = random.whole(2, 60);
      await letRun(world, of);
      server.process.stepsLeft = Number.POSITIVE_INFINITY;
      return;
    }
    if (how < 0.85) return interfereWithRetry(world, of);
    await letRun(world, of);
  };
  await (random.chance(0.7) ? calmly(scene, work) : work());
}
