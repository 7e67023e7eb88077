import { SERVICE } from '#src/server/operations/testAnswers.ts';
import { approve, approversIn, beSignedIn, operatorsIn, pressAsOperator, putInForce } from './approvalActs.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { calmly, pay, type PeopleWorld, pickOne } from './peopleActs.ts';
import { COMPANY_ACCOUNT, databaseNow } from './peopleScene.ts';

/** Each payment needs one approval. */
const ONE_APPROVAL = { ...NO_APPROVALS, other_assets: 1 };

/** Somebody who can write the database, and doesn't have the servers' secret, adds or changes a row; people go on with it. */
export async function forgeRow(world: PeopleWorld): Promise<void> {
  const { scene, judge } = world;
  const maker = pickOne(scene, operatorsIn(world));
  if (maker === null || judge.isFrozen()) return;
  await calmly(scene, async () => {
    await beSignedIn(world, maker);
    await putInForce(world, ONE_APPROVAL);
    const forge = scene.random.pick([forgePolicy, forgeRole, forgeSignature]);
    if (forge === forgePolicy) return forgePolicy(world, () => pay(world, maker, { isCareful: true }));
    const key = await pay(world, maker, { isCareful: true });
    if (world.operations.get(key)?.state === 'awaiting') await forge(world, async () => key);
  });
}

/** The rules in force ask for no approval any more. */
async function forgePolicy(world: PeopleWorld, payUnder: () => Promise<unknown>): Promise<void> {
  const { scene, policyNumber } = world;
  const write = (policy: typeof ONE_APPROVAL) =>
    withoutTriggers(world, 'update people.policies set body = $1 where service = $2 and account = $3 and number = $4', [
      JSON.stringify(policy),
      SERVICE,
      COMPANY_ACCOUNT,
      policyNumber,
    ]);
  await write(NO_APPROVALS);
  scene.count('rowsForged');
  await payUnder();
  await write(ONE_APPROVAL);
}

/** Somebody who may not approve is made an approver, with the seal of another role. */
async function forgeRole(world: PeopleWorld, paid: () => Promise<string>): Promise<void> {
  const { scene, humans, judge } = world;
  const key = await paid();
  const maker = judge.payments.payments.get(key)?.maker;
  const others = humans.filter(({ person }) => person !== null && person !== maker);
  const human = pickOne(
    scene,
    others.filter(({ person }) => {
      const own = judge.permissionsOf(person ?? '');
      return own.size > 0 && !own.has('approve');
    }),
  );
  if (human === null) return;
  await beSignedIn(world, human);
  const id = scene.name('forged-role-');
  await withoutTriggers(
    world,
    `insert into people.grants (id, person, account, permission, granted_by, counts_from, ended_at, ended_by, confirmed_by, waits_since, seal)
     select $1, person, account, 'approve', granted_by, counts_from, null, null, confirmed_by, waits_since, seal
     from people.grants where person = $2 and ended_at is null order by id limit 1`,
    [id, human.person],
  );
  scene.count('rowsForged');
  await approve(world, human, { keys: [key] });
  await withoutTriggers(world, 'delete from people.grants where id = $1', [id]);
}

/** An approver's signature over something else is added as one over this payment. */
async function forgeSignature(world: PeopleWorld, paid: () => Promise<string>): Promise<void> {
  const { scene, judge } = world;
  const key = await paid();
  const maker = judge.payments.payments.get(key)?.maker;
  const approver = pickOne(
    scene,
    approversIn(world).filter(({ person }) => person !== maker),
  );
  if (approver === null || approver.person === null) return;
  const id = scene.name('forged-signature-');
  const { database } = scene.tables;
  // Inserts nothing after a restore that lost the approver's passkey.
  await database.query(
    `insert into people.signatures (id, service, person, passkey, decision, items, seen, ticket, client_data, authenticator_data, signature, session, at)
     select $1, s.service, $2, $3, 'approve', jsonb_build_array(o.content_sha256)::text, '[]', s.ticket, s.client_data,
       s.authenticator_data, s.signature, s.session, $4::bigint
     from people.signatures s, operations.operations o where o.key = $5 and s.passkey is not null
       and exists (select from people.passkeys where id = $3)
     order by (s.person = $2) desc, s.at desc limit 1`,
    [id, approver.person, approver.authenticator.id, String(databaseNow(scene)), key],
  );
  await database.query(
    `insert into people.signed (signature, subject, content_sha256, person, decision)
     select s.id, o.key, o.content_sha256, s.person, s.decision
     from people.signatures s, operations.operations o where s.id = $1 and o.key = $2`,
    [id, key],
  );
  scene.count('rowsForged');
  await pressAsOperator(world, key);
}

async function withoutTriggers(
  { scene }: PeopleWorld,
  statement: string,
  params: (string | number | null)[],
): Promise<void> {
  const { database } = scene.tables;
  await database.script('set session_replication_role = replica');
  await database.query(statement, params);
  await database.script('set session_replication_role = origin');
}
