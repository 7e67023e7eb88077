import { SERVICE } from '#src/server/operations/testAnswers.ts';
import { endPeople } from '#src/server/operations/sqlRows.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { keySessionRights } from '#src/server/people/sessionRows.ts';
import { createActivityLog } from '#src/server/activity/activityLog.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { derivedKey } from '#src/server/people/secrets.ts';
import type { SimulatedFault } from '#src/tests/fault-injection/counts.ts';
import { createModel } from '#src/tests/fault-injection/model.ts';
import { randomOf } from '#src/tests/fault-injection/random.ts';
import type { Verdicts } from '#src/tests/fault-injection/scene.ts';
import { type Human, newHuman, send, finishPendingWork, signInCall, tokenOf } from './humans.ts';
import {
  block,
  blockInCalm,
  calmly,
  goOnWith,
  grant,
  invite,
  inviteHumanAgain,
  inviteOnConsole,
  joinByLink,
  joinWith,
  pay,
  type PeopleWorld,
  signInHuman,
  signInWithEarlier,
  signOutHuman,
  signOutEverywhere,
  somePermissions,
  steal,
  typeCode,
  useBeforeCode,
} from './peopleActs.ts';
import {
  approveOne,
  approveTogether,
  changePolicy,
  decideAgainst,
  forgeApproval,
  hasWaiting,
  interrupt,
  prepare,
  pressWaiting,
  putInForce,
  resendUnderOtherPolicy,
  sendAfterLoss,
  tamper,
} from './approvalActs.ts';
import { goOnWithBatch, makeBatch } from './batchActs.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { forgeRow } from './forgedRows.ts';
import { compareWrongClock } from './lapseActs.ts';
import { approveAfterLongDay } from './longDayActs.ts';
import { createPeopleJudge } from './peopleJudge.ts';
import { type PeopleHost, type PeopleScene, COMPANY_ACCOUNT, API_KEY, clocksAgree, SECRET } from './peopleScene.ts';
import { faultyDatabase, startPeopleServer } from './peopleServer.ts';
import { peopleWorldsOf } from './peopleWorlds.ts';
import {
  blockRecipient,
  blockRecipientOf,
  confirmRecipient,
  nameRecipient,
  payRecipient,
  sendAfterRecipientChange,
} from './recipientActs.ts';
import { stopOne, stopResends, stopUnanswered } from './stopActs.ts';
import { approveUnderStricterPolicy } from './stricterPolicyActs.ts';
import { openPeopleTables } from './tables.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = 1_790_000_000_000;
/** How often an idle server compares the journal with its mark. */
const COMPARE_MS = 2 * SECOND_MS;
const STORM = 8;
const WORDS = 'as the run has it';
/** Servers of earlier runs may still log these for a minute. */
const REFUSALS = /were refused in the last minute/;

interface Parts {
  count: (fault: SimulatedFault) => void;
  blame: (what: keyof Verdicts, why: string) => void;
  tell: ((line: string) => void) | undefined;
  /** Called for whatever a server does. */
  onStep: () => void;
}

/** People of one company, two servers on one database, and the provider. Determined by its seed, except for random tokens. */
export async function simulatePeople(seed: number, parts: Parts): Promise<void> {
  const { error } = console;
  const log: string[] = [];
  console.error = (...line: unknown[]): void => void log.push(line.map(String).join(' '));
  try {
    const world = await openWorld(seed, { ...parts, log });
    await run(world);
    if (world.scene.worlds.stricterPolicy) await approveUnderStricterPolicy(world);
    if (world.scene.worlds.longDays) await approveAfterLongDay(world, (ms) => advance(world, ms));
    if (world.scene.worlds.wrongClocks) await compareWrongClock(world, (ms) => advance(world, ms));
    await leadBack(world);
    await expectBatchesToEnd(world);
    await searchForSecrets(world);
  } finally {
    console.error = (...line: unknown[]): void => {
      if (!REFUSALS.test(String(line[0]))) error(...line);
    };
  }
}

async function openWorld(
  seed: number,
  { log, tell, ...parts }: Parts & Pick<PeopleScene, 'log'>,
): Promise<PeopleWorld & { hosts: PeopleHost[] }> {
  const random = randomOf(seed);
  const worlds = peopleWorldsOf(seed);
  const tables = await openPeopleTables();
  await tables.empty();
  const provider = createModel(() => scene.now);
  const { apiKey } = await provider.open(false);
  let names = 0;
  const scene: PeopleScene = {
    random,
    worlds,
    now: START_MS,
    databaseSkew: 0,
    faultRate: random.pick([0, 0.5, 1]),
    areAnswersLost: false,
    asksToWait: null,
    areConnectionsRefused: false,
    tables,
    servers: [],
    timers: new Set(),
    accounts: [{ name: 'main', account: COMPANY_ACCOUNT, credential: COMPANY_ACCOUNT, apiKey: API_KEY }],
    provider,
    providerKey: apiKey,
    log,
    name: (prefix) => `${prefix}${(names += 1)}`,
    ...parts,
    tell: (line) => tell?.(`people, ${Math.round((scene.now - START_MS) / MINUTE_MS)} min  ${line}`),
    begins: (key, process) => judge.payments.judgeSend(key, process),
    waits: (key) => judge.payments.waitsAgain(key),
    rightsNow: () => judge.rightsNow(),
    posted: (key, body) => judge.payments.posted(key, body),
    executed: (key) => judge.payments.executed(key),
    active: (token) => judge.active(token),
    heard: (text, where) => judge.searched(text, where),
  };
  const judge = createPeopleJudge(scene);
  judge.secret(API_KEY, 'the API key');
  judge.secret(SECRET, 'the secret of the servers');
  await tables.database.query(`insert into people.accounts (service, id, name) values ($1, $2, 'main')`, [
    SERVICE,
    COMPANY_ACCOUNT,
  ]);
  const hosts = ['A', 'B'].map((name): PeopleHost => ({ name, skew: 0, mark: null }));
  for (const host of hosts) scene.servers.push(await startPeopleServer(scene, host));
  scene.count('peopleRuns');
  return {
    scene,
    judge,
    hosts,
    humans: [],
    links: [],
    usedLinks: [],
    waiting: [],
    invitedWith: new Map(),
    stolen: [],
    proofs: [],
    operations: new Map(),
    batches: new Map(),
    approvals: [],
    policyNumber: 0,
    paysMuch: random.chance(0.6) || worlds.stops || worlds.batches,
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

async function run(world: World): Promise<void> {
  const { scene } = world;
  const { random } = scene;
  // Start with some people; approvers first, as they need no code while there is no admin.
  await calmly(scene, async () => {
    const approvers = world.paysMuch ? random.pick([2, 3, 3]) : random.pick([0, 1]);
    for (let made = 0; made < approvers; made += 1)
      await joinFromConsole(world, random.chance(0.3) ? ['view', 'prepare', 'approve'] : ['view', 'approve']);
    await joinFromConsole(world, ['view', 'prepare', 'admin']);
    if (random.chance(0.9)) await changePolicy(world);
    if (!scene.worlds.recipients) return;
    await nameRecipient(world);
    await confirmRecipient(world);
  });
  const acts = random.whole(14, 25);
  for (let made = 0; made < acts; made += 1) {
    scene.now += random.whole(50, 3 * SECOND_MS);
    const before = await peopleAndLines(world);
    await step(world);
    await compareLines(world, before);
  }
}

type Move = [weight: number, make: () => Promise<unknown>];

async function step(world: World): Promise<void> {
  const { scene, humans, judge } = world;
  const { random } = scene;
  const here = humans.filter((human) => tokenOf(human) !== null);
  const one = (): Human => {
    if (here.length > 0 && random.chance(0.6)) return random.pick(here);
    return humans.length === 0 ? newHuman(scene) : random.pick(humans);
  };
  const admins = humans.filter(({ person }) => person !== null && judge.permissionsOf(person).has('admin'));
  const admin = (): Human => (admins.length === 0 || random.chance(0.15) ? one() : random.pick(admins));
  const couple = adminAndOther(world, admins);
  /** A factor for moves that are rarer in a company whose people mostly pay and approve. */
  const rarer = world.paysMuch ? 0.35 : 1;
  const waits = hasWaiting(world) ? 1 / rarer : 0;
  const moves: Move[] = [
    [rarer, () => inviteOnConsole(world, somePermissions(scene))],
    [world.links.length > 0 ? 6 : 0.3, () => joinByLink(world)],
    [world.waiting.length > 0 ? 3 : 0, () => useBeforeCode(world)],
    [world.waiting.length > 0 ? 5 : 0, () => typeCode(world, admin(), random.chance(0.6))],
    [world.paysMuch ? 1 : 3, () => signInHuman(world, one())],
    [humans.some(({ earlier }) => earlier.length > 0) ? 8 * rarer : 0, () => signInWithEarlier(world)],
    [2.5 * rarer, () => invite(world, admin(), somePermissions(scene))],
    [couple === null ? 0 : 2.5 * rarer, () => (couple === null ? noMove() : inviteHumanAgain(world, ...couple))],
    [0.5 * rarer, () => inviteHumanAgain(world, one(), one())],
    [2 * rarer, () => grant(world, admin(), one())],
    [1.5 * rarer, () => block(world, admin(), one())],
    [couple === null ? 0 : 3 * rarer, () => (couple === null ? noMove() : blockInCalm(world, ...couple))],
    [1, () => signOutHuman(world, one())],
    [0.5 * rarer, () => signOutEverywhere(world, admin(), one())],
    [world.stolen.length > 0 ? 3 : 0, () => steal(world)],
    [world.paysMuch ? 1 : 2, () => pay(world, one())],
    [world.paysMuch ? 6 : 1, () => prepare(world)],
    [world.operations.size > 0 ? 1 : 0, () => goOnWith(world, one())],
    [1.6 * waits, () => approveOne(world)],
    [0.9 * waits, () => approveTogether(world)],
    [0.5 * waits, () => decideAgainst(world)],
    [0.3 * waits, () => pressWaiting(world)],
    [0.6 * waits, () => sendAfterLoss(world, admin())],
    [0.4 * waits, () => forgeApproval(world)],
    [0.3 * waits, () => tamper(world)],
    [1.2 * waits, () => interrupt(world, admin(), againstOne(world))],
    [0.5 / rarer, () => resendUnderOtherPolicy(world)],
    [0.2 / rarer, () => changePolicy(world)],
    [0.5 * rarer, () => storm(world)],
    ...recipientMoves(world),
    ...stopMoves(world),
    ...batchMoves(world),
    ...(scene.worlds.forgery ? [[1.5 / rarer, () => forgeRow(world)] satisfies Move] : []),
    [3, () => passTime(world)],
    [1.5 * scene.faultRate, async () => jumpClock(world)],
    [0.6 * rarer, () => backUpAndRestore(world)],
    [0.6 * rarer, () => writeOnOldServers(world)],
    [0.3, () => restart(world)],
  ];
  let drawn = random.next() * moves.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of moves) {
    drawn -= weight;
    if (drawn < 0) return void (await make());
  }
}

/** Ways to stop a payment that exist only in some runs. */
function againstOne(world: World): ((key: string) => Promise<unknown>)[] {
  const { recipients, stops } = world.scene.worlds;
  return [
    ...(recipients ? [(key: string) => blockRecipientOf(world, key)] : []),
    ...(stops ? [(key: string) => stopResends(world, key)] : []),
  ];
}

/** Empty in runs without recipients. */
function recipientMoves(world: World): Move[] {
  if (!world.scene.worlds.recipients) return [];
  const often = world.paysMuch ? 2 : 1;
  return [
    [0.8 * often, () => nameRecipient(world)],
    [1.2 * often, () => confirmRecipient(world)],
    [0.4 * often, () => blockRecipient(world)],
    [1.5 * often, () => payRecipient(world)],
    [2 * often, () => sendAfterRecipientChange(world)],
  ];
}

/** Empty in runs without stops. */
function stopMoves(world: World): Move[] {
  if (!world.scene.worlds.stops) return [];
  const often = world.paysMuch ? 2 : 1;
  return [
    [3 * often, () => stopUnanswered(world, (ms) => advance(world, ms))],
    [1.2 * often, () => stopOne(world)],
  ];
}

/** Empty in runs without batches. */
function batchMoves(world: World): Move[] {
  if (!world.scene.worlds.batches) return [];
  const often = world.paysMuch ? 2 : 1;
  const passTime = (ms: number): Promise<void> => advance(world, ms);
  return [
    [3 * often, () => makeBatch(world, passTime)],
    [world.batches.size > 0 ? 3 * often : 0, () => goOnWithBatch(world, passTime)],
  ];
}

async function noMove(): Promise<void> {}

/** An admin and somebody else who joined; null if there are none. */
function adminAndOther({ scene, humans }: World, admins: readonly Human[]): [by: Human, other: Human] | null {
  const [by] = admins.length === 0 ? [] : [scene.random.pick(admins)];
  const others = humans.filter((human) => human !== by && human.person !== null);
  return by === undefined || others.length === 0 ? null : [by, scene.random.pick(others)];
}

async function advance({ scene }: World, ms: number): Promise<void> {
  const until = scene.now + ms;
  for (;;) {
    const [next] = [...scene.timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
    if (next === undefined) break;
    scene.timers.delete(next);
    scene.now = Math.max(scene.now, next.at);
    next.act();
    await finishPendingWork();
  }
  scene.now = until;
  if (ms < COMPARE_MS) return;
  for (const server of scene.servers) await server.compare();
}

async function passTime(world: World): Promise<void> {
  const { random, count } = world.scene;
  const kind = random.next();
  if (kind < 0.4) return advance(world, random.whole(100, 90 * SECOND_MS));
  if (kind < 0.6) return advance(world, random.whole(2, 25) * MINUTE_MS);
  if (kind < 0.8) {
    count('peopleIdle');
    return advance(world, random.whole(32, 90) * MINUTE_MS);
  }
  count('peopleAwayForADay');
  return advance(world, random.whole(13, 60) * HOUR_MS);
}

function jumpClock({ scene, judge, hosts }: World): void {
  const { random } = scene;
  const ms = random.chance(0.4) ? 0 : random.whole(-30 * HOUR_MS, 30 * HOUR_MS);
  scene.count('peopleClockJumps');
  judge.clockJumped();
  if (random.chance(0.5)) scene.databaseSkew = ms;
  else random.pick(hosts).skew = ms;
}

async function restart(world: World): Promise<void> {
  const { scene, hosts } = world;
  for (const { process } of scene.servers) process.isKilled = true;
  scene.servers = [];
  scene.timers.clear();
  for (const host of hosts) scene.servers.push(await startPeopleServer(scene, host));
}

/** Makes a backup, lets people act, and restores the backup: the servers' marks show the set-back. */
async function backUpAndRestore(world: World): Promise<void> {
  const { scene, judge } = world;
  await calmly(scene, () => advance(world, COMPARE_MS));
  await scene.tables.backUp();
  judge.backedUp();
  const before = await position(world);
  const rounds = scene.random.whole(1, 3);
  for (let made = 0; made < rounds; made += 1) await stepWithoutCopies(world);
  await calmly(scene, () => advance(world, COMPARE_MS));
  if ((await position(world)) === before) return;
  await scene.tables.restore();
  judge.restored();
  world.waiting = [];
  world.links = [];
  scene.count('peopleRestored');
  await restart(world);
  const [row] = await scene.tables.database.query(
    'select 1 as one from operations.journal where set_back_at is not null',
  );
  if (row === undefined) scene.blame('unnoticed', 'a server starts on an older copy of people');
}

async function stepWithoutCopies(world: World): Promise<void> {
  const { scene, humans } = world;
  const { random } = scene;
  if (humans.length === 0) return inviteOnConsole(world, somePermissions(scene));
  const [by, other] = [random.pick(humans), random.pick(humans)];
  const kind = random.next();
  if (kind < 0.4) return void (await block(world, by, other));
  if (kind < 0.6) return grant(world, by, other);
  if (kind < 0.8) return invite(world, by, somePermissions(scene));
  return void (await pay(world, by));
}

/** A newer version has migrated the journal while servers of the older version still run. */
async function writeOnOldServers(world: World): Promise<void> {
  const { scene } = world;
  const { database } = scene.tables;
  await database.query('update operations.journal set version = version + 1');
  await expectNothingWritten(world, 'a server of an older version');
  await database.query('update operations.journal set version = version - 1');
  scene.count('writesOfOldServers');
}

async function expectNothingWritten(world: World, where: string): Promise<void> {
  const { scene, humans } = world;
  const before = await peopleAndLines(world);
  for (let made = 0; made < 2; made += 1) await stepWithoutCopies(world);
  const [human] = humans;
  if (human !== undefined) await typeCode(world, human, true);
  const after = await peopleAndLines(world);
  if (after.people !== before.people || after.lines !== before.lines) scene.blame('withoutRight', `${where} writes`);
}

async function position({ scene }: World): Promise<string> {
  const [row] = await scene.tables.database.query<{ position: string }>(
    'select position::text from operations.journal',
  );
  return row?.position ?? '';
}

/**
 * A hash of the rows of people, and the number of the activity's last line. Without what is noted when somebody sees a role that
 * waits, which has no line.
 */
async function peopleAndLines({ scene }: World): Promise<{ people: string; lines: string }> {
  const [row] = await scene.tables.database.query<{ people: string; lines: string }>(
    `select md5(concat(
       (select string_agg(p::text, ' ' order by id) from people.people p),
       (select string_agg((to_jsonb(g) - '{told_at,counts_from,seal}'::text[])::text, ' ' order by id) from people.grants g),
       (select string_agg(concat(id, counts_from, ended_at), ' ' order by id) from people.passkeys),
       (select string_agg(i::text, ' ' order by token_sha256) from people.invites i))) as people,
       (select coalesce(max(number), 0)::text from activity.lines) as lines`,
  );
  return row ?? { people: '', lines: '' };
}

/** Each change of people must have a line in the activity. */
async function compareLines(world: World, before: Awaited<ReturnType<typeof peopleAndLines>>): Promise<void> {
  const after = await peopleAndLines(world);
  if (after.people === before.people) return;
  await world.judge.compare();
  world.scene.count('peopleChanged');
  // A backup with its own lines was restored.
  if (world.judge.isFrozen()) return;
  if (after.lines === before.lines) world.scene.blame('withoutLine', 'people were changed, and there is no line of it');
}

/** Many refused sign-ins must not take the write lock or write anything, and payments must go on. */
async function storm(world: World): Promise<void> {
  const { scene, judge, humans } = world;
  const payer = humans.find(({ person }) => person !== null && judge.permissionsOf(person).has('prepare'));
  await calmly(scene, async () => {
    if (payer !== undefined) await signInHuman(world, payer);
    const before = [await position(world), await scene.tables.dump()].join();
    for (let made = 0; made < STORM; made += 1) {
      const stranger = newHuman(scene);
      const server = scene.random.pick(scene.servers);
      const call = await signInCall(scene, stranger, { signer: stranger.authenticator, server });
      if (call !== null && (await send(scene, stranger, call, server)).status === 201)
        scene.blame('withoutRight', 'a stranger is signed in');
    }
    scene.count('signInStorms');
    if ([await position(world), await scene.tables.dump()].join() !== before)
      scene.blame('lockedOut', 'a refused sign-in takes a turn or writes');
    if (payer === undefined || !clocksAgree(scene)) return;
    const token = tokenOf(payer);
    const isSure = token !== null && judge.mayAct(payer.person ?? '', token, payer.authenticator.id, 'prepare');
    const session = await send(scene, payer, { method: 'GET', path: '/session' });
    const { permissions } = session.body;
    if (!isSure || !Array.isArray(permissions) || !permissions.includes('prepare')) return;
    if (judge.payments.policies().some((policy) => policy?.recipients.unlisted === 'refuse')) return;
    const paid = world.operations.size;
    await pay(world, payer, { isCareful: true });
    if (world.operations.size === paid) scene.blame('lockedOut', 'a payment is stopped by refused sign-ins');
  });
}

const LAST_ROLES = ['view', 'prepare', 'admin'] as const;

/** From any state, three console commands and 72 hours must be enough to have somebody who can pay. */
async function leadBack(world: World): Promise<void> {
  const { scene, judge, hosts, humans } = world;
  const { random } = scene;
  scene.faultRate = 0;
  scene.databaseSkew = 0;
  for (const host of hosts) host.skew = 0;
  judge.clockJumped();
  // Everybody may have lost everything.
  const isLost = random.chance(0.5);
  if (isLost) scene.count('everyPasskeyLost');
  world.links = [];
  await advance(world, 72 * HOUR_MS);
  if (judge.isFrozen()) {
    const [server] = scene.servers;
    const refusal = await server?.operations.endSetBack(WORDS);
    if (refusal !== null) return scene.blame('lockedOut', `the set-back doesn't end: ${refusal}`);
    judge.setBackEnded();
    scene.count('peopleSetBacksEnded');
  }
  let payer = await joinFromConsole(world);
  const isWaiting = world.waiting.find(({ human }) => human === payer);
  if (isWaiting !== undefined && !isLost) {
    world.waiting = [isWaiting];
    for (const admin of humans.filter(({ person }) => person !== null && judge.permissionsOf(person).has('admin'))) {
      if (admin === payer || world.waiting.length === 0) continue;
      await signInHuman(world, admin);
      await typeCode(world, admin, true);
    }
    if (payer !== null) await signInHuman(world, payer);
  }
  if (payer === null || tokenOf(payer) === null) {
    scene.count('peopleEnded');
    const database = faultyDatabase(scene);
    const activity = createActivityLog(derivedKey(SECRET, 'activity'));
    const seals = createSeals(derivedKey(SECRET, 'seals'));
    await endPeople(database, WORDS, { readSessionRights: keySessionRights, activity, seals });
    judge.everythingEnded();
    // The older servers still run, while the database takes API keys.
    if (humans.length > 0) await expectNothingWritten(world, 'a server with another SIGN_IN');
    await restart(world);
    payer = await joinFromConsole(world);
  }
  // Under a policy that refuses unconfirmed recipients a second person would be needed.
  if (scene.worlds.recipients) await putInForce(world, NO_APPROVALS);
  const paid = world.operations.size;
  if (payer !== null) await pay(world, payer, { isCareful: true });
  scene.count('consoleWaysBack');
  if (world.operations.size === paid) scene.blame('lockedOut', 'the console leads to nobody who can pay');
  await judge.compare();
}

/** A batch without waiting lines has a way on or has ended, and a line of a batch that has ended doesn't wait. */
async function expectBatchesToEnd({ scene }: World): Promise<void> {
  const open = await scene.tables.database.query<{ id: string; state: string }>(
    `select id, state from operations.batches b where (state = 'waiting') <> exists (select 1 from operations.operations o
       where o.batch = b.id and o.state = 'awaiting') and state in ('waiting', 'stopped', 'done')`,
  );
  for (const { id, state } of open)
    scene.blame('unresolved', `${id} is ${state}, and ${state === 'waiting' ? 'no line waits' : 'a line still waits'}`);
}

async function joinFromConsole(world: World, roles: readonly Permission[] = LAST_ROLES): Promise<Human | null> {
  world.links = [];
  await inviteOnConsole(world, roles);
  const [link] = world.links;
  return link === undefined ? null : joinWith(world, link);
}

async function searchForSecrets({ scene, judge }: World): Promise<void> {
  judge.searched(await scene.tables.dump(), 'the database');
  judge.searched(scene.log.join('\n'), 'the log');
}
