import type { Queries } from '#src/server/database/sql.ts';
import { columnsToSeal, insertRow, PASSKEY_COLUMNS, type PasskeyRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { NOW_MS } from './sessionAge.ts';

/** `counts_from` of a passkey that waits for its code. */
export const WAITS_FOR_CODE = String(Number.MAX_SAFE_INTEGER);

/** False for a passkey that waits for its code. */
export const isCounting = ({ counts_from: from }: Pick<PasskeyRow, 'counts_from'>): boolean => from !== WAITS_FOR_CODE;

/** A passkey as a browser made it: the credential's id and its COSE public key, both base64url. */
export interface Passkey {
  id: string;
  publicKey: string;
}

export type PasskeyRows = ReturnType<typeof createPasskeyRows>;

/** Reads and writes people.passkeys. `rpId`: the domain whose passkeys sign in here. */
export function createPasskeyRows(seals: Seals, rpId: string) {
  const isPasskeySealed = (row: PasskeyRow) => seals.isSealed(row.seal, ...columnsToSeal.passkey(row));

  /** Passkeys that haven't ended, oldest first. */
  async function passkeysOf(queries: Queries, person: string): Promise<PasskeyRow[]> {
    const rows = await queries.query<PasskeyRow>(
      `select ${PASSKEY_COLUMNS} from people.passkeys where person = $1 and ended_at is null order by created_at`,
      [person],
    );
    return rows.filter(isPasskeySealed);
  }

  async function countingPasskey(queries: Queries, id: string): Promise<PasskeyRow | null> {
    const [row] = await queries.query<PasskeyRow>(
      `select ${PASSKEY_COLUMNS} from people.passkeys where id = $1 and ended_at is null and counts_from <= ${NOW_MS}`,
      [id],
    );
    return row === undefined || !isPasskeySealed(row) ? null : row;
  }

  async function hasPasskey(queries: Queries, person: string): Promise<boolean> {
    return (await passkeysOf(queries, person)).some((passkey) => passkey.rp_id === rpId && isCounting(passkey));
  }

  async function insertPasskey(
    tx: Queries,
    { id, publicKey }: Passkey,
    more: Pick<PasskeyRow, 'person' | 'parent' | 'counts_from' | 'created_at'>,
  ): Promise<void> {
    const row = { id, public_key: publicKey, rp_id: rpId, ...more, ended_at: null };
    await insertRow(tx, 'people.passkeys', { ...row, seal: seals.sealOf(...columnsToSeal.passkey(row)) });
  }

  async function updatePasskey(tx: Queries, row: PasskeyRow): Promise<void> {
    await tx.query('update people.passkeys set counts_from = $2, ended_at = $3, seal = $4 where id = $1', [
      row.id,
      row.counts_from,
      row.ended_at,
      seals.sealOf(...columnsToSeal.passkey(row)),
    ]);
  }

  const endPasskey = (tx: Queries, row: PasskeyRow, now: string) => updatePasskey(tx, { ...row, ended_at: now });

  return { passkeysOf, countingPasskey, hasPasskey, insertPasskey, updatePasskey, endPasskey };
}
