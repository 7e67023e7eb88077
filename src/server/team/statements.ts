import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Queries } from '#src/server/database/sql.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import { type ClosedPeriod, closedPeriodId, closedPeriodSchema } from '#src/shared/contract/statementContract.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { type FileBytes, fileBytes, piecesOf } from '#src/shared/statement/lines.ts';
import { isStorable } from '#src/shared/text.ts';
import { type Changed, readItem, type StoredItem, type TeamActor, type TeamDatabase, withWriteLock } from './items.ts';

/** Size of a stored piece of a ZIP, in bytes. */
export const ZIP_PIECE_BYTES = 1 << 19;

export type Statements = ReturnType<typeof createStatements>;

/** The closed periods of an account and their ZIPs. They are never changed or deleted. */
export function createStatements(database: TeamDatabase) {
  const { sql } = database;
  return {
    /** Oldest first. */
    list: (owner: AccountOwner): Promise<ClosedPeriod[]> => listPeriods(sql, owner),
    item: (owner: AccountOwner, of: Pick<ClosedPeriod, 'number'>): Promise<StoredItem | null> =>
      readItem(sql, owner, 'closed-periods', closedPeriodId(of)),
    async find(owner: AccountOwner, closing: string): Promise<ClosedPeriod | null> {
      if (!isStorable(closing)) return null;
      return (await listPeriods(sql, owner)).find((period) => period.closing === closing) ?? null;
    },
    /** Yields the ZIP piece by piece. Throws before the last piece if the hash isn't the recorded one. */
    readPieces: (owner: AccountOwner, period: ClosedPeriod) => readPieces(sql, owner, period),
    async readZip(owner: AccountOwner, period: ClosedPeriod): Promise<FileBytes> {
      const pieces: Uint8Array[] = [];
      for await (const piece of readPieces(sql, owner, period)) pieces.push(piece);
      return fileBytes(...pieces);
    },
    /**
     * Closes the period by saving it with its ZIP. `moved`: a different period has this number already, or it doesn't follow the
     * previous one. A repeated call returns the item again. Throws SessionEnded or NotPermitted.
     */
    close: (actor: TeamActor, frozen: Omit<ClosedPeriod, 'parts'>, zip: FileBytes): Promise<Changed> =>
      withWriteLock(database, actor, 'close-month', async (transaction, tx) => {
        const id = closedPeriodId(frozen);
        const before = await transaction.read('closed-periods', id);
        if (before !== null)
          return isSameClosing(before, frozen.closing)
            ? { kind: 'written', item: before }
            : { kind: 'moved', item: before };
        const periods = await listPeriods(tx, actor);
        const last = periods.at(-1);
        const isNext = frozen.number === periods.length + 1 && (last === undefined || last.to === frozen.from);
        if (!isNext || frozen.from >= frozen.to) return { kind: 'moved', item: null };
        let parts = 0;
        for await (const piece of piecesOf(zip, ZIP_PIECE_BYTES)) {
          await tx.query(
            `insert into team.closed_files (service, account, closing, piece, bytes)
             values ($1, $2, $3, $4, decode($5, 'base64'))`,
            [actor.service, actor.account, frozen.closing, parts, Buffer.from(piece).toString('base64')],
          );
          parts += 1;
        }
        const value = stringifyExact(v.parse(closedPeriodSchema, { ...frozen, parts }));
        return transaction.change({ collection: 'closed-periods', id, value, revision: 0 });
      }),
  };
}

function isSameClosing({ value }: StoredItem, closing: string): boolean {
  return v.parse(closedPeriodSchema, parseExact(value)).closing === closing;
}

async function listPeriods(queries: Queries, { service, account }: AccountOwner): Promise<ClosedPeriod[]> {
  const rows = await queries.query<{ value: string }>(
    `select value from team.items where service = $1 and account = $2 and collection = 'closed-periods' and not deleted`,
    [service, account],
  );
  return rows
    .map(({ value }) => v.parse(closedPeriodSchema, parseExact(value)))
    .sort((one, other) => one.number - other.number);
}

async function* readPieces(
  queries: Queries,
  { service, account }: AccountOwner,
  { closing, parts, zip, name }: ClosedPeriod,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for (let piece = 0; piece < parts; piece += 1) {
    const [row] = await queries.query<{ bytes: string }>(
      `select encode(bytes, 'base64') as bytes from team.closed_files
       where service = $1 and account = $2 and closing = $3 and piece = $4`,
      [service, account, closing, piece],
    );
    if (row === undefined) throw new FileDamaged(`Parts of ${name} are missing on the server.`);
    const bytes = Buffer.from(row.bytes, 'base64');
    hash.update(bytes);
    if (piece === parts - 1 && hash.digest('hex') !== zip.sha256)
      throw new FileDamaged(`${name} on the server is not what was closed: its SHA-256 differs.`);
    yield bytes;
  }
}

/** The stored ZIP of a closed period doesn't match the recorded hash. */
export class FileDamaged extends Error {
  override name = 'FileDamaged';
}
