import { APPROVALS_PATH } from '#src/shared/contract/approvalsContract.ts';
import {
  approve,
  approveByAll,
  approversIn,
  beSignedIn,
  keysIn,
  operatorsIn,
  outcomesIn,
  someApprover,
  standingStill,
} from './approvalActs.ts';
import { sendAndJudge, calmly, pay, type PeopleWorld, pickOne, pressSend, REST_MS, WORDS } from './peopleActs.ts';

/** An approver stops the resends of a payment. */
export async function stopResends(world: PeopleWorld, key: string): Promise<void> {
  const { scene, judge } = world;
  const human = someApprover(world);
  if (human === null) return;
  await beSignedIn(world, human);
  const body = { decision: 'stop', keys: [key], reason: WORDS };
  const reply = await sendAndJudge(world, human, { method: 'POST', path: APPROVALS_PATH, body }, ['approve']);
  for (const { recorded } of outcomesIn(world, reply)) {
    scene.count(recorded ? 'resendsStopped' : 'stopsRefused');
    if (recorded) judge.payments.stopped(key);
  }
}

/** Stops the resends of any payment that may have been sent. */
export async function stopOne(world: PeopleWorld): Promise<void> {
  const key = pickOne(world.scene, keysIn(world, ['unconfirmed', 'unconfirmed', 'awaiting', 'succeeded']));
  if (key !== null) await stopResends(world, key);
}

/** A payment gets no answer, an approver stops its resends, perhaps during a resend, and others still try to send it. */
export async function stopUnanswered(world: PeopleWorld, passTime: (ms: number) => Promise<void>): Promise<void> {
  const { scene, judge } = world;
  const { random } = scene;
  const maker = pickOne(scene, operatorsIn(world));
  if (maker === null) return;
  await calmly(scene, async () => {
    await beSignedIn(world, maker);
    scene.areAnswersLost = true;
    const key = await pay(world, maker, { isCareful: true });
    await approveByAll(world, key);
    const isHeard = random.chance(0.5);
    if (isHeard) scene.areAnswersLost = false;
    if (judge.payments.payments.get(key)?.wasPosted === true) {
      scene.now += random.chance(0.7) ? REST_MS : 1_000;
      await stopDuring(world, () => pressSend(world, maker, key, random.pick(scene.servers)), key);
      await goOnAfterStop(world, key, passTime);
    }
    scene.areAnswersLost = false;
  });
}

async function stopDuring(world: PeopleWorld, resend: () => Promise<void>, key: string): Promise<void> {
  const { scene } = world;
  const [server] = scene.servers;
  if (server === undefined || scene.random.chance(0.6)) return stopResends(world, key);
  await standingStill(world, server, resend, () => stopResends(world, key));
}

/** People who haven't heard of the stop approve or send the payment. */
async function goOnAfterStop(world: PeopleWorld, key: string, passTime: (ms: number) => Promise<void>): Promise<void> {
  const { scene, judge } = world;
  const isStopped = judge.payments.payments.get(key)?.isStopped === true;
  for (let made = 0; made < 2; made += 1) {
    const kind = scene.random.next();
    if (kind < 0.3) await passTime(scene.random.whole(1_000, 90_000));
    const approver = pickOne(scene, approversIn(world));
    const operator = pickOne(scene, operatorsIn(world));
    scene.now += REST_MS;
    if (kind < 0.6 && approver !== null) {
      await beSignedIn(world, approver);
      await approve(world, approver, { keys: [key] });
    }
    if (operator === null) continue;
    await beSignedIn(world, operator);
    if (isStopped) scene.count('sendsAfterStop');
    await pressSend(world, operator, key);
  }
}
