import { approve, approversIn, operatorsIn, putInForce } from './approvalActs.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { WAITING } from './companyPolicy.ts';
import type { Human } from './humans.ts';
import { calmly, pay, type PeopleWorld, pickOne, pressSend, signInHuman } from './peopleActs.ts';
import { payNewlyConfirmed } from './recipientActs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a payment waits for approvals here. */
const HOURS = 4;

type PassTime = (ms: number) => Promise<void>;

/** One clock is wrong by hours while a time limit is compared with all clocks. */
export async function compareWrongClock(world: PeopleWorld, passTime: PassTime): Promise<void> {
  const { scene, judge } = world;
  const maker = pickOne(scene, operatorsIn(world));
  const approver = pickOne(
    scene,
    approversIn(world).filter((human) => human !== maker),
  );
  if (maker === null || approver === null || judge.isFrozen()) return;
  setClocksRight(world);
  await calmly(scene, async () => {
    if (scene.worlds.recipients && scene.random.chance(0.5)) {
      await putInForce(world, WAITING);
      await payNewlyConfirmed(world, () => setDatabaseClock(world, (WAITING.recipients.wait_hours + 1) * HOUR_MS));
    } else {
      await putInForce(world, { ...NO_APPROVALS, other_assets: 1, expires_hours: HOURS });
      await signInHuman(world, maker);
      const key = await pay(world, maker, { isCareful: true });
      if (world.operations.get(key)?.state !== 'awaiting') return;
      if (scene.random.chance(0.5)) await sendBeforeLapse(world, key, maker);
      else await approveAfterLapse(world, { key, maker, approver, passTime });
    }
  });
  setClocksRight(world);
}

/** The time to approve is over, and the servers' clocks say that it isn't. */
async function approveAfterLapse(
  world: PeopleWorld,
  { key, maker, approver, passTime }: { key: string; maker: Human; approver: Human; passTime: PassTime },
): Promise<void> {
  await passTime(HOURS * HOUR_MS + 5 * MINUTE_MS);
  setServersClocks(world, -HOURS * HOUR_MS);
  await signInHuman(world, approver);
  await approve(world, approver, { keys: [key] });
  await signInHuman(world, maker);
  await pressSend(world, maker, key);
  world.scene.count('approvalsAfterLapse');
}

/** The database's clock says that the time to approve is over, and the servers' say that it isn't. */
async function sendBeforeLapse(world: PeopleWorld, key: string, maker: Human): Promise<void> {
  const { scene, operations } = world;
  setDatabaseClock(world, HOURS * HOUR_MS + 5 * MINUTE_MS);
  await signInHuman(world, maker);
  await pressSend(world, maker, key);
  scene.count('lapsesByOneClock');
  if (operations.get(key)?.state === 'not-sent')
    scene.blame('lockedOut', `${key} lapsed, and only the database's clock said so`);
}

function setDatabaseClock({ scene, judge }: PeopleWorld, ms: number): void {
  scene.databaseSkew = ms;
  judge.clockJumped();
}

function setServersClocks({ scene, judge }: PeopleWorld, ms: number): void {
  for (const { host } of scene.servers) host.skew = ms;
  judge.clockJumped();
}

function setClocksRight(world: PeopleWorld): void {
  setDatabaseClock(world, 0);
  setServersClocks(world, 0);
}
