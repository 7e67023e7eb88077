import type { Queries } from '#src/server/database/sql.ts';
import { type ClosedPart, type ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { ITEMS_MAX } from '#src/shared/contract/teamContract.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';

// A closing is the upload of a period's ZIP, open from its first part until the period is saved. Only parts of open
// closings are ever deleted: those of a closed period have no row here.

/** Seconds after its last part. */
const EXPIRES_AFTER = 24 * 60 * 60;
/** More than the write quota of a minute, so that new closings can't push out one that is being uploaded. */
const OPEN_MAX = 200;
/** Of all open closings of an account. */
const OPEN_PARTS_MAX = ITEMS_MAX;

type OpenClosing = { closing: string; parts: number; writtenAt: number };

/** The open closings of an account, within one write transaction; `now`: the database's clock, Unix seconds. */
export function openClosings(tx: Queries, { service, account }: AccountOwner, now: number) {
  /** Newest first. */
  const list = () =>
    tx.query<OpenClosing>(
      `select closing, parts, written_at::float8 as "writtenAt" from team.closings
       where service = $1 and account = $2 order by written_at desc, closing`,
      [service, account],
    );

  async function find(name: string): Promise<OpenClosing | null> {
    const [row] = await tx.query<OpenClosing>(
      `select closing, parts, written_at::float8 as "writtenAt" from team.closings
       where service = $1 and account = $2 and closing = $3`,
      [service, account, name],
    );
    return row ?? null;
  }

  async function end(name: string): Promise<void> {
    await tx.query('delete from team.closings where service = $1 and account = $2 and closing = $3', [
      service,
      account,
      name,
    ]);
  }

  async function drop(name: string): Promise<void> {
    await end(name);
    await tx.query(
      `delete from team.items where service = $1 and account = $2 and collection = 'closed-period-parts'
         and starts_with(id, $3)`,
      [service, account, `${name}.`],
    );
  }

  /** Drops other closings that are too old or too many, those written longest ago first. */
  async function makeRoom(current: OpenClosing): Promise<void> {
    let closings = 1;
    let { parts } = current;
    for (const other of await list()) {
      if (other.closing === current.closing) continue;
      closings += 1;
      parts += other.parts;
      const isOver = closings > OPEN_MAX || parts > OPEN_PARTS_MAX || now - other.writtenAt > EXPIRES_AFTER;
      if (isOver) await drop(other.closing);
    }
  }

  return {
    /** Why this part can't be written now; null if it can. */
    refusal: async ({ closing, part }: ClosedPart): Promise<string | null> => {
      const parts = (await find(closing))?.parts ?? 0;
      if (part !== parts) return 'Parts are uploaded one after the other, to a closing that is open.';
      return part < OPEN_PARTS_MAX ? null : `A closing has ${OPEN_PARTS_MAX.toLocaleString('en')} parts at most.`;
    },
    /** Counts a new part, and makes room for it. */
    add: async ({ closing, part }: ClosedPart): Promise<void> => {
      await tx.query(
        `insert into team.closings (service, account, closing, parts, written_at) values ($1, $2, $3, $4, $5)
         on conflict (service, account, closing) do update set parts = excluded.parts, written_at = excluded.written_at`,
        [service, account, closing, part + 1, now],
      );
      await makeRoom({ closing, parts: part + 1, writtenAt: now });
    },
    isComplete: async ({ closing, parts }: ClosedPeriod): Promise<boolean> => (await find(closing))?.parts === parts,
    /** The period was saved: its parts stay. */
    end,
  };
}
