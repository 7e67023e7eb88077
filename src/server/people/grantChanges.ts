import type { RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { ActivityFacts } from '#src/shared/contract/activityContract.ts';
import type { Permission } from '#src/shared/permissions.ts';
import type { Administration } from './administration.ts';
import type { Approvers } from './approvers.ts';
import { atOnce, type GrantRows, type GrantTerms, isUntold } from './grantRows.ts';
import type { Grants } from './grants.ts';
import type { GrantRow } from './peopleRows.ts';
import { rolesText } from './personTransactions.ts';
import type { PersonNotices } from './personNotices.ts';
import type { PolicyRows } from './policies.ts';
import { CONTROL_PERMISSIONS, isControlPermission, WAITS_FOR_ADMIN, waitsUntil } from './waits.ts';

interface GrantChangesParts {
  service: string;
  raise: RaiseNotice;
  grants: Pick<Grants, 'readPerson'>;
  rows: GrantRows & Pick<PolicyRows, 'wasPolicyInForce' | 'delayPolicyAfterRemoval'>;
  administration: Pick<Administration, 'signersOf' | 'holdersOf' | 'canSign'>;
  approvers: Pick<Approvers, 'raiseIfTooFew'>;
  personNotices: PersonNotices;
}

/** A person whose permissions are set, and the admin who sets them; null for the server's console. */
interface GrantRequest {
  person: string;
  account: string;
  by: string | null;
  /** The admin who made the invite whose code `by` typed; null if the invite came from the server's console. */
  inviter?: string | null;
}

/** Permissions that don't count yet: until another admin confirms them, or for a fixed time if there is no other admin. */
export interface Waiting {
  permissions: Permission[];
  until: 'admin' | 'time';
}

/**
 * Setting people's permissions. Once there are approval rules, one admin alone can't make an approver or an admin, or give
 * themselves the sign-in of one: another admin confirms it, or if there is no other, it waits days in which it can be stopped.
 */
export function createGrantChanges({
  service,
  raise,
  grants,
  rows,
  administration,
  approvers,
  personNotices,
}: GrantChangesParts) {
  const { openGrantsOf, waitingGrants, insertGrant, updateGrant, noteTold, setGrants, endGrant } = rows;

  /** Admins who can confirm what this admin gave this person. */
  async function grantConfirmersOf(
    queries: Queries,
    { account, person, granted_by: by }: Pick<GrantRow, 'account' | 'person' | 'granted_by'>,
  ): Promise<string[]> {
    return (await administration.signersOf(queries, account, 'admin')).filter((one) => one !== by && one !== person);
  }

  /**
   * People who can confirm a waiting role that was given on the server's console because no admin can sign in: those whose own
   * admin role was given there and waits, too.
   */
  async function consolePeersOf(
    queries: Queries,
    { account, person, granted_by: by }: Pick<GrantRow, 'account' | 'person' | 'granted_by'>,
  ): Promise<string[]> {
    if (by !== null || (await administration.signersOf(queries, account, 'admin')).length > 0) return [];
    const waiting = (await rows.waitingGrants(queries, account)).filter(
      (row) => row.permission === 'admin' && row.granted_by === null && row.person !== person,
    );
    const peers: string[] = [];
    for (const { person: peer } of waiting) if (await administration.canSign(queries, peer)) peers.push(peer);
    return peers;
  }

  /** People who can refuse what this admin gave this person, other than the two themselves. */
  async function grantRefusersOf(
    queries: Queries,
    { account, person, granted_by: by }: Pick<GrantRow, 'account' | 'person' | 'granted_by'>,
  ): Promise<string[]> {
    const holders = await administration.holdersOf(queries, account, CONTROL_PERMISSIONS);
    return holders.filter((one) => one !== by && one !== person);
  }

  async function termsOf(
    tx: Queries,
    { person, account, by, inviter = by }: GrantRequest,
    now: string,
  ): Promise<GrantTerms> {
    if (!(await rows.wasPolicyInForce(tx))) return atOnce(by, now);
    if (by === null) {
      const holders = await rows.peopleWith(tx, account, CONTROL_PERMISSIONS);
      if ([...holders].every((one) => one === person)) return atOnce(by, now);
    } else if (inviter === null) return atOnce(by, now);
    if (inviter !== null && inviter !== by) {
      const found = await grants.readPerson(tx, { person: inviter, account });
      if (found?.permissions.includes('admin'))
        return { granted_by: inviter, confirmed_by: by, waits_since: null, told_at: null, counts_from: now };
    }
    const others = await grantConfirmersOf(tx, { account, person, granted_by: by });
    const counts_from = others.length > 0 ? WAITS_FOR_ADMIN : String(await waitsUntil(tx, account, Number(now)));
    // With nobody to tell, the wait alone counts.
    const refusers = await grantRefusersOf(tx, { account, person, granted_by: by });
    const told_at = others.length > 0 || refusers.length > 0 ? null : now;
    return { granted_by: by, confirmed_by: null, waits_since: now, told_at, counts_from };
  }

  /** Sets exactly these permissions. Returns null if all of them count now, or were already waiting. */
  async function replaceGrants(
    tx: Queries,
    request: GrantRequest,
    permissions: readonly Permission[],
    now: string,
  ): Promise<Waiting | null> {
    const { person, account } = request;
    const terms = await termsOf(tx, request, now);
    const before = await openGrantsOf(tx, person);
    const waitingBefore = await rows.waitingGrants(tx, account);
    const { added } = await approvers.raiseIfTooFew(tx, account, now, () =>
      setGrants(tx, request, permissions, now, terms),
    );
    const restarted: Permission[] = [];
    for (const permission of permissions) {
      const row = before.find((one) => one.account === account && one.permission === permission);
      if (row === undefined || added.includes(permission)) continue;
      // An admin gave it, and the console now, too: that makes two.
      if (request.by === null && row.granted_by !== null && waitingBefore.some(({ id }) => id === row.id)) {
        await updateGrant(tx, { ...row, ...atOnce(null, now) });
        continue;
      }
      if (!(await isStuck(tx, row))) continue;
      await updateGrant(tx, { ...row, ...terms });
      restarted.push(permission);
    }
    return noteWaiting(tx, { person, account }, { terms, permissions: [...added, ...restarted] }, now);
  }

  /** Whether the permission waits for another admin, or for somebody to be told of it, although nobody is left. */
  async function isStuck(tx: Queries, row: GrantRow): Promise<boolean> {
    if (row.counts_from === WAITS_FOR_ADMIN) return (await grantConfirmersOf(tx, row)).length === 0;
    return row.waits_since !== null && isUntold(row) && (await grantRefusersOf(tx, row)).length === 0;
  }

  async function noteWaiting(
    tx: Queries,
    { person, account }: { person: string; account: string },
    { terms, permissions }: { terms: GrantTerms; permissions: readonly Permission[] },
    now: string,
  ): Promise<Waiting | null> {
    const waiting = permissions.filter(isControlPermission);
    if (terms.waits_since === null || waiting.length === 0) return null;
    const cause = { service, account, event: 'role.waiting', subject: person, episode: waitingEpisode(now) } as const;
    await raise(tx, cause, Number(now));
    return { permissions: waiting, until: terms.counts_from === WAITS_FOR_ADMIN ? 'admin' : 'time' };
  }

  /**
   * Sets somebody else's permissions, and tells them of lost ones; no permissions block them. Pending changes wait longer if
   * this removes somebody who could have stopped them.
   */
  async function changeGrants(
    tx: Queries,
    request: GrantRequest & { by: string },
    permissions: readonly Permission[],
    now: string,
  ): Promise<Waiting | null> {
    const { person, account, by } = request;
    const before = (await grants.readPerson(tx, { person, account }))?.permissions ?? [];
    const lost = before.filter((permission) => !permissions.includes(permission));
    const waiting = await replaceGrants(tx, request, permissions, now);
    const isBlocked = permissions.length === 0;
    const event = isBlocked ? 'access.blocked' : 'access.reduced';
    if (isBlocked || lost.length > 0) await personNotices.raiseToPerson(tx, { account, person, event }, now);
    await holdAfterRemoval(tx, { account, person, by, lost }, now);
    return waiting;
  }

  async function holdAfterRemoval(
    tx: Queries,
    removal: { account: string; person: string; by: string; lost: readonly Permission[] },
    now: string,
  ): Promise<void> {
    await rows.delayPolicyAfterRemoval(tx, removal, now);
    await rows.delayGrantsAfterRemoval(tx, removal, now);
    if (!removal.lost.some(isControlPermission)) return;
    for (const row of (await waitingGrants(tx, removal.account)).filter(isUntold))
      if ((await grantRefusersOf(tx, row)).length === 0) await noteTold(tx, row, now);
  }

  /**
   * After a person got a new way to sign in: one admin made the invite, one typed its code. If both are the same admin, who may
   * hold the new sign-in themselves, the person's approver and admin roles end and have to be confirmed again.
   */
  async function restartGrantWaits(
    tx: Queries,
    { person, by, inviter }: { person: string; by: string; inviter: string },
    now: string,
  ): Promise<Waiting | null> {
    const before = (await openGrantsOf(tx, person)).filter(({ permission }) => isControlPermission(permission));
    const all: Waiting[] = [];
    for (const account of new Set(before.map((row) => row.account))) {
      if ((await termsOf(tx, { person, account, by, inviter }, now)).waits_since === null) continue;
      const own = before.filter((row) => row.account === account);
      const lost = (await grants.readPerson(tx, { person, account }))?.permissions.filter(isControlPermission) ?? [];
      await approvers.raiseIfTooFew(tx, account, now, async () => {
        for (const row of own) await endGrant(tx, row, { at: now, by });
      });
      if (lost.length > 0) await personNotices.raiseToPerson(tx, { account, person, event: 'access.reduced' }, now);
      await holdAfterRemoval(tx, { account, person, by, lost }, now);
      // Computed again: ending these roles made the wait longer.
      const terms = await termsOf(tx, { person, account, by, inviter }, now);
      for (const { permission } of own) await insertGrant(tx, { person, account, permission }, terms);
      const permissions = own.flatMap(({ permission }) => (isControlPermission(permission) ? permission : []));
      const waiting = await noteWaiting(tx, { person, account }, { terms, permissions }, now);
      if (waiting !== null) all.push(waiting);
    }
    return all[0] ?? null;
  }

  return { grantConfirmersOf, grantRefusersOf, consolePeersOf, replaceGrants, changeGrants, restartGrantWaits };
}

/** The episode of the notices about roles that wait since this time. */
export function waitingEpisode(since: string): string {
  return `given ${since}`;
}

/** Facts for the activity log. */
export function waitingFacts(waiting: Waiting | null): ActivityFacts {
  return waiting === null ? {} : { waiting: rolesText(waiting.permissions), until: waiting.until };
}
