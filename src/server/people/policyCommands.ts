import type { Act } from '#src/server/activity/activityLog.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { ActKind } from '#src/shared/contract/activityContract.ts';
import { POLICY_UNDO_SECONDS, type PolicyAnswer, type PolicyVersion } from '#src/shared/contract/policyContract.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { policyDifferences } from '#src/shared/policy/policyWords.ts';
import { isStricter } from '#src/shared/policy/strictness.ts';
import { counted } from '#src/shared/text.ts';
import { SANDBOX } from './administration.ts';
import { type PolicyRow, secondsOf } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import type { PersonActor } from './personTransactions.ts';
import { policyIn, type PolicyInForce } from './policies.ts';
import { readNow } from './sessionAge.ts';
import { WAITS_FOR_ADMIN, waitsUntil } from './waits.ts';

const HOUR_MS = 60 * 60 * 1_000;
const MOST_LISTED = 50;
/** In one line of the activity log. */
const MOST_CHANGES = 12;

/** The number of the new version, or why the proposal was refused. `unmeetable`: a sentence for the person. */
export type Proposed = { number: number } | 'changed' | 'same' | { unmeetable: string };
export type PolicyConfirmed = 'confirmed' | 'not_pending' | 'own' | { unmeetable: string };

/** When a proposal takes effect: at once, when another admin confirms it, or after a wait if there is no other admin. */
type Effect = 'now' | 'admin' | 'waiting';

/** Proposing, confirming and vetoing approval policies. */
export function createPolicyCommands(store: PeopleStore) {
  const {
    database,
    service,
    namesOf,
    approversAbleToSign,
    unmeetableNow,
    signersOf,
    isPolicySealed,
    inForceOrBroken,
    policiesOf,
    pendingPolicy,
    wasPolicyInForce,
    insertPolicy,
    updatePolicy,
    withJournalLock,
    actAs,
  } = store;

  return {
    readPolicy,

    /** `number`: the newest version that the admin saw; 'changed' if there is a newer one. */
    proposePolicy: (actor: PersonActor, policy: Policy, number: number): Promise<Proposed> => {
      let effect: Effect = 'now';
      let changes: string[] = [];
      return actAs(actor, 'change-policy', propose, (done) =>
        typeof done === 'string' || 'unmeetable' in done
          ? null
          : actOnPolicy('policy.proposed', done.number, { effect, changes: shortened(changes) }),
      );

      async function propose(tx: Queries, now: string): Promise<Proposed> {
        const { account, person } = actor;
        const newest = (await policiesOf(tx, account, 1))[0]?.number ?? 0;
        if (number !== newest) return 'changed';
        const before = await inForceOrBroken(tx, account);
        changes = policyDifferences(policy, before === 'broken' ? null : (before?.policy ?? null));
        if (changes.length === 0) return 'same';
        const unmeetable = await unmeetableNow(tx, account, policy);
        if (unmeetable !== null) return { unmeetable };
        effect = await effectOf(tx, { actor, policy, before }, Number(now));
        const pending = await pendingPolicy(tx, account);
        if (pending !== null) await updatePolicy(tx, { ...pending, ended_at: now, ended_by: person });
        await insertPolicy(tx, {
          service,
          account,
          number: newest + 1,
          body: JSON.stringify(policy),
          proposed_by: person,
          proposed_at: now,
          confirmed_by: null,
          counts_from: {
            now,
            admin: WAITS_FOR_ADMIN,
            waiting: String(await waitsUntil(tx, account, Number(now))),
          }[effect],
          ended_at: null,
          ended_by: null,
        });
        return { number: newest + 1 };
      }
    },

    /** 'own': the actor proposed it, and another admin must confirm it. */
    confirmPolicy: (actor: PersonActor, number: number): Promise<PolicyConfirmed> => {
      return actAs(actor, 'change-policy', confirm, (done) =>
        done === 'confirmed' ? actOnPolicy('policy.confirmed', number) : null,
      );

      async function confirm(tx: Queries, now: string): Promise<PolicyConfirmed> {
        const { account, person } = actor;
        const pending = await pendingPolicy(tx, account);
        const policy = pending && policyIn(pending);
        if (pending?.number !== number || policy === null) return 'not_pending';
        if (pending.proposed_by === person) return 'own';
        const unmeetable = await unmeetableNow(tx, account, policy);
        if (unmeetable !== null) return { unmeetable };
        await updatePolicy(tx, { ...pending, confirmed_by: person, counts_from: now });
        return 'confirmed';
      }
    },

    /** The actor may veto their own proposal, too. False: it is already in force or has ended. */
    vetoPolicy: (actor: PersonActor, number: number): Promise<boolean> =>
      actAs(
        actor,
        'veto-policy',
        async (tx, now) => {
          const pending = await pendingPolicy(tx, actor.account);
          if (pending?.number !== number) return false;
          await updatePolicy(tx, { ...pending, ended_at: now, ended_by: actor.person });
          return true;
        },
        (done) => (done ? actOnPolicy('policy.vetoed', number) : null),
      ),

    /** Creates the first policy of the sandbox's account. Existing ones stay, sealed again with the server's present secret. */
    createDemoPolicyIfMissing: async (account: string, policy: Policy): Promise<void> => {
      if (service !== SANDBOX) throw new TypeError('Only the sandbox has a policy that nobody chose.');
      // Check before taking the write lock, because every transaction under it writes a row.
      const rows = await policiesOf(database, account, MOST_LISTED);
      if (rows.length > 0) {
        // Sealing again vouches for these rows unchecked. That is fine here: the sandbox's people have no passkeys either.
        for (const row of rows) if (!isPolicySealed(row)) await updatePolicy(database, row);
        return;
      }
      await withJournalLock(
        account,
        async (tx, now) => {
          if ((await policiesOf(tx, account, 1)).length > 0) return false;
          const none = { proposed_by: null, confirmed_by: null, ended_at: null, ended_by: null };
          const row = { service, account, number: 1, body: JSON.stringify(policy), ...none };
          await insertPolicy(tx, { ...row, proposed_at: now, counts_from: now });
          return true;
        },
        (done) =>
          done
            ? {
                ...actOnPolicy('policy.proposed', 1, {
                  effect: 'now',
                  changes: shortened(policyDifferences(policy, null)),
                }),
                person: null,
                who: null,
              }
            : null,
      );
    },
  };

  async function effectOf(
    tx: Queries,
    { actor, policy, before }: { actor: PersonActor; policy: Policy; before: PolicyInForce | null | 'broken' },
    now: number,
  ): Promise<Effect> {
    if (!(await wasPolicyInForce(tx))) return 'now';
    if (before !== 'broken' && isStricter(policy, before?.policy ?? null)) return 'now';
    if (before !== 'broken' && before !== null && (await isUndo(tx, { actor, policy, before }, now))) return 'now';
    return (await otherAdmins(tx, actor)).length > 0 ? 'admin' : 'waiting';
  }

  /** Whether the admin who proposed the policy in force goes back to the previous one in time. */
  async function isUndo(
    tx: Queries,
    { actor, policy, before }: { actor: PersonActor; policy: Policy; before: PolicyInForce },
    now: number,
  ): Promise<boolean> {
    const rows = await policiesOf(tx, actor.account, MOST_LISTED);
    const current = rows.find(({ number }) => number === before.number);
    const former = rows.find((row) => row.number < before.number && row.ended_at === null);
    if (current?.proposed_by !== actor.person || former === undefined || !isPolicySealed(former)) return false;
    const age = now - Number(current.counts_from);
    const formerPolicy = policyIn(former);
    return (
      age >= 0 &&
      age <= POLICY_UNDO_SECONDS * 1_000 &&
      formerPolicy !== null &&
      policyDifferences(policy, formerPolicy).length === 0
    );
  }

  async function otherAdmins(
    queries: Queries,
    { account, person }: { account: string; person: string },
  ): Promise<string[]> {
    return (await signersOf(queries, account, 'admin')).filter((admin) => admin !== person);
  }

  async function readPolicy(account: string, reader: string | null): Promise<PolicyAnswer> {
    const rows = await policiesOf(database, account, MOST_LISTED);
    const inForce = await inForceOrBroken(database, account);
    const pending = inForce === 'broken' ? null : await pendingPolicy(database, account);
    const ids = new Set(rows.flatMap(({ proposed_by: by, confirmed_by: other }) => [by ?? [], other ?? []].flat()));
    const names = new Map((await namesOf(database, account, [...ids])).map((one) => [one.person, one]));
    const personOf = (id: string | null) => (id === null ? null : (names.get(id) ?? { person: id, name: id }));
    const number = inForce === 'broken' || inForce === null ? 0 : inForce.number;
    const versionOf = (row: PolicyRow): PolicyVersion => ({
      number: row.number,
      state: stateOf(row, { inForce: number, pending: pending?.number ?? null }),
      proposed_by: personOf(row.proposed_by),
      proposed_at: secondsOf(row.proposed_at),
      confirmed_by: personOf(row.confirmed_by),
      counts_from: row.counts_from === WAITS_FOR_ADMIN ? null : secondsOf(row.counts_from),
      policy: isPolicySealed(row) ? policyIn(row) : null,
    });
    const current = rows.find((row) => row.number === number);
    const currentPolicy = inForce === 'broken' ? null : (inForce?.policy ?? null);
    const waiting = pending && policyIn(pending);
    const admins = await namesOf(database, account, await signersOf(database, account, 'admin'));
    const { approvers, preparing } = await approversAbleToSign(database, account);
    const now = await readNow(database);
    return {
      newest: rows[0]?.number ?? 0,
      in_force: current && currentPolicy ? { ...versionOf(current), policy: currentPolicy } : null,
      is_broken: inForce === 'broken',
      pending:
        pending === null || waiting === null
          ? null
          : {
              ...versionOf(pending),
              policy: waiting,
              changes: policyDifferences(waiting, currentPolicy),
              confirmers: admins.filter(({ person }) => person !== pending.proposed_by),
            },
      versions: rows.map(versionOf),
      approvers,
      approvers_who_prepare: preparing,
      is_first: !(await wasPolicyInForce(database)),
      confirmers: admins.filter(({ person }) => person !== reader),
      wait_hours: Math.ceil(((await waitsUntil(database, account, now)) - now) / HOUR_MS),
    };
  }

  function stateOf(
    row: PolicyRow,
    { inForce, pending }: { inForce: number; pending: number | null },
  ): PolicyVersion['state'] {
    if (!isPolicySealed(row) || policyIn(row) === null) return 'broken';
    if (row.number === inForce) return 'in-force';
    if (row.number === pending) return 'pending';
    return row.ended_at === null && row.number < inForce ? 'replaced' : 'ended';
  }
}

function actOnPolicy(kind: Extract<ActKind, `policy.${string}`>, number: number, facts: Act['facts'] = {}): Act {
  return { kind, subject: null, facts: { number: String(number), ...facts } };
}

function shortened(changes: readonly string[]): string {
  const left = changes.length - MOST_CHANGES;
  const last = left > 0 ? [`And ${counted(left, 'more change', 'more changes')}.`] : [];
  return [...changes.slice(0, MOST_CHANGES), ...last].join(' ');
}
