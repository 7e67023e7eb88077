import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import { withView, type Permission } from '#src/shared/permissions.ts';
import { columnsToSeal, GRANT_COLUMNS, type GrantRow, insertRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { NOW_MS } from './sessionAge.ts';
import {
  isControlPermission,
  REFUSABLE_AFTER_TOLD_MS,
  waitIsOver,
  WAIT_AFTER_REMOVAL_MS,
  WAITS_FOR_ADMIN,
} from './waits.ts';

export type GrantRows = ReturnType<typeof createGrantRows>;

/** Since when a grant counts, and by whose decision. */
export type GrantTerms = Pick<GrantRow, 'granted_by' | 'confirmed_by' | 'waits_since' | 'told_at' | 'counts_from'>;

/**
 * SQL: whether a row of people.grants counts. One that nobody confirmed has to have waited, and somebody who could refuse it
 * has to have been told. `wall`: this server's clock, ms.
 */
export function grantCounts(wall: number): string {
  return `(ended_at is null and counts_from <= ${NOW_MS}
    and (waits_since is null or confirmed_by is not null or (told_at is not null and ${waitIsOver(wall)})))`;
}

/** Reads and writes people.grants. Which permissions count now: grants.ts. */
export function createGrantRows(seals: Seals, wall: () => number) {
  const isGrantSealed = (row: GrantRow) => seals.isSealed(row.seal, ...columnsToSeal.grant(row));

  /** Grants that haven't ended, including those that don't count yet. */
  async function openGrantsOf(queries: Queries, person: string): Promise<GrantRow[]> {
    const rows = await queries.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and ended_at is null order by account, permission`,
      [person],
    );
    return rows.filter(isGrantSealed);
  }

  /** The account's grants that don't count yet, oldest first. */
  async function waitingGrants(queries: Queries, account: string): Promise<GrantRow[]> {
    const rows = await queries.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants
       where account = $1 and ended_at is null and waits_since is not null and not ${grantCounts(wall())}
       order by waits_since, id`,
      [account],
    );
    return rows.filter(isGrantSealed);
  }

  /** Who has one of these permissions on the account now, even if they have lost their passkeys. */
  async function peopleWith(
    queries: Queries,
    account: string,
    permissions: readonly Permission[],
  ): Promise<ReadonlySet<string>> {
    const rows = await queries.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where account = $1
         and permission in (select jsonb_array_elements_text($2::text::jsonb)) and ${grantCounts(wall())}`,
      [account, JSON.stringify(permissions)],
    );
    return new Set(rows.filter(isGrantSealed).map(({ person }) => person));
  }

  async function insertGrant(
    tx: Queries,
    grant: Pick<GrantRow, 'person' | 'account' | 'permission'>,
    terms: GrantTerms,
  ): Promise<void> {
    const row = { id: randomUUID(), ...grant, ...terms, ended_at: null, ended_by: null };
    await insertRow(tx, 'people.grants', { ...row, seal: seals.sealOf(...columnsToSeal.grant(row)) });
  }

  async function updateGrant(tx: Queries, row: GrantRow): Promise<void> {
    await tx.query(
      `update people.grants set granted_by = $2, confirmed_by = $3, waits_since = $4, told_at = $5, counts_from = $6,
         ended_at = $7, ended_by = $8, seal = $9 where id = $1`,
      [
        row.id,
        row.granted_by,
        row.confirmed_by,
        row.waits_since,
        row.told_at,
        row.counts_from,
        row.ended_at,
        row.ended_by,
        seals.sealOf(...columnsToSeal.grant(row)),
      ],
    );
  }

  /** Records that somebody was told who could refuse a role that waits. They have a day for it, even if its time is over. */
  function noteTold(tx: Queries, row: GrantRow, now: string): Promise<void> {
    const countsFrom = Math.max(Number(row.counts_from), Number(now) + REFUSABLE_AFTER_TOLD_MS);
    return updateGrant(tx, { ...row, told_at: now, counts_from: String(countsFrom) });
  }

  /**
   * Sets exactly these permissions and ends all others. `by`: a person's id, or null for the server. `terms` apply to the
   * control permissions (approve, admin); the others count at once. Terms that count at once replace a grant that still waits.
   */
  async function setGrants(
    tx: Queries,
    { person, account, by }: { person: string; account: string; by: string | null },
    given: readonly Permission[],
    now: string,
    terms: GrantTerms = atOnce(by, now),
  ): Promise<{ added: Permission[]; hasChanged: boolean }> {
    const permissions = withView(given);
    const rows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS}, ${grantCounts(wall())} as counts from people.grants
       where person = $1 and account = $2 and ended_at is null`,
      [person, account],
    );
    const isKept = (row: GrantRow & { counts?: boolean }) =>
      isGrantSealed(row) &&
      permissions.some((one) => one === row.permission) &&
      (row.counts === true || row.waits_since === null || terms.waits_since !== null);
    const lost = rows.filter((each) => !isKept(each));
    for (const row of lost) await endGrant(tx, row, { at: now, by });
    const kept = new Set(rows.filter(isKept).map(({ permission }) => permission));
    const added = permissions.filter((one) => !kept.has(one));
    for (const permission of added)
      await insertGrant(tx, { person, account, permission }, isControlPermission(permission) ? terms : atOnce(by, now));
    return { added, hasChanged: lost.length > 0 || added.length > 0 };
  }

  function endGrant(tx: Queries, row: GrantRow, { at, by }: { at: string; by: string | null }): Promise<void> {
    return updateGrant(tx, { ...row, ended_at: at, ended_by: by });
  }

  /**
   * After another person took somebody's permissions away: ends the waiting grants that they made as an admin, and extends the
   * wait of grants that wait for time.
   */
  async function delayGrantsAfterRemoval(
    tx: Queries,
    { account, person, by, lost }: { account: string; person: string; by: string; lost: readonly Permission[] },
    now: string,
  ): Promise<void> {
    if (!lost.some(isControlPermission)) return;
    const later = Number(now) + WAIT_AFTER_REMOVAL_MS;
    for (const row of await waitingGrants(tx, account)) {
      if (row.granted_by === person && lost.includes('admin')) await endGrant(tx, row, { at: now, by });
      else if (row.counts_from !== WAITS_FOR_ADMIN)
        await updateGrant(tx, { ...row, counts_from: String(Math.max(Number(row.counts_from), later)) });
    }
  }

  /** The accounts on which a person has or had permissions. Former ones matter: an admin there may give them back. */
  async function accountsEverOf(queries: Queries, person: string): Promise<string[]> {
    const rows = await queries.query<GrantRow>(`select ${GRANT_COLUMNS} from people.grants where person = $1`, [
      person,
    ]);
    return [...new Set(rows.filter(isGrantSealed).map(({ account }) => account))];
  }

  return {
    isGrantSealed,
    openGrantsOf,
    waitingGrants,
    peopleWith,
    insertGrant,
    updateGrant,
    noteTold,
    setGrants,
    endGrant,
    delayGrantsAfterRemoval,
    accountsEverOf,
  };
}

export function atOnce(by: string | null, now: string): GrantTerms {
  return { granted_by: by, confirmed_by: null, waits_since: null, told_at: null, counts_from: now };
}

/** Whether the role waits for time, and nobody was told yet who could refuse it. */
export function isUntold(row: GrantRow): boolean {
  return row.told_at === null && row.counts_from !== WAITS_FOR_ADMIN;
}
