import { APPROVALS_PATH } from '#src/shared/contract/approvalsContract.ts';
import { approve, approversIn, operatorsIn, putInForce } from './approvalActs.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { type Human, send, tokenOf } from './humans.ts';
import { calmly, pay, type PeopleWorld, pickOne, signInHuman } from './peopleActs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Shorter than the time after which a session is idle. */
const BREAK_MS = 25 * MINUTE_MS;
/** The ticket is requested this long before the sign-in becomes too old, and used this long after. */
const EDGE_MS = 20_000;

type PassTime = (ms: number) => Promise<void>;

/** An approver works for four hours without signing in again, and then approves. The signature may be from just before. */
export async function approveAfterLongDay(world: PeopleWorld, passTime: PassTime): Promise<void> {
  const { scene, judge, operations } = world;
  const maker = pickOne(scene, operatorsIn(world));
  const approver = pickOne(
    scene,
    approversIn(world).filter((human) => human !== maker),
  );
  if (maker === null || approver === null || judge.isFrozen()) return;
  await calmly(scene, async () => {
    await putInForce(world, { ...NO_APPROVALS, other_assets: 1 });
    await signInHuman(world, maker);
    const key = await pay(world, maker, { isCareful: true });
    if (operations.get(key)?.state !== 'awaiting') return;
    await signInHuman(world, approver);
    const until = scene.now + 4 * HOUR_MS;
    const isSignedBefore = scene.random.chance(0.5);
    await work(world, approver, { until: isSignedBefore ? until - EDGE_MS : until + EDGE_MS, passTime });
    if (!judge.hasSession(tokenOf(approver))) return;
    scene.count('approvalsAfterLongDays');
    await approve(world, approver, { keys: [key], ...(isSignedBefore && { before: () => passTime(2 * EDGE_MS) }) });
    // After a new sign-in they may approve.
    await signInHuman(world, approver);
    await approve(world, approver, { keys: [key] });
  });
}

/** Makes a request often enough that the session stays open. */
async function work(
  { scene }: PeopleWorld,
  human: Human,
  { until, passTime }: { until: number; passTime: PassTime },
): Promise<void> {
  while (scene.now < until) {
    await passTime(Math.min(BREAK_MS, until - scene.now));
    const server = scene.random.pick(scene.servers);
    await send(scene, human, { method: 'GET', path: APPROVALS_PATH }, server, true);
  }
}
