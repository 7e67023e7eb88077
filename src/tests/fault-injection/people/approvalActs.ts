import { isObject } from '#src/shared/answers.ts';
import { APPROVALS_PATH } from '#src/shared/contract/approvalsContract.ts';
import { withdrawalBody, readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { sha256 } from '#src/server/operations/rowText.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { insertPolicy, somePolicy } from './companyPolicy.ts';
import { type PeopleCall, type Human, newHuman, type PeopleReply, proofFor, send, tokenOf } from './humans.ts';
import {
  sendAndJudge,
  block,
  calmly,
  grant,
  noteView,
  pay,
  type PeopleWorld,
  pickOne,
  pressSend,
  REST_MS,
  signInHuman,
  WORDS,
} from './peopleActs.ts';
import { type PeopleServer, databaseNow, type StandStill } from './peopleScene.ts';
import { startPeopleServer } from './peopleServer.ts';

const SECOND_MS = 1_000;
/** Maximum number of payments that one signature covers here. */
const MOST_TOGETHER = 3;

export function keysIn(world: PeopleWorld, states: readonly string[]): string[] {
  return [...world.operations].filter(([, { state }]) => states.includes(state)).map(([key]) => key);
}

export function hasWaiting(world: PeopleWorld): boolean {
  return keysIn(world, ['awaiting', 'unconfirmed']).length > 0;
}

/** People who may approve, as far as the judge knows. */
export function approversIn({ humans, judge }: PeopleWorld): Human[] {
  return humans.filter(({ person }) => person !== null && judge.permissionsOf(person).has('approve'));
}

export function operatorsIn({ humans, judge }: PeopleWorld): Human[] {
  return humans.filter(({ person }) => person !== null && judge.permissionsOf(person).has('prepare'));
}

export async function beSignedIn(world: PeopleWorld, human: Human): Promise<void> {
  if (!world.judge.hasSession(tokenOf(human))) await signInHuman(world, human);
}

/** An operator who is signed in prepares a payment. */
export async function prepare(world: PeopleWorld): Promise<void> {
  const human = pickOne(world.scene, operatorsIn(world));
  if (human === null) return;
  await beSignedIn(world, human);
  await pay(world, human);
}

/** Mostly an approver; sometimes the maker or anybody else. */
export function someApprover(world: PeopleWorld): Human | null {
  const { scene, humans } = world;
  const approvers = approversIn(world);
  return pickOne(scene, approvers.length === 0 || scene.random.chance(0.1) ? humans : approvers);
}

function someWaiting(world: PeopleWorld): string[] {
  const { scene } = world;
  const keys = keysIn(
    world,
    scene.random.chance(0.85) ? ['awaiting'] : ['awaiting', 'unconfirmed', 'ready', 'not-sent'],
  );
  const count = scene.random.chance(0.7) ? 1 : MOST_TOGETHER;
  return keys
    .map((key) => ({ key, at: scene.random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ key }) => key);
}

/** The ids of the unusual points that the approver is shown. Some approvers don't look. */
async function lookAt(world: PeopleWorld, human: Human, keys: readonly string[]): Promise<string[]> {
  const { scene } = world;
  if (scene.random.chance(0.3)) return [];
  const seen = new Set<string>();
  for (const key of keys) {
    const { body } = await send(scene, human, { method: 'GET', path: `${APPROVALS_PATH}/${key}` });
    if (isObject(body['view'])) noteView(world, key, { body: body['view'] });
    if (!Array.isArray(body['unusual'])) continue;
    for (const one of body['unusual']) if (isObject(one)) seen.add(String(one['id']));
  }
  return [...seen];
}

/** The outcomes in an answer. Also notes what it says about each payment. */
export function outcomesIn(world: PeopleWorld, reply: PeopleReply | null): { key: string; recorded: boolean }[] {
  const data = reply?.body['data'];
  if (!Array.isArray(data)) return [];
  return data.filter(isObject).map(({ key, recorded, problem, view }) => {
    noteView(world, String(key), { body: { ...(isObject(view) ? view : {}), problem } });
    return { key: String(key), recorded: recorded === true };
  });
}

/** The approver's request; null if the server gives no ticket. */
async function approvalCall(
  { scene }: PeopleWorld,
  human: Human,
  { keys, seen, server }: { keys: readonly string[]; seen: readonly string[]; server: PeopleServer },
): Promise<(PeopleCall & { body: Record<string, unknown> }) | null> {
  const decision = { decision: 'approve', keys, seen };
  const proof = await proofFor(scene, human, decision, { signer: human.authenticator, server });
  if (proof === null) return null;
  return { method: 'POST', path: APPROVALS_PATH, body: { ...decision, not_after: databaseNow(scene) + 60_000, proof } };
}

interface HowToApprove {
  keys?: readonly string[];
  server?: PeopleServer;
  /** Called between the signature and the request. */
  before?: () => Promise<unknown>;
}

/** Somebody approves payments, on one server or on two at once. */
export async function approve(world: PeopleWorld, human: Human, how: HowToApprove = {}): Promise<void> {
  const { scene, judge, approvals } = world;
  const { keys = someWaiting(world), server = scene.random.pick(scene.servers) } = how;
  const { person } = human;
  if (keys.length === 0 || person === null) return;
  if (keys.length > 1) scene.count('approvalsOfSeveral');
  const seen = await lookAt(world, human, keys);
  const call = await approvalCall(world, human, { keys, seen, server });
  if (call === null) return scene.count('approvalsRefused');
  approvals.push(call);
  const passkey = human.authenticator.id;
  const forget = new Map(keys.map((key) => [key, judge.payments.expectApproval(key, person, passkey)]));
  await how.before?.();
  judge.payments.approvalPressed(keys);
  const sent = { server, proofBy: passkey };
  const isOld = judge.isOldSignIn(tokenOf(human));
  const reply = await sendAndJudge(world, human, call, ['approve'], sent);
  const isUnknown = reply === null || reply.status >= 500;
  const outcomes = outcomesIn(world, reply);
  if (isOld && outcomes.some(({ recorded }) => recorded))
    scene.blame('withoutSession', `${person} approves, and signed in more than four hours before`);
  for (const { key, recorded } of outcomes) {
    scene.count(recorded ? 'approvalsGiven' : 'approvalsRefused');
    const isOwn = judge.payments.payments.get(key)?.maker === person;
    if (recorded && isOwn) scene.blame('selfApproved', `${key} is approved by ${person}, who prepared it`);
    // The other copy of a doubled request may have recorded it.
    if (!recorded && !isOwn && judge.payments.payments.get(key)?.sentAt === null) forget.get(key)?.();
  }
  if (!isUnknown && reply.status >= 300) for (const key of keys) forget.get(key)?.();
  if (!isUnknown && !scene.random.chance(0.08)) return;
  // The answer is lost, and the page or the person asks again.
  scene.count('approvalsAskedAgain');
  judge.payments.approvalPressed(keys);
  outcomesIn(
    world,
    await sendAndJudge(world, human, call, ['approve'], { ...sent, server: scene.random.pick(scene.servers) }),
  );
}

/** Everybody who may approve it does, except its maker. */
export async function approveByAll(world: PeopleWorld, key: string): Promise<void> {
  const maker = world.judge.payments.payments.get(key)?.maker;
  for (const human of approversIn(world).filter(({ person }) => person !== maker)) {
    if (world.operations.get(key)?.state !== 'awaiting') return;
    await beSignedIn(world, human);
    await approve(world, human, { keys: [key] });
  }
}

export async function approveOne(world: PeopleWorld): Promise<void> {
  const { scene } = world;
  const human = someApprover(world);
  if (human === null) return;
  if (scene.random.chance(0.8)) await beSignedIn(world, human);
  const keys = someWaiting(world);
  const isOwn = keys.some((key) => world.judge.payments.payments.get(key)?.maker === human.person);
  const isRepeated = scene.random.chance(0.2);
  await approve(world, human, { keys });
  if (isRepeated) {
    scene.count('approvalsRepeated');
    await approve(world, human, { keys });
  }
  // One person counts once, however often they sign, and the maker never.
  if (isOwn || isRepeated) for (const key of keys) await pressAsOperator(world, key);
}

/** Several approvers approve the same payments, one after the other, or while the first one's server is frozen. */
export async function approveTogether(world: PeopleWorld): Promise<void> {
  const { scene } = world;
  const keys = someWaiting(world);
  const approvers = approversIn(world).slice(0, 3);
  if (keys.length === 0 || approvers.length < 2) return;
  scene.count('approvalsTogether');
  for (const human of approvers) await beSignedIn(world, human);
  const [first, ...others] = approvers;
  const [server] = scene.servers;
  const inTurn = async (humans: readonly Human[]): Promise<void> => {
    for (const human of humans) await approve(world, human, { keys });
  };
  if (first === undefined || server === undefined || scene.random.chance(0.5)) return inTurn(approvers);
  await standingStill(
    world,
    server,
    () => approve(world, first, { keys, server }),
    () => inTurn(others),
  );
}

/** An approver rejects payments, which is final. */
export async function reject(world: PeopleWorld, human: Human, keys: readonly string[]): Promise<void> {
  const { scene, judge } = world;
  const body = { decision: 'reject', keys, reason: WORDS };
  const reply = await sendAndJudge(world, human, { method: 'POST', path: APPROVALS_PATH, body }, ['approve']);
  for (const { key, recorded } of outcomesIn(world, reply)) {
    if (!recorded) continue;
    scene.count('rejections');
    judge.payments.noteEnded(key, 'rejected');
  }
}

/** The maker, or somebody else, withdraws a payment. */
export async function withdraw(world: PeopleWorld, key: string): Promise<void> {
  const { scene, humans, judge, operations } = world;
  const maker = humans.find(({ person }) => person === judge.payments.payments.get(key)?.maker);
  const human = scene.random.chance(0.85) ? maker : pickOne(scene, humans);
  if (human === undefined || human === null) return;
  await beSignedIn(world, human);
  const before = operations.get(key)?.state;
  const reply = await sendAndJudge(world, human, { method: 'DELETE', path: `/api/operations/${key}` }, ['prepare']);
  noteView(world, key, reply);
  if (reply?.status !== 200) return;
  judge.payments.noteEnded(key, 'withdrawn');
  if (before !== 'not-sent') scene.count('withdrawals');
}

export async function decideAgainst(world: PeopleWorld): Promise<void> {
  const { scene } = world;
  const keys = someWaiting(world);
  const human = someApprover(world);
  if (keys.length === 0 || human === null) return;
  if (scene.random.chance(0.6)) await reject(world, human, keys);
  else await withdraw(world, keys[0] ?? '');
  // A person who hasn't heard of it still presses Send.
  if (scene.random.chance(0.5)) await pressAsOperator(world, keys[0] ?? '');
}

/** An operator presses Send on payments, approved or not. */
export async function pressWaiting(world: PeopleWorld): Promise<void> {
  const key = pickOne(world.scene, keysIn(world, ['awaiting', 'ready', 'unconfirmed']));
  if (key !== null) await pressAsOperator(world, key);
}

export async function pressAsOperator(world: PeopleWorld, key: string): Promise<void> {
  const human = pickOne(world.scene, operatorsIn(world));
  if (human === null) return;
  await beSignedIn(world, human);
  await pressSend(world, human, key);
}

/** Puts the next policy in force, which may be stricter or looser. */
export async function changePolicy(world: PeopleWorld): Promise<void> {
  const { scene } = world;
  const next = somePolicy(scene.random, scene.worlds);
  await putInForce(world, next);
  scene.count('policyChanges');
}

export async function putInForce(world: PeopleWorld, next: Policy): Promise<void> {
  const { scene, judge } = world;
  judge.payments.policyChanges(next);
  await insertPolicy(scene, (world.policyNumber += 1), next);
  judge.payments.policyChanged();
}

/** Payments are approved, the approver loses the right to approve and perhaps gets it again, and then Send is pressed. */
export async function sendAfterLoss(world: PeopleWorld, by: Human): Promise<void> {
  const { scene } = world;
  const keys = someWaiting(world);
  const [approver, other] = approversIn(world).filter((human) => human !== by);
  if (keys.length === 0 || approver === undefined) return;
  await calmly(scene, async () => {
    await beSignedIn(world, approver);
    await beSignedIn(world, by);
    // The request to send comes later.
    scene.areConnectionsRefused = true;
    await approve(world, approver, { keys });
    scene.areConnectionsRefused = false;
    scene.now += SECOND_MS;
    if (scene.random.chance(0.5)) await block(world, by, approver);
    else await grant(world, by, approver, ['view']);
    scene.now += SECOND_MS;
    if (scene.random.chance(0.5)) await grant(world, by, approver, ['view', 'approve']);
    scene.count('approversLost');
    scene.now += SECOND_MS;
    if (other !== undefined && scene.random.chance(0.4)) {
      await beSignedIn(world, other);
      await approve(world, other, { keys });
    }
    for (const key of keys) await pressAsOperator(world, key);
  });
}

/** A payment without an answer is sent again after the policy has changed. */
export async function resendUnderOtherPolicy(world: PeopleWorld): Promise<void> {
  const { scene, judge, operations } = world;
  const maker = pickOne(scene, operatorsIn(world));
  if (maker === null) return;
  await calmly(scene, async () => {
    await signInHuman(world, maker);
    scene.areAnswersLost = true;
    const key = await pay(world, maker, { isCareful: true });
    const approvers = approversIn(world).filter((human) => human !== maker);
    for (const human of approvers) {
      if (operations.get(key)?.state !== 'awaiting') break;
      await beSignedIn(world, human);
      await approve(world, human, { keys: [key] });
    }
    scene.areAnswersLost = false;
    if (judge.payments.payments.get(key)?.wasPosted !== true) return;
    await changePolicy(world);
    scene.now += REST_MS;
    scene.count('resendsUnderOtherPolicy');
    await pressSend(world, maker, key);
    if (scene.random.chance(0.4)) await changePolicy(world);
    const human = pickOne(scene, approvers);
    if (human !== null && scene.random.chance(0.6)) await approve(world, human, { keys: [key] });
    scene.now += REST_MS;
    await pressSend(world, maker, key);
  });
}

/** A thief with somebody's cookies approves: without a signature, with an earlier one, or with a passkey of their own. */
export async function forgeApproval(world: PeopleWorld): Promise<void> {
  const { scene, humans, approvals, stolen, judge } = world;
  const victim = someApprover(world);
  const copy = scene.random.chance(0.3) ? pickOne(scene, stolen) : null;
  const cookies = copy?.cookies ?? victim?.cookies ?? new Map<string, string>();
  const keys = someWaiting(world);
  if (keys.length === 0) return;
  const server = scene.random.pick(scene.servers);
  const decision = { decision: 'approve', keys, seen: [] };
  const not_after = databaseNow(scene) + 60_000;
  const maker = humans.find(({ person }) => person === judge.payments.payments.get(keys[0] ?? '')?.maker);
  const kinds = {
    none: async () => undefined,
    replayed: async () => pickOne(scene, approvals)?.body?.['proof'],
    // Signed by the passkey's owner, but over other payments.
    others: async () => {
      const others = keysIn(world, ['awaiting']).filter((key) => !keys.includes(key));
      const signer = victim?.authenticator;
      if (others.length === 0 || signer === undefined) return undefined;
      return proofFor(scene, { cookies }, { ...decision, keys: others }, { signer, server });
    },
    own: async () => {
      const signer = scene.random.chance(0.5) && maker !== undefined && maker !== victim ? maker : newHuman(scene);
      return proofFor(scene, { cookies }, decision, { signer: signer.authenticator, server });
    },
  };
  const proof = await scene.random.pick([kinds.none, kinds.replayed, kinds.others, kinds.own])();
  scene.count('approvalsForged');
  const before = approvals.find(({ body }) => body?.['proof'] === proof)?.body?.['keys'];
  const isSame = Array.isArray(before) && keys.every((key) => before.includes(key));
  const call = { method: 'POST', path: APPROVALS_PATH, body: { ...decision, not_after, ...(proof ? { proof } : {}) } };
  const reply = await send(scene, { cookies }, call, server);
  for (const { key, recorded } of outcomesIn(world, reply))
    if (recorded && !isSame) scene.blame('unsigned', `${key} is approved with a signature that isn't for it`);
}

/** Somebody with write access to the database increases a waiting payment, and a person continues with it. */
export async function tamper(world: PeopleWorld): Promise<void> {
  const { scene, judge } = world;
  const key = pickOne(scene, keysIn(world, ['awaiting']));
  const payment = judge.payments.payments.get(key ?? '');
  const fields = readWithdrawalBody(payment?.body ?? '');
  if (key === null || fields === null) return;
  const human = someApprover(world);
  await calmly(scene, async () => {
    scene.areConnectionsRefused = true;
    if (human !== null) await beSignedIn(world, human);
    if (human !== null) await approve(world, human, { keys: [key] });
    scene.areConnectionsRefused = false;
    const body = withdrawalBody({ ...fields, amount: '1' });
    const { database } = scene.tables;
    await database.script('set session_replication_role = replica');
    await database.query('update operations.operations set body = $2, body_sha256 = $3, amount = $4 where key = $1', [
      key,
      body,
      sha256(body),
      '1',
    ]);
    await database.script('set session_replication_role = origin');
    judge.payments.tampered(key, body);
    scene.count('rowsTamperedWith');
    await pressAsOperator(world, key);
  });
}

export const PLACES: readonly StandStill[] = ['read', 'connect', 'begin', 'commit'];

/** A server is frozen while it sends, or is killed; meanwhile others decide. `others`: what else they may do to the payment. */
export async function interrupt(
  world: PeopleWorld,
  by: Human,
  others: readonly ((key: string) => Promise<unknown>)[],
): Promise<void> {
  const { scene } = world;
  const keys = someWaiting(world).slice(0, 1);
  const [key] = keys;
  const approver = someApprover(world);
  if (key === undefined || approver === null) return;
  await beSignedIn(world, approver);
  const server = scene.random.pick(scene.servers);
  const work = (): Promise<void> =>
    scene.random.chance(0.7) ? approve(world, approver, { keys, server }) : pressSend(world, by, key, server);
  if (scene.random.chance(0.45)) return kill(world, server, work);
  const other = someApprover(world);
  const meanwhile = (): Promise<unknown> => {
    for (const further of others) if (scene.random.chance(0.3)) return further(key);
    const kind = scene.random.next();
    if (kind < 0.25 && other !== null) return reject(world, other, keys);
    if (kind < 0.4) return withdraw(world, key);
    if (kind < 0.6) return block(world, by, approver);
    if (kind < 0.8) return changePolicy(world);
    if (kind < 0.9) return grant(world, by, approver, ['view']);
    return other === null ? changePolicy(world) : approve(world, other, { keys });
  };
  await standingStill(world, server, work, meanwhile);
}

export async function standingStill(
  { scene }: PeopleWorld,
  { process, host }: PeopleServer,
  work: () => Promise<void>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const at = scene.random.pick(PLACES);
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => (goOn = resolve));
  const isReached = new Promise<'reached'>((resolve) => {
    process.standStill = { at, until, reached: () => resolve('reached') };
  });
  const working = work();
  const first = await Promise.race([isReached, working]);
  const elsewhere = scene.servers;
  if (first === 'reached') {
    scene.tell(`${host.name} stands still (${at})`);
    scene.count('peopleServersFrozen');
    // Stop once: each of several statements after commits would wait again.
    process.standStill = null;
    scene.servers = elsewhere.filter(({ host: one }) => one !== host);
    await meanwhile();
    scene.now += scene.random.pick([0, SECOND_MS, 12 * SECOND_MS, 150 * SECOND_MS]);
    scene.servers = elsewhere;
    scene.tell(`${host.name} goes on`);
  }
  process.standStill = null;
  goOn();
  await working;
}

async function kill(world: PeopleWorld, server: PeopleServer, work: () => Promise<void>): Promise<void> {
  const { scene } = world;
  const { process } = server;
  process.stepsLeft = scene.random.whole(2, 45);
  await work();
  process.stepsLeft = Number.POSITIVE_INFINITY;
  if (process.isKilled) await takePlaceOf(world, server);
}

/** Starts another process in place of one that was killed. */
export async function takePlaceOf({ scene }: PeopleWorld, killed: PeopleServer): Promise<void> {
  const { host } = killed;
  scene.tell(`${host.name} was killed`);
  scene.count('peopleServersKilled');
  const started = await startPeopleServer(scene, host);
  scene.servers = scene.servers.map((one) => (one === killed ? started : one));
}
