import { isObject } from '#src/shared/answers.ts';
import { RECIPIENTS_PATH } from '#src/shared/contract/recipientsContract.ts';
import { recipientId, TEAM_PATH } from '#src/shared/contract/teamContract.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import {
  approveByAll,
  approversIn,
  beSignedIn,
  changePolicy,
  operatorsIn,
  pressAsOperator,
  putInForce,
} from './approvalActs.ts';
import { CHANGING, REFUSING, WAITING } from './companyPolicy.ts';
import { type Human, type PeopleReply, send } from './humans.ts';
import { sendAndJudge, calmly, pay, type PeopleWorld, pickOne, signInHuman, WORDS } from './peopleActs.ts';
import type { Ended } from './recipientJudge.ts';

const CHAIN = 'bitcoin';
/** Addresses with valid checksums. */
const ADDRESSES = [
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
] as const;
const NAMES = ['Acme', 'Beta', 'Gamma'] as const;

function idOf(address: string): string {
  return recipientId({ chain: CHAIN, address });
}

function someAddress({ scene }: PeopleWorld): string {
  return scene.random.pick(ADDRESSES);
}

/** A refusal is certain only if no other copy of the request was sent. */
function endedAs({ scene }: PeopleWorld, reply: PeopleReply | null): Ended {
  if (reply === null) return 'refused';
  if (reply.status < 300) return 'done';
  return reply.status < 500 && scene.faultRate === 0 ? 'refused' : 'unknown';
}

/** An operator gives an address a name. */
export async function nameRecipient(world: PeopleWorld, address = someAddress(world)): Promise<Human | null> {
  const { scene, judge } = world;
  const human = pickOne(scene, operatorsIn(world));
  if (human === null || human.person === null) return null;
  await beSignedIn(world, human);
  const path = `${TEAM_PATH}/recipients/${encodeURIComponent(idOf(address))}`;
  const { body } = await send(scene, human, { method: 'GET', path });
  const revision = body['deleted'] === true ? 0 : Number(body['revision'] ?? 0);
  const before = isObject(body['value']) ? body['value']['name'] : undefined;
  const name = scene.random.pick(NAMES.filter((one) => one !== before));
  const value = { name, chain: CHAIN, address, asset: '', reference: '', note: '' };
  const settle = judge.recipients.expectNaming(address, name, human.person);
  const reply = await sendAndJudge(world, human, { method: 'PUT', path, body: { value, revision } }, ['prepare']);
  settle(endedAs(world, reply));
  if (reply === null || reply.status >= 300) return null;
  scene.count('recipientsNamed');
  if (typeof before === 'string') scene.count('recipientsRenamed');
  return human;
}

/** Somebody, mostly an approver who didn't name it, confirms a recipient, mostly under its current name. */
export async function confirmRecipient(
  world: PeopleWorld,
  address = someAddress(world),
  by: Human | null = null,
): Promise<void> {
  const { scene, judge } = world;
  const [named] = judge.recipients.namesOf(address);
  const others = approversIn(world).filter(({ person }) => person !== named?.by);
  const enteredBy = judge.recipients.addedBy(address) ?? named?.by;
  const offender = world.humans.find(({ person }) => person === enteredBy) ?? null;
  const human = by ?? (scene.random.chance(0.25) ? offender : pickOne(scene, others));
  if (named === undefined || human === null || human.person === null) return;
  await beSignedIn(world, human);
  const isOther = scene.random.chance(0.1);
  const name = isOther ? scene.random.pick(NAMES) : named.name;
  if (isOther) scene.count('recipientsConfirmedUnderOtherName');
  if (human.person === enteredBy) scene.count('recipientsConfirmedAlone');
  const wasBlocked = judge.recipients.isBlocked(address);
  const hours = Math.min(...judge.payments.policies().map((policy) => policy?.recipients.wait_hours ?? WAIT_HOURS));
  const settle = judge.recipients.expectConfirmation(address, name, { by: human.person, hours });
  const body = { recipients: [{ id: idOf(address), name }] };
  const call = { method: 'POST', path: `${RECIPIENTS_PATH}/confirm`, body };
  const reply = await sendAndJudge(world, human, call, ['approve'], { signer: human.authenticator });
  settle(endedAs(world, reply));
  if (reply?.status !== 204) return;
  scene.count('recipientsConfirmed');
  if (wasBlocked) scene.count('recipientsUnblocked');
}

/** Hours until a confirmation counts if no policy is in force. */
const WAIT_HOURS = 24;

export async function blockRecipient(world: PeopleWorld, address = someAddress(world)): Promise<void> {
  const { scene, judge } = world;
  const human = pickOne(scene, [...approversIn(world), ...operatorsIn(world)]);
  if (human === null) return;
  await beSignedIn(world, human);
  const body = { id: idOf(address), reason: WORDS };
  const call = { method: 'POST', path: `${RECIPIENTS_PATH}/block`, body };
  const reply = await sendAndJudge(world, human, call, ['prepare', 'approve', 'admin']);
  if (reply?.status !== 204) return;
  judge.recipients.blocked(address);
  scene.count('recipientsBlocked');
}

/** Blocks the recipient of this payment. */
export async function blockRecipientOf(world: PeopleWorld, key: string): Promise<void> {
  const { address } = readWithdrawalBody(world.judge.payments.payments.get(key)?.body ?? '') ?? {};
  if (address !== undefined) await blockRecipient(world, address);
}

/** An operator pays a listed recipient. Returns the payment's key. */
export async function payRecipient(world: PeopleWorld, address = someAddress(world)): Promise<string | null> {
  const human = pickOne(world.scene, operatorsIn(world));
  if (human === null) return null;
  await beSignedIn(world, human);
  return pay(world, human, { isCareful: true, to: address });
}

/** A payment is prepared and approved, then its recipient changes, and then somebody sends it. */
export async function sendAfterRecipientChange(world: PeopleWorld): Promise<void> {
  const { scene, judge, operations } = world;
  const { random } = scene;
  const address = someAddress(world);
  await calmly(scene, async () => {
    const isSoon = random.chance(0.35);
    if (isSoon) await putInForce(world, random.pick([WAITING, CHANGING]));
    if (isSoon || judge.recipients.namesOf(address).length === 0 || random.chance(0.4))
      await nameRecipient(world, address);
    if (random.chance(isSoon ? 0.9 : 0.6)) await confirmRecipient(world, address);
    // The request to send comes later.
    scene.areConnectionsRefused = true;
    const key = await payRecipient(world, address);
    if (key !== null && operations.has(key)) await approveByAll(world, key);
    scene.areConnectionsRefused = false;
    if (key === null || !operations.has(key)) return;
    scene.now += 1_000;
    const kind = random.next();
    if (kind < 0.3) await blockRecipient(world, address);
    else if (kind < 0.5) await nameRecipient(world, address);
    else if (kind < 0.7) await putInForce(world, REFUSING);
    else if (kind < 0.8) await changePolicy(world);
    if (random.chance(0.15)) await confirmRecipient(world, address);
    countSend(world, address);
    await pressAsOperator(world, key);
    if (random.chance(0.5)) await approveByAll(world, key);
    if (random.chance(0.5)) await pressAsOperator(world, key);
  });
}

/** A recipient is named and confirmed, and paid before that counts. `before`: called before the payment. */
export async function payNewlyConfirmed(world: PeopleWorld, before: () => void): Promise<void> {
  const { scene } = world;
  const address = someAddress(world);
  if ((await nameRecipient(world, address)) === null) return;
  await confirmRecipient(world, address);
  before();
  const human = pickOne(scene, operatorsIn(world));
  if (human === null) return;
  await signInHuman(world, human);
  countSend(world, address);
  await pay(world, human, { isCareful: true, to: address });
}

function countSend({ scene, judge }: PeopleWorld, address: string): void {
  if (judge.recipients.isBlocked(address)) return scene.count('sendsToBlocked');
  const latest = scene.now;
  const { isUnlisted } = judge.recipients.stateOf(address, { latest, paidAt: 0 });
  if (!isUnlisted) return;
  if (judge.payments.policies().every((policy) => policy?.recipients.unlisted === 'refuse'))
    scene.count('sendsToRefused');
  const isWaiting = !judge.recipients.stateOf(address, { latest: Infinity, paidAt: 0 }).isUnlisted;
  if (isWaiting) scene.count('sendsWithinWait');
}
