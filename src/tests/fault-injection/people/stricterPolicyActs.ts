import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { approve, approversIn, beSignedIn, operatorsIn, putInForce } from './approvalActs.ts';
import { calmly, pay, type PeopleWorld, pickOne, pressSend } from './peopleActs.ts';

const needing = (approvals: 1 | 2): typeof NO_APPROVALS => ({ ...NO_APPROVALS, other_assets: approvals });

/**
 * The policy becomes stricter while a payment waits, and looser again after an approver heard that the payment needs more.
 * It still needs as many as were stated, so that the first approval alone must not send it.
 */
export async function approveUnderStricterPolicy(world: PeopleWorld): Promise<void> {
  const { scene, judge, operations } = world;
  const maker = pickOne(scene, operatorsIn(world));
  const approvers = approversIn(world).filter((human) => human !== maker);
  const [first] = approvers;
  if (maker === null || first === undefined || judge.isFrozen()) return;
  await calmly(scene, async () => {
    await putInForce(world, needing(1));
    await beSignedIn(world, maker);
    const key = await pay(world, maker, { isCareful: true });
    if (operations.get(key)?.state !== 'awaiting') return;
    await putInForce(world, needing(2));
    await beSignedIn(world, first);
    await approve(world, first, { keys: [key] });
    await putInForce(world, scene.random.chance(0.5) ? needing(1) : NO_APPROVALS);
    scene.count('approvalsUnderStricterPolicy');
    await pressSend(world, maker, key);
    for (const human of approvers.slice(1)) {
      if (operations.get(key)?.state !== 'awaiting') return;
      await beSignedIn(world, human);
      await approve(world, human, { keys: [key] });
    }
  });
}
