import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import { asRoles, type Permission } from '#src/shared/permissions.ts';
import { columnsToSeal, GRANT_COLUMNS, type GrantRow, insertRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';

export type GrantRows = ReturnType<typeof createGrantRows>;

/** Reads and writes people.grants. Which permissions count now: grants.ts. */
export function createGrantRows(seals: Seals) {
  const isGrantSealed = (row: GrantRow) => seals.isSealed(row.seal, ...columnsToSeal.grant(row));

  /** Gives exactly these permissions, and ends others. `by`: a person's id; null: the server. False: nothing changed. */
  async function setGrants(
    tx: Queries,
    { person, account, by }: { person: string; account: string; by: string | null },
    given: readonly Permission[],
    now: string,
  ): Promise<boolean> {
    const permissions = asRoles(given);
    const rows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and account = $2 and ended_at is null`,
      [person, account],
    );
    const isKept = (row: GrantRow) => isGrantSealed(row) && permissions.some((one) => one === row.permission);
    const lost = rows.filter((each) => !isKept(each));
    for (const row of lost) {
      const ended = { ...row, ended_at: now, ended_by: by };
      await tx.query('update people.grants set ended_at = $2, ended_by = $3, seal = $4 where id = $1', [
        row.id,
        now,
        by,
        seals.sealOf(...columnsToSeal.grant(ended)),
      ]);
    }
    const kept = new Set(rows.filter(isKept).map(({ permission }) => permission));
    const added = permissions.filter((one) => !kept.has(one));
    for (const permission of added) {
      const row = {
        id: randomUUID(),
        person,
        account,
        permission,
        granted_by: by,
        counts_from: now,
        ended_at: null,
        ended_by: null,
      };
      await insertRow(tx, 'people.grants', { ...row, seal: seals.sealOf(...columnsToSeal.grant(row)) });
    }
    return lost.length > 0 || added.length > 0;
  }

  /** The accounts on which a person has or had permissions: an admin there may give them back. */
  async function accountsEverOf(queries: Queries, person: string): Promise<string[]> {
    const rows = await queries.query<GrantRow>(`select ${GRANT_COLUMNS} from people.grants where person = $1`, [
      person,
    ]);
    return [...new Set(rows.filter(isGrantSealed).map(({ account }) => account))];
  }

  return { isGrantSealed, setGrants, accountsEverOf };
}
