import { isObject } from '#src/shared/answers.ts';
import { PERMISSIONS, type Permission } from '#src/shared/permissions.ts';
import { readWithdrawalBody, withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { RP_ID } from '#src/server/people/testOrigin.ts';
import { tokenHash } from '#src/server/people/secrets.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import {
  type Authenticator,
  type PeopleCall,
  type Human,
  joinCall,
  newHuman,
  type PeopleReply,
  send,
  signed,
  signInCall,
  tokenOf,
  withSignature,
} from './humans.ts';
import { PAYMENT_AMOUNTS } from './companyPolicy.ts';
import type { PeopleJudge } from './peopleJudge.ts';
import { type PeopleScene, type PeopleServer, COMPANY_ACCOUNT, databaseNow, clocksAgree } from './peopleScene.ts';

/** An invite link that somebody received. */
interface Link {
  token: string;
  /** Null if it was made on the console: then anybody can use it. */
  human: Human | null;
  permissions: readonly Permission[];
  /** The id of the invited person. */
  person: string;
}

/** A person who joined and waits for an admin to type the code. */
interface Waiting {
  human: Human;
  key: string;
  code: string;
  permissions: readonly Permission[];
}

export interface PeopleWorld {
  scene: PeopleScene;
  judge: PeopleJudge;
  humans: Human[];
  links: Link[];
  usedLinks: Link[];
  waiting: Waiting[];
  /** The permissions of each person's first invite; later invites may give them again. */
  invitedWith: Map<string, readonly Permission[]>;
  /** Stolen copies of a browser's cookies, with the person they belong to. */
  stolen: { cookies: Map<string, string>; human: Human }[];
  /** Signatures over payments, as sent. */
  proofs: unknown[];
  /** The last view of each withdrawal, by key. */
  operations: Map<string, SeenPayment>;
  /** The last view of each batch, by its id. */
  batches: Map<string, { revision: number; state: string }>;
  /** The approvers' requests, with their signatures. */
  approvals: PeopleCall[];
  /** The number of the newest policy; 0 if there is none. */
  policyNumber: number;
  /** A company whose people mostly pay and approve, and seldom change. */
  paysMuch: boolean;
}

/** A payment as last shown in an answer. `needs`: number of approvals. */
export interface SeenPayment {
  revision: number;
  state: string;
  needs: number;
}

export const WORDS = 'as the run has it';

export function pickOne<T>({ random }: PeopleScene, from: readonly T[]): T | null {
  return from.length === 0 ? null : random.pick(from);
}

/**
 * Makes a request, signed by `signer`, to one server or, as networks may do, to two, and lets the judge check the answers.
 * `proofBy`: the passkey, if the request is already signed.
 */
export async function sendAndJudge(
  { scene, judge }: PeopleWorld,
  human: Human,
  call: PeopleCall,
  needs: readonly Permission[],
  more: {
    signer?: Authenticator | undefined;
    cookies?: Map<string, string> | undefined;
    server?: PeopleServer | undefined;
    proofBy?: string | undefined;
  } = {},
): Promise<PeopleReply | null> {
  const { signer, proofBy = signer?.id, server = scene.random.pick(scene.servers) } = more;
  const browser = { cookies: more.cookies ?? human.cookies };
  const token = tokenOf(browser);
  const at = scene.now;
  const whole = signer === undefined ? call : await signed(scene, browser, call, { signer, server });
  if (whole === null) return null;
  const isDoubled = scene.random.chance(0.12 * scene.faultRate);
  if (isDoubled) scene.count('peopleRequestsDoubled');
  const sent = isDoubled ? [server, scene.random.pick(scene.servers)] : [server];
  for (const { process } of sent) process.rightsAtCommit = null;
  const answers = await Promise.all(
    sent.map(async (one) => {
      const reply = await send(scene, browser, whole, one);
      // Read now: the other copy may be answered much later, when this server has committed something else.
      return { reply, rightsThen: one.process.rightsAtCommit };
    }),
  );
  for (const { reply, rightsThen } of answers) {
    if (reply.status >= 300) continue;
    const { person } = human;
    const what = `${call.method} ${call.path} is done`;
    if (person !== null && token !== null)
      judge.used({
        person,
        token,
        needs,
        at,
        what,
        ...(proofBy !== undefined && { signer: proofBy }),
        ...(rightsThen && { rightsThen }),
      });
    else scene.blame('withoutSession', what);
  }
  const replies = answers.map(({ reply }) => reply);
  return replies.find(({ status }) => status < 300) ?? replies[0] ?? null;
}

/** Records the session of the new cookie. */
function noteSession({ scene, judge }: PeopleWorld, human: Human, key: string): void {
  const token = tokenOf(human);
  if (token === null || human.person === null) return;
  judge.secret(token, 'the token of a session');
  judge.signedIn(token, human.person, key);
  scene.count('peopleSignedIn');
}

export async function inviteOnConsole(world: PeopleWorld, permissions: readonly Permission[]): Promise<void> {
  const { scene, judge, links } = world;
  const { people } = scene.random.pick(scene.servers);
  const made = await people.inviteFromConsole(COMPANY_ACCOUNT, permissions, WORDS).catch(() => null);
  if (made === null) return;
  judge.secret(made.token, 'the token of an invite');
  links.push({ token: made.token, human: null, permissions, person: made.person });
  world.invitedWith.set(made.person, permissions);
}

/** Whether the database has an admin who could type a code. */
async function hasAdmin({ scene }: PeopleWorld): Promise<boolean> {
  const rows = await scene.tables.database.query(
    `select 1 as one from people.grants g join people.passkeys k using (person)
     where g.permission = 'admin' and g.ended_at is null and k.ended_at is null and k.rp_id = $1
       and g.counts_from <= $2::bigint and k.counts_from < ${Number.MAX_SAFE_INTEGER} limit 1`,
    [RP_ID, String(databaseNow(scene))],
  );
  return rows.length > 0;
}

export async function joinByLink(world: PeopleWorld): Promise<void> {
  const { scene, links, usedLinks } = world;
  const isAgain = scene.random.chance(0.25) && usedLinks.length > 0;
  const link = pickOne(scene, isAgain ? usedLinks : links);
  if (link !== null) await joinWith(world, link);
  if (isAgain) scene.count('invitesUsedAgain');
}

export async function joinWith(world: PeopleWorld, link: Link): Promise<Human | null> {
  const { scene, judge, usedLinks } = world;
  const human = usedLinks.includes(link) || link.human === null ? newHuman(scene) : link.human;
  // A new invite means that the earlier passkey was lost or stolen.
  if (human.person !== null) {
    human.earlier.push(human.authenticator);
    human.authenticator = createAuthenticator();
  }
  const server = scene.random.pick(scene.servers);
  const mayCount = link.human === null && !(await hasAdmin(world));
  const call = await joinCall(scene, human, { token: link.token, server });
  if (call === null) return null;
  const key = human.authenticator.id;
  const wasUsed = usedLinks.includes(link);
  judge.registers(key, link.person, mayCount && !wasUsed);
  if (mayCount && !wasUsed) judge.gives(link.person, link.permissions);
  const reply = await send(scene, human, call, server);
  const code = typeof reply.body['code'] === 'string' ? reply.body['code'] : null;
  // After a failed commit it is unknown whether the link was used, so it may be tried again.
  if (reply.status >= 300) return null;
  human.person = link.person;
  if (!world.humans.includes(human)) world.humans.push(human);
  if (!wasUsed) usedLinks.push(link);
  world.links = world.links.filter((other) => other !== link);
  if (wasUsed) scene.blame('withoutRight', 'an invite is used twice');
  scene.count('peopleJoined');
  if (code === null) {
    if (!mayCount) scene.blame('tooEarly', `${human.name} needs no code, and there is an admin`);
    noteSession(world, human, key);
    return human;
  }
  world.waiting.push({ human, key, code, permissions: link.permissions });
  // The roles from before still count, so only the passkey can stop the sign-in.
  if (human.earlier.length > 0 && scene.random.chance(0.7)) {
    scene.count('passkeysUsedBeforeCode');
    await signInHuman(world, human);
  }
  return human;
}

/** Tries to sign in, or to sign a request, with a passkey that still waits for its code. */
export async function useBeforeCode(world: PeopleWorld): Promise<void> {
  const { scene } = world;
  const waiting = pickOne(scene, world.waiting);
  if (waiting === null) return;
  const { human } = waiting;
  scene.count('passkeysUsedBeforeCode');
  if (scene.random.chance(0.6)) return signInHuman(world, human);
  const body = { name: scene.name('friend '), permissions: ['view', 'admin'] };
  await sendAndJudge(world, human, { method: 'POST', path: '/api/invites', body }, ['admin'], {
    signer: human.authenticator,
  });
}

export async function signInHuman(world: PeopleWorld, human: Human, signer = human.authenticator): Promise<void> {
  const { scene } = world;
  const server = scene.random.pick(scene.servers);
  const call = await signInCall(scene, human, { signer, server });
  if (call === null) return;
  const reply = await send(scene, human, call, server);
  if (reply.status === 201) noteSession(world, human, signer.id);
}

/** Somebody signs in with a passkey that was replaced or stolen. */
export async function signInWithEarlier(world: PeopleWorld): Promise<void> {
  const human = pickOne(
    world.scene,
    world.humans.filter(({ earlier }) => earlier.length > 0),
  );
  const [first] = human?.earlier ?? [];
  if (human === null || first === undefined) return;
  world.scene.count('earlierPasskeysUsed');
  await signInHuman(world, human, first);
}

export async function typeCode(world: PeopleWorld, by: Human | null, isRight: boolean): Promise<void> {
  const { scene, judge } = world;
  const waiting = pickOne(scene, world.waiting);
  if (waiting === null || by === null || by.person === null) return;
  const { human, key, code, permissions } = waiting;
  const person = human.person ?? '';
  const isEntitled = by !== human && judge.mayAct(by.person, tokenOf(by), by.authenticator.id, 'admin');
  if (isEntitled && isRight) {
    judge.typesCode(key);
    judge.gives(person, permissions);
  }
  scene.count(isRight ? 'codesTyped' : 'codesWrong');
  const typed = isRight ? code : String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const call = { method: 'POST', path: `/api/people/${person}/confirm`, body: { code: typed } };
  const reply = await sendAndJudge(world, by, call, ['admin'], { signer: by.authenticator });
  if (reply?.status !== 204) return;
  if (!isRight) scene.blame('tooEarly', `${person} is confirmed by a wrong code`);
  judge.otherKeysEnded(person, key);
  judge.sessionsEnded(person);
  world.waiting = world.waiting.filter((other) => other.human !== human);
}

export async function invite(world: PeopleWorld, by: Human, permissions: readonly Permission[]): Promise<void> {
  const human = newHuman(world.scene);
  const body = { name: human.name, permissions };
  const call = { method: 'POST', path: '/api/invites', body };
  const reply = await sendAndJudge(world, by, call, ['admin'], { signer: by.authenticator });
  noteLink(world, reply, { human, permissions });
}

/** Invites again a person who lost their passkey. */
export async function inviteHumanAgain(world: PeopleWorld, by: Human, human: Human): Promise<void> {
  const call = { method: 'POST', path: '/api/invites', body: { person: human.person } };
  const reply = await sendAndJudge(world, by, call, ['admin'], { signer: by.authenticator });
  const permissions = world.invitedWith.get(human.person ?? '') ?? [];
  noteLink(world, reply, { human, permissions });
}

function noteLink(world: PeopleWorld, reply: PeopleReply | null, of: Pick<Link, 'human' | 'permissions'>): void {
  if (reply?.status !== 201) return;
  const token = String(reply.body['token']);
  const person = String(reply.body['person']);
  world.judge.secret(token, 'the token of an invite');
  // A newer invite replaces the one before and the passkey that was made with it.
  world.waiting = world.waiting.filter(({ human }) => human.person !== person);
  world.links = world.links.filter((link) => link.person !== person);
  world.links.push({ token, person, ...of });
  if (!world.invitedWith.has(person)) world.invitedWith.set(person, of.permissions);
}

export async function grant(
  world: PeopleWorld,
  by: Human,
  human: Human,
  permissions = somePermissions(world.scene),
): Promise<void> {
  const { scene, judge } = world;
  const { person } = human;
  if (person === null || by.person === null) return;
  const isEntitled = by !== human && judge.mayAct(by.person, tokenOf(by), by.authenticator.id, 'admin');
  if (judge.permissionsOf(person).size === 0) scene.count('returnsAsked');
  if (isEntitled) judge.gives(person, permissions);
  const call = { method: 'POST', path: `/api/people/${person}/grant`, body: { permissions } };
  const reply = await sendAndJudge(world, by, call, ['admin'], { signer: by.authenticator });
  if (reply?.status === 204) judge.gave(person, permissions);
}

export function somePermissions({ random }: PeopleScene): readonly Permission[] {
  const permissions = PERMISSIONS.filter((permission) => permission === 'view' || random.chance(0.45));
  return permissions.includes('admin') || random.chance(0.7) ? permissions : [...permissions, 'admin'];
}

/** Returns whether the person was blocked. */
export async function block(world: PeopleWorld, by: Human, human: Human): Promise<boolean> {
  const { scene, judge } = world;
  const { person } = human;
  if (person === null) return false;
  if (scene.random.chance(0.5)) await signInHuman(world, human);
  if (scene.random.chance(0.6)) world.stolen.push({ cookies: new Map(human.cookies), human });
  const reply = await sendAndJudge(world, by, { method: 'POST', path: `/api/people/${person}/block`, body: {} }, [
    'admin',
  ]);
  if (reply?.status !== 204) return false;
  scene.count('peopleBlocked');
  await blameLeftOver(scene, person);
  judge.gave(person, []);
  judge.sessionsEnded(person);
  world.waiting = world.waiting.filter((waiting) => waiting.human !== human);
  if (scene.random.chance(0.7)) {
    scene.now += 1_000;
    scene.count('paymentsOfBlocked');
    await pay(world, human);
  }
  return true;
}

/** Nothing that a blocked person prepared may go on waiting for approvals, which could not make it leave. */
async function blameLeftOver({ tables, blame }: PeopleScene, person: string): Promise<void> {
  const rows = await tables.database.query<{ key: string; state: string; batch: string | null }>(
    `select o.key, o.state, b.state as batch from operations.operations o left join operations.batches b on b.id = o.batch
     where o.maker = $1`,
    [person],
  );
  for (const { key, state, batch } of rows) {
    if (state === 'ready' || state === 'awaiting') blame('unresolved', `${key} waits, and its maker was blocked`);
    if (state === 'not-sent' && batch === 'waiting') blame('unresolved', `the batch of ${key} waits for nothing`);
  }
}

/** Without active faults, an admin can always block another person, even the last admin. */
export async function blockInCalm(world: PeopleWorld, by: Human, human: Human): Promise<void> {
  const { scene, judge } = world;
  if (by === human || by.person === null || human.person === null || !clocksAgree(scene)) return;
  await calmly(scene, async () => {
    await signInHuman(world, by);
    const { status, body } = await send(scene, by, { method: 'GET', path: '/session' });
    const { permissions } = body;
    const isAdmin = status === 200 && Array.isArray(permissions) && permissions.includes('admin');
    if (!isAdmin || !judge.permissionsOf(by.person ?? '').has('admin')) return;
    const listed = await send(scene, by, { method: 'GET', path: '/api/people' });
    if (!listed.text.includes(human.person ?? '')) return;
    const unanswered = scene.random.chance(0.7) ? await payUnanswered(world, human) : null;
    scene.count('blocksThatMustWork');
    if (!(await block(world, by, human))) scene.blame('lockedOut', `${by.name} can't block ${human.name}`);
    if (unanswered === null) return;
    // The payment's last attempt has ended, and a colleague presses Resend.
    scene.now += REST_MS;
    scene.count('resendsOfBlocked');
    await pressSend(world, by, unanswered);
  });
}

/** Longer than an attempt without an answer may still be running. */
export const REST_MS = 20_000;

/** The key of a payment whose answer was lost; null if none was recorded. */
async function payUnanswered(world: PeopleWorld, human: Human): Promise<string | null> {
  const { scene, operations } = world;
  const before = operations.size;
  await signInHuman(world, human);
  scene.areAnswersLost = true;
  await pay(world, human, { isCareful: true });
  scene.areAnswersLost = false;
  return operations.size > before ? ([...operations.keys()].at(-1) ?? null) : null;
}

export async function calmly<T>(scene: PeopleScene, work: () => Promise<T>): Promise<T> {
  const { faultRate } = scene;
  scene.faultRate = 0;
  try {
    return await work();
  } finally {
    scene.faultRate = faultRate;
  }
}

export async function signOutHuman(world: PeopleWorld, human: Human): Promise<void> {
  const { scene, judge } = world;
  const token = tokenOf(human);
  if (token === null) return;
  if (scene.random.chance(0.6)) world.stolen.push({ cookies: new Map(human.cookies), human });
  await send(scene, human, { method: 'DELETE', path: '/session' });
  scene.count('peopleSignedOut');
  // While the database was away, the other server may not know yet.
  const ended = await scene.tables.database.query(
    'select 1 as one from people.sessions where token_sha256 = $1 and ended_at is not null',
    [tokenHash(token)],
  );
  if (ended.length > 0) judge.sessionEnded(token);
  human.cookies.clear();
}

export async function signOutEverywhere(world: PeopleWorld, by: Human, human: Human): Promise<void> {
  const { scene, judge } = world;
  if (human.person === null) return;
  if (scene.random.chance(0.6)) world.stolen.push({ cookies: new Map(human.cookies), human });
  const isOwn = by === human;
  const path = `/api/people/${human.person}/sign-out`;
  const before = await openSessions(scene, human.person);
  const reply = await sendAndJudge(world, by, { method: 'POST', path, body: {} }, ['admin']);
  if (reply?.status !== 204 || isOwn) return;
  const left = await openSessions(scene, human.person);
  if (before > 0 && left === 0) judge.sessionsEnded(human.person);
}

async function openSessions({ tables }: PeopleScene, person: string): Promise<number> {
  const sql = 'select 1 as one from people.sessions where person = $1 and ended_at is null';
  return (await tables.database.query(sql, [person])).length;
}

/** A thief with copied cookies reads, pays, blocks or invites. */
export async function steal(world: PeopleWorld): Promise<void> {
  const { scene, judge } = world;
  const thief = pickOne(scene, world.stolen);
  if (thief === null) return;
  const { cookies, human } = thief;
  scene.count('peopleCookiesStolen');
  const token = tokenOf({ cookies });
  const at = scene.now;
  const { status } = await send(scene, { cookies }, { method: 'GET', path: '/api/people' });
  if (status === 200 && token !== null) judge.read(token, at);
  const kind = scene.random.pick(['pay', 'pay', 'block', 'invite'] as const);
  if (kind === 'pay') return void (await pay(world, human, { cookies }));
  const other = pickOne(scene, world.humans);
  if (kind === 'block' && other !== null)
    await sendAndJudge(
      world,
      human,
      { method: 'POST', path: `/api/people/${other.person}/block`, body: {} },
      ['admin'],
      {
        cookies,
      },
    );
  else {
    const body = { name: scene.name('friend '), permissions: ['view', 'admin'] };
    const { authenticator: signer } = newHuman(scene);
    const reply = await sendAndJudge(world, human, { method: 'POST', path: '/api/invites', body }, ['admin'], {
      cookies,
      signer,
    });
    if (reply !== null && reply.status < 300)
      scene.blame('withoutRight', 'a thief invites with a passkey of their own');
  }
}

/**
 * Somebody prepares a payment, and signs it if they think that it needs no approval. `cookies`: a thief's copy; `isCareful`:
 * without any mistakes; `to`: an address, whose earlier payments the maker sees. Returns the payment's key.
 */
export async function pay(
  world: PeopleWorld,
  human: Human,
  { cookies, isCareful = false, to }: { cookies?: Map<string, string>; isCareful?: boolean; to?: string } = {},
): Promise<string> {
  const { scene, judge, proofs } = world;
  const { random } = scene;
  const key = scene.name('people-payment-');
  // Sometimes to the address of an earlier payment, which the maker then confirms as seen.
  const earlier = !isCareful && random.chance(0.2) ? pickOne(scene, [...judge.payments.payments.keys()]) : null;
  const own = `bc1q${key.replaceAll(/[^a-z\d]/g, '')}`;
  const paid = earlier === null ? null : readWithdrawalBody(judge.payments.payments.get(earlier)?.body ?? '');
  const address = to ?? paid?.address ?? own;
  const request = withdrawalRequest({ asset: 'BTC', chain: 'bitcoin', amount: random.pick(PAYMENT_AMOUNTS), address });
  const known = to === undefined ? [] : await alikeSeen(world, human, request);
  const body = {
    ...request,
    second_send_of: earlier === null ? known : [earlier],
    not_after: databaseNow(scene) + 60_000,
  };
  judge.payments.pressed(key);
  scene.count('peoplePayments');
  const server = random.pick(scene.servers);
  const call = { method: 'PUT', path: `/api/operations/${key}`, body };
  const signing = { key, signer: human.authenticator, server };
  if (cookies !== undefined) {
    judge.payments.expectRecord(key, { maker: human.person, body: request.body }, null);
    const whole = await forged(world, call, { ...signing, cookies });
    noteView(world, key, await sendAndJudge(world, human, whole, ['prepare'], { cookies, server }));
    return key;
  }
  const passkey = human.authenticator.id;
  const { recorded } = judge.payments.expectRecord(key, { maker: human.person, body: request.body }, passkey);
  const isSigning = isCareful || random.chance(recorded.needs === 0 ? 0.95 : 0.3);
  const whole = isSigning ? await withSignature(scene, human, call, signing) : call;
  const proof = 'proof' in whole.body ? whole.body.proof : undefined;
  if (proof === undefined) judge.payments.notSigned(key);
  else proofs.push(proof);
  const reply = await sendAndJudge(world, human, whole, ['prepare'], {
    server,
    ...(proof !== undefined && { proofBy: passkey }),
  });
  noteView(world, key, reply);
  return key;
}

/** The ids of the similar payments that the review of a payment shows. */
async function alikeSeen({ scene }: PeopleWorld, human: Human, request: Record<string, unknown>): Promise<string[]> {
  const { body } = await send(scene, human, { method: 'POST', path: '/api/operations/review', body: request });
  const { of: alike } = body;
  return Array.isArray(alike) ? alike.flatMap((one) => (isObject(one) ? String(one['id']) : [])) : [];
}

/** A thief's payment: without a signature, with that of another payment, or signed with a passkey of their own. */
async function forged(
  { scene, proofs }: PeopleWorld,
  call: Parameters<typeof withSignature>[2],
  signing: Omit<Parameters<typeof withSignature>[3], 'signer'> & { cookies: Map<string, string> },
): Promise<PeopleCall> {
  const kind = scene.random.pick(['none', 'replayed', 'replayed', 'own'] as const);
  const proof = pickOne(scene, proofs);
  scene.count('paymentsUnsigned');
  if (kind === 'replayed' && proof !== null) {
    scene.count('signaturesReplayed');
    return { ...call, body: { ...call.body, proof } };
  }
  if (kind !== 'own') return call;
  return withSignature(scene, signing, call, { ...signing, signer: newHuman(scene).authenticator });
}

/** Presses Send, closes the payment, or only looks at it. */
export async function goOnWith(world: PeopleWorld, human: Human): Promise<void> {
  const { scene, operations } = world;
  const key = pickOne(scene, [...operations.keys()]);
  if (key === null) return;
  if (!scene.random.chance(0.15)) return pressSend(world, human, key);
  const path = `/api/operations/${key}`;
  const body = { revision: await revisionSeen(world, human, key), reason: WORDS };
  await sendAndJudge(world, human, { method: 'POST', path: `${path}/close`, body }, ['prepare', 'approve']);
}

async function revisionSeen(world: PeopleWorld, human: Human, key: string): Promise<number> {
  const { scene, operations } = world;
  noteView(world, key, await send(scene, human, { method: 'GET', path: `/api/operations/${key}` }));
  return operations.get(key)?.revision ?? 0;
}

/** Presses Send on a recorded payment. */
export async function pressSend(world: PeopleWorld, human: Human, key: string, server?: PeopleServer): Promise<void> {
  const { scene, judge } = world;
  const path = `/api/operations/${key}`;
  const seen = await revisionSeen(world, human, key);
  judge.payments.pressed(key);
  scene.count('peopleResends');
  const body = { revision: seen, not_after: databaseNow(scene) + 60_000 };
  noteView(
    world,
    key,
    await sendAndJudge(world, human, { method: 'POST', path: `${path}/send`, body }, ['prepare'], { server }),
  );
}

const ASKS_NOW = /It needs (\d+) approvals? now/;

/** Notes the state of a payment in a view. */
export function noteState({ operations, judge }: PeopleWorld, key: string, seen: SeenPayment): void {
  if (seen.state === 'not-sent') judge.payments.noteEnded(key, 'not sent');
  operations.set(key, seen);
}

/** Notes what an answer says about a payment. */
export function noteView(
  { operations, judge }: PeopleWorld,
  key: string,
  reply: Pick<PeopleReply, 'body'> | null,
): void {
  if (reply === null) return;
  const { operation, error, problem, not_sent: notSent } = reply.body;
  const words = isObject(error) ? error['message'] : problem;
  const needed = typeof words === 'string' ? ASKS_NOW.exec(words)?.[1] : undefined;
  if (needed !== undefined) judge.payments.noteStatedNeed(key, Number(needed));
  if (isObject(notSent)) judge.payments.noteEnded(key, 'not sent, by its key');
  if (!isObject(operation)) return;
  const { revision, state, approval, ending } = operation;
  const needs = isObject(approval) ? Number(approval['needs']) : 0;
  judge.payments.noteStatedNeed(key, needs);
  if (state === 'not-sent')
    judge.payments.noteEnded(key, `not sent, by ${isObject(ending) ? String(ending['by']) : state}`);
  operations.set(key, { revision: Number(revision), state: String(state), needs });
}
