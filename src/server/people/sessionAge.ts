import type { Queries } from '#src/server/database/sql.ts';

/** A session ends after IDLE_MS without activity by a person, and after LONGEST_MS in any case. */
export const IDLE_MS = 30 * 60 * 1_000;
export const LONGEST_MS = 12 * 60 * 60 * 1_000;
/** LONGEST_MS for a session that began at an identity provider. */
export const LONGEST_OIDC_MS = 8 * 60 * 60 * 1_000;

/** Approving payments requires a sign-in younger than this. */
export const APPROVING_MS = 4 * 60 * 60 * 1_000;

/** SQL: the database's clock, in ms. */
export const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
/** SQL: whether a row of people.sessions is open. */
export const IS_OPEN = `ended_at is null and seen_at > ${NOW_MS} - ${IDLE_MS} and created_at > ${NOW_MS} - longest_ms`;

/** The database's clock now, in ms. */
export async function readNow(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ now: string }>(`select ${NOW_MS}::text as now`);
  return Number(row?.now);
}
