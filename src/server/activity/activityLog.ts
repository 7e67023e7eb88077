import { createHmac } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import type { ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';

/** What was done. */
export interface Act {
  kind: ActKind;
  /** An operation's key, or a person's id. */
  subject: string | null;
  facts: ActivityFacts;
}

/** Who did it, on which account; a null name and person: the server or its console. */
export interface ActBy {
  service: string;
  /** Null: it concerns the whole server. */
  account: string | null;
  person: string | null;
  who: string | null;
}

/** The journal's turns, for writers of other tables: locks the journal's row, so that their lines join the chain. */
export interface Turns {
  /** The first statement of a transaction. `now`: the database's clock, ms. */
  begin: (transaction: Queries) => Promise<{ now: number }>;
  note: (transaction: Queries, by: ActBy, act: Act, now: number) => Promise<void>;
}

type Line = Record<'number' | 'at' | 'service' | 'kind' | 'facts', string> &
  Record<'account' | 'person' | 'who' | 'subject', string | null>;

const COLUMNS = 'number::text, at::text, service, account, person, who, kind, subject, facts, mac';
/** The line of --reseal. */
const NEW_SECRET: ActKind = 'people.resealed';
const CHECK_PAGE = 5_000;
const FIRST_NUMBER = '-9223372036854775808';

/** `lines`: how many are as they were written, from the first on. */
export interface ActivityCheck {
  lines: number;
  /** How many of them are of a former secret and can't be checked: --reseal took them over as they were. */
  unchecked: number;
  fault: ActivityFault | null;
}

export type ActivityFault =
  | { kind: 'changed'; number: string }
  /** `count` lines are missing after the last good one. */
  | { kind: 'missing'; count: string }
  /** The row of the last line isn't as this server wrote it, so lines may be missing at the end. */
  | { kind: 'end-changed' };

interface End {
  number: string;
  mac: string;
}

export type ActivityLog = ReturnType<typeof createActivityLog>;

/**
 * `key`: derivedKey(secret, 'activity'). Each line's mac covers the line and the mac before. activity.last_line names the last
 * line, sealed, so that a cut end is noticed. Both put back to what they were at an earlier time are not.
 */
export function createActivityLog(key: Uint8Array) {
  const codeOf = (values: readonly (string | null)[]) =>
    createHmac('sha256', key).update(JSON.stringify(values)).digest('base64url');
  /** `before` is null if it isn't known: no check finds such a line as it was written. */
  const macOf = (before: string | null, { number, at, service, account, person, who, kind, subject, facts }: Line) =>
    codeOf([before, number, at, service, account, person, who, kind, subject, facts]);
  const sealOf = ({ number, mac }: End) => codeOf(['last', number, mac]);

  /** Null if the row is missing, or isn't as this server wrote it. */
  async function sealedEnd(queries: Queries): Promise<End | null> {
    const [end] = await queries.query<Record<'number' | 'mac' | 'seal', string>>(
      'select number::text, mac, seal from activity.last_line',
    );
    return end !== undefined && end.seal === sealOf(end) ? end : null;
  }

  async function newestLine(queries: Queries): Promise<End> {
    const [line] = await queries.query<Record<'number' | 'mac', string>>(
      'select number::text, mac from activity.lines order by activity.lines.number desc limit 1',
    );
    return line ?? { number: '0', mac: '' };
  }

  async function insertEnd(queries: Queries, end: End): Promise<void> {
    await queries.query(
      'insert into activity.last_line (number, mac, seal) values ($1, $2, $3) on conflict (one) do nothing',
      [end.number, end.mac, sealOf(end)],
    );
  }

  return {
    /** For a new journal. */
    begin: (transaction: Queries): Promise<void> => insertEnd(transaction, { number: '0', mac: '' }),

    /** For a journal of a version without the row: takes over its lines as they are. */
    adopt: async (transaction: Queries): Promise<void> => insertEnd(transaction, await newestLine(transaction)),

    /** After the server's secret changed: lines from now on can be checked, those before can't any more. */
    async goOnWithNewSecret(transaction: Queries): Promise<void> {
      const end = await newestLine(transaction);
      await transaction.query(
        `insert into activity.last_line (number, mac, seal) values ($1, $2, $3)
         on conflict (one) do update set number = excluded.number, mac = excluded.mac, seal = excluded.seal`,
        [end.number, end.mac, sealOf(end)],
      );
    },

    /** In a transaction that has locked the journal's row: lines are numbered one after the other. `now`: the database's clock, ms. */
    async append(transaction: Queries, by: ActBy, { kind, subject, facts }: Act, now: number): Promise<void> {
      const end = await sealedEnd(transaction);
      const newest = BigInt((await newestLine(transaction)).number);
      const last = BigInt(end?.number ?? 0);
      // Where lines were cut off, the row's number leaves a gap. A number that is in use would stop every write.
      const number = String((newest > last ? newest : last) + 1n);
      const line: Line = { number, at: String(now), ...by, kind, subject, facts: JSON.stringify(facts) };
      const mac = macOf(end?.mac ?? null, line);
      await transaction.query(
        `with line as (insert into activity.lines (number, at, service, account, person, who, kind, subject, facts, mac)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning number, mac)
         insert into activity.last_line (number, mac, seal) select number, mac, $11 from line
         on conflict (one) do update set number = excluded.number, mac = excluded.mac, seal = excluded.seal`,
        [
          line.number,
          line.at,
          line.service,
          line.account,
          line.person,
          line.who,
          line.kind,
          line.subject,
          line.facts,
          mac,
          sealOf({ number, mac }),
        ],
      );
    },

    /** Reads every line, and stops at the first fault. */
    async check(queries: Queries): Promise<ActivityCheck> {
      let before = '';
      let number = 0n;
      let from = FIRST_NUMBER;
      let unchecked = 0n;
      /** The first line that isn't as this secret wrote it; a later line may say that the secret was another one. */
      let changed: { number: string; lines: number } | null = null;
      const found = (fault: ActivityFault | null): ActivityCheck =>
        changed === null
          ? { lines: Number(number), unchecked: Number(unchecked), fault }
          : { lines: changed.lines, unchecked: Number(unchecked), fault: { kind: 'changed', number: changed.number } };
      for (;;) {
        // Read before the page: lines that are written meanwhile are found by the next page.
        const end = await sealedEnd(queries);
        const page = await queries.query<Line & { mac: string }>(
          `select ${COLUMNS} from activity.lines where activity.lines.number >= $1::bigint
           order by activity.lines.number limit ${CHECK_PAGE}`,
          [from],
        );
        for (const { mac, ...line } of page) {
          const skipped = BigInt(line.number) - number - 1n;
          if (skipped > 0n) return found({ kind: 'missing', count: String(skipped) });
          if (skipped < 0n) return found({ kind: 'changed', number: line.number });
          const isAsWritten = mac === macOf(before, line);
          if (isAsWritten && line.kind === NEW_SECRET) {
            unchecked = number;
            changed = null;
          } else if (!isAsWritten) changed ??= { number: line.number, lines: Number(number) };
          number += 1n;
          before = mac;
        }
        from = String(number + 1n);
        if (page.length > 0) continue;
        const cut = BigInt(end?.number ?? 0) - number;
        if (cut > 0n) return found({ kind: 'missing', count: String(cut) });
        return found(end?.number === String(number) && end.mac === before ? null : { kind: 'end-changed' });
      }
    },
  };
}
