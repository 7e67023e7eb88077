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
const CHECK_PAGE = 5_000;

export type ActivityLog = ReturnType<typeof createActivityLog>;

/** `key`: derivedKey(secret, 'activity'). Each line's mac covers the line and the mac before. */
export function createActivityLog(key: Uint8Array) {
  const macOf = (before: string, { number, at, service, account, person, who, kind, subject, facts }: Line) =>
    createHmac('sha256', key)
      .update(JSON.stringify([before, number, at, service, account, person, who, kind, subject, facts]))
      .digest('base64url');

  return {
    /** In a transaction that has locked the journal's row: lines are numbered one after the other. `now`: the database's clock, ms. */
    async append(transaction: Queries, by: ActBy, { kind, subject, facts }: Act, now: number): Promise<void> {
      const [last] = await transaction.query<{ number: string; mac: string }>(
        'select number::text, mac from activity.lines order by activity.lines.number desc limit 1',
      );
      const number = String(BigInt(last?.number ?? 0) + 1n);
      const line: Line = { number, at: String(now), ...by, kind, subject, facts: JSON.stringify(facts) };
      await transaction.query(
        `insert into activity.lines (number, at, service, account, person, who, kind, subject, facts, mac)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
          macOf(last?.mac ?? '', line),
        ],
      );
    },

    /** Reads every line. `broken`: the number of the first one that isn't as it was written, or is missing; null if all are. */
    async check(queries: Queries): Promise<{ lines: number; broken: string | null }> {
      let before = '';
      let number = 0n;
      for (;;) {
        const page = await queries.query<Line & { mac: string }>(
          `select ${COLUMNS} from activity.lines where activity.lines.number > $1::bigint
           order by activity.lines.number limit ${CHECK_PAGE}`,
          [String(number)],
        );
        for (const { mac, ...line } of page) {
          number += 1n;
          if (line.number !== String(number) || mac !== macOf(before, line))
            return { lines: Number(number - 1n), broken: String(number) };
          before = mac;
        }
        if (page.length < CHECK_PAGE) return { lines: Number(number), broken: null };
      }
    },
  };
}
