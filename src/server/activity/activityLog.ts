import { createHmac } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import type { ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';

/** An act to record in the activity log. */
export interface Act {
  kind: ActKind;
  /** An operation's key, or a person's id. */
  subject: string | null;
  facts: ActivityFacts;
}

/** Who acted, and on which account. `who` and `person` are both null for the server and its console. */
export interface ActBy {
  service: string;
  /** Null if it concerns the whole server. */
  account: string | null;
  person: string | null;
  who: string | null;
}

/** For writers of other tables: takes the journal's write lock, so that their activity lines join the hash chain. */
export interface ActivityWriter {
  /** Call it first in a transaction. `now`: the database's clock, ms. */
  begin: (transaction: Queries) => Promise<{ now: number }>;
  note: (transaction: Queries, by: ActBy, act: Act, now: number) => Promise<void>;
  /** Ends the payments that a person prepared on the actor's account and that were not sent yet. `words`: why. */
  endUnsentOf: (
    transaction: Queries,
    by: ActBy & { account: string },
    ended: { maker: string; words: string },
  ) => Promise<void>;
}

type Line = Record<'number' | 'at' | 'service' | 'kind' | 'facts', string> &
  Record<'account' | 'person' | 'who' | 'subject', string | null>;

const COLUMNS = 'number::text, at::text, service, account, person, who, kind, subject, facts, mac';
/** The line that --reseal writes. */
const NEW_SECRET: ActKind = 'people.resealed';
const CHECK_PAGE = 5_000;
const FIRST_NUMBER = '-9223372036854775808';

/** `lines`: how many lines are intact, counted from the first. */
export interface ActivityCheck {
  lines: number;
  /** How many of them were written under a former secret and can't be checked: --reseal accepted them unchecked. */
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
 * `key`: derivedKey(secret, 'activity'). Each line's mac covers the line and the previous mac. activity.last_line identifies
 * the last line, with a seal, so that missing lines at the end are noticed. Setting back both tables to an earlier state isn't.
 */
export function createActivityLog(key: Uint8Array) {
  const codeOf = (values: readonly (string | null)[]) =>
    createHmac('sha256', key).update(JSON.stringify(values)).digest('base64url');
  /** `before`: the previous line's mac; null if unknown, so that the line never passes a check. */
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

    /** For a journal from a version without the row: accepts its lines as they are. */
    adopt: async (transaction: Queries): Promise<void> => insertEnd(transaction, await newestLine(transaction)),

    /** After the server's secret changed: later lines can be checked, earlier ones no longer. */
    async goOnWithNewSecret(transaction: Queries): Promise<void> {
      const end = await newestLine(transaction);
      await transaction.query(
        `insert into activity.last_line (number, mac, seal) values ($1, $2, $3)
         on conflict (one) do update set number = excluded.number, mac = excluded.mac, seal = excluded.seal`,
        [end.number, end.mac, sealOf(end)],
      );
    },

    /** Call it in a transaction that has locked the journal's row, so that numbers are consecutive. `now`: database clock, ms. */
    async append(transaction: Queries, by: ActBy, { kind, subject, facts }: Act, now: number): Promise<void> {
      const end = await sealedEnd(transaction);
      const newest = BigInt((await newestLine(transaction)).number);
      const last = BigInt(end?.number ?? 0);
      // If lines at the end were deleted, the row's number leaves a gap. Never reuse a number: that would fail every write.
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
      /** The first line that fails under this secret. It isn't a fault if a later line says that the secret was changed. */
      let changed: { number: string; lines: number } | null = null;
      const found = (fault: ActivityFault | null): ActivityCheck =>
        changed === null
          ? { lines: Number(number), unchecked: Number(unchecked), fault }
          : { lines: changed.lines, unchecked: Number(unchecked), fault: { kind: 'changed', number: changed.number } };
      for (;;) {
        // Read before the page, so that lines written in between are only found by the next page.
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
