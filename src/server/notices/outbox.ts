import { randomBytes } from 'node:crypto';
import type { NoticeCause, RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import { raiseNothing } from '#src/server/activity/raiseNotice.ts';
import type { Queries } from '#src/server/database/sql.ts';
import { noticeRule } from '#src/shared/notices.ts';
import { MAIL } from './channel.ts';

/** This many notices per account and event are sent one by one within an hour; further ones wait for a digest. */
export const SINGLE_MAX = 5;
export const DIGEST_MS = 60 * 60_000;

/** Where a notice goes. E-mail without a person is split into one for each person when it is sent: isUnsplitMail(). */
export interface NoticeTarget {
  channel: string;
  person?: string;
  /** Replaces the person's address. */
  email?: string;
}

export function targetsOf(channels: readonly string[]): NoticeTarget[] {
  return channels.map((channel) => ({ channel }));
}

/** SQL: whether this row is e-mail that isn't split yet. E-mail to a former address has a person, too. */
export function isUnsplitMail(row: string): string {
  return `(${row}.channel = '${MAIL}' and ${row}.person is null)`;
}

export function newNoticeId(): string {
  return `msg_${randomBytes(18).toString('base64url')}`;
}

/** Writes a notice for each target, unless it exists already. Returns the number of new ones. */
export async function insertNotices(
  queries: Queries,
  targets: readonly NoticeTarget[],
  { service, account, event, subject, episode, count = 1 }: NoticeCause,
  now: number,
): Promise<number> {
  const { digest } = noticeRule(event);
  const rows = targets.map((target) => ({ ...target, id: newNoticeId() }));
  const inserted = await queries.query(
    `insert into notices.outbox (id, service, account, event, subject, episode, channel, person, email, count, state, at, next_at)
     select c.id, $1, $2, $3, $4, $5, c.channel, c.person, c.email, $9,
       case when ${isUnsplitMail('c')} then 'waiting'
         when $6 = 'always' then 'held'
         when $6 = 'flood' and (select count(*) from (select 1 from notices.outbox o
           where o.service = $1 and o.event = $3 and o.channel = c.channel and o.at > $7::bigint - ${DIGEST_MS}
             and o.account is not distinct from $2 and o.person is not distinct from c.person
             limit ${SINGLE_MAX}) recent) >= ${SINGLE_MAX} then 'held'
         else 'waiting' end, $7, $7
     from json_to_recordset($8::text::json) as c (channel text, person text, email text, id text)
     on conflict do nothing returning 1 as one`,
    [service, account, event, subject, episode, digest, String(now), JSON.stringify(rows), count],
  );
  return inserted.length;
}

/** `warn` logs a notice that couldn't be written. */
export function createRaise(channels: readonly string[], warn: (line: string) => void): RaiseNotice {
  if (channels.length === 0) return raiseNothing;
  return async (transaction, cause, now) => {
    const { to } = cause;
    const targets = to === undefined ? targetsOf(channels) : channels.includes(MAIL) ? [{ channel: MAIL, ...to }] : [];
    await transaction.script('savepoint notice');
    try {
      await insertNotices(transaction, targets, cause, now);
    } catch (error) {
      // A failed notice must not roll back its cause, which may be a payment.
      await transaction.script('rollback to savepoint notice');
      warn(`Notices: ${cause.event} couldn’t be written: ${error instanceof Error ? error.message : String(error)}`);
    }
    await transaction.script('release savepoint notice');
  };
}
