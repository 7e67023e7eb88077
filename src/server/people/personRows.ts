import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import { columnsToSeal, insertRow, PERSON_COLUMNS, type PersonRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';

export type PersonRows = ReturnType<typeof createPersonRows>;

/** Reads and writes people.people. */
export function createPersonRows(service: string, seals: Seals) {
  const isPersonSealed = (row: PersonRow) => seals.isSealed(row.seal, ...columnsToSeal.person(row));

  async function readPersonRow(queries: Queries, person: string): Promise<PersonRow | null> {
    const [row] = await queries.query<PersonRow>(
      `select ${PERSON_COLUMNS} from people.people where id = $1 and service = $2`,
      [person, service],
    );
    return row !== undefined && isPersonSealed(row) ? row : null;
  }

  async function insertPerson(tx: Queries, name: string, now: string, id: string = randomUUID()): Promise<string> {
    const row = { id, service, name, created_at: now, issuer: null, subject: null, email: null };
    await insertRow(tx, 'people.people', { ...row, seal: seals.sealOf(...columnsToSeal.person(row)) });
    return row.id;
  }

  async function updatePerson(
    tx: Queries,
    person: string,
    change: Partial<Pick<PersonRow, 'name' | 'issuer' | 'subject' | 'email'>>,
  ): Promise<void> {
    const [before] = await tx.query<PersonRow>(`select ${PERSON_COLUMNS} from people.people where id = $1 for update`, [
      person,
    ]);
    // A new seal would make a changed row valid.
    if (before === undefined || !isPersonSealed(before)) return;
    const row = { ...before, ...change };
    await tx.query(
      'update people.people set name = $2, issuer = $3, subject = $4, email = $5, seal = $6 where id = $1',
      [person, row.name, row.issuer, row.subject, row.email, seals.sealOf(...columnsToSeal.person(row))],
    );
  }

  function rename(tx: Queries, person: string, name: string): Promise<void> {
    return updatePerson(tx, person, { name });
  }

  /** The name, with a number appended if somebody already has it. */
  async function freeName(tx: Queries, name: string): Promise<string> {
    let free = name;
    for (let number = 2; await isNameTaken(tx, free); number += 1) free = `${name} ${number}`;
    return free;
  }

  /** As the unique index compares names. */
  async function isNameTaken(tx: Queries, name: string): Promise<boolean> {
    const rows = await tx.query(
      'select 1 as one from people.people where service = $1 and lower(name) = lower($2) limit 1',
      [service, name],
    );
    return rows.length > 0;
  }

  /** Waits for that person's running writes, which hold a share lock on the row. */
  async function lockPerson(tx: Queries, person: string): Promise<void> {
    await tx.query('select 1 as one from people.people where id = $1 for update', [person]);
  }

  return { isPersonSealed, readPersonRow, insertPerson, updatePerson, rename, freeName, isNameTaken, lockPerson };
}
