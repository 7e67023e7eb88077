import type { Queries } from '#src/server/database/sql.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NOW_MS } from './sessionAge.ts';

// Changes that one admin can't make alone: to the approval rules, and to the approver and admin roles.

/** `counts_from` of a change that another admin has to confirm. */
export const WAITS_FOR_ADMIN = String(Number.MAX_SAFE_INTEGER);

/** Giving one of these needs a second admin. Anybody who has one can stop a change that waits. */
export const CONTROL_PERMISSIONS = ['approve', 'admin'] as const satisfies Permission[];

const HOUR_MS = 60 * 60 * 1_000;
/** How long a change waits if there is no other admin to confirm it. */
const WAIT_MS = 72 * HOUR_MS;
/** How long a role that waits can still be refused after somebody who could do so was told of it. */
export const REFUSABLE_AFTER_TOLD_MS = 24 * HOUR_MS;
/** How long a change waits after somebody who could have stopped it was removed. */
export const WAIT_AFTER_REMOVAL_MS = 7 * 24 * HOUR_MS;

/** SQL: whether a wait until `counts_from` is over by both clocks: the database's and this server's (`wall`, ms). */
export function waitIsOver(wall: number): string {
  return `counts_from <= least(${NOW_MS}, ${Math.floor(wall)}::bigint)`;
}

export function isControlPermission(permission: string): permission is (typeof CONTROL_PERMISSIONS)[number] {
  return CONTROL_PERMISSIONS.some((one) => one === permission);
}

/** When a change counts if there is no other admin to confirm it, by the database's clock, ms. */
export async function waitsUntil(queries: Queries, account: string, now: number): Promise<number> {
  // Leave out roles that ended before they counted: ending those removed nobody.
  const [row] = await queries.query<{ removed_at: string | null }>(
    `select max(ended_at)::text as removed_at from people.grants
     where account = $1 and permission in (select jsonb_array_elements_text($2::text::jsonb)) and ended_by is not null
       and (waits_since is null or confirmed_by is not null or (told_at is not null and counts_from <= ended_at))`,
    [account, JSON.stringify(CONTROL_PERMISSIONS)],
  );
  return Math.max(now + WAIT_MS, Number(row?.removed_at ?? 0) + WAIT_AFTER_REMOVAL_MS);
}
