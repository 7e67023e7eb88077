import type { Database, Queries } from '#src/server/database/sql.ts';
import { NOTICE_EVENT_NAMES, type NoticeEvent } from '#src/shared/noticeEvents.ts';
import { noticeRule } from '#src/shared/notices.ts';
import { DIGEST_MS, isUnsplitMail, newNoticeId } from './outbox.ts';

/** Time that a server has for one try. */
const LEASE_MS = 60_000;
/** How long a notice waits for a channel that is off or not set up. */
const UNTRIED_MS = 3 * 24 * 60 * 60_000;
/** Ended rows are deleted after this time. */
const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Waits after the first try, the second and so on: about three days in total, as in the specification. */
export const BACK_OFF_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
];

/** A notice that this server sends now. Times are ms by the database's clock. */
export interface ClaimedNotice {
  id: string;
  run: string;
  account: string | null;
  event: NoticeEvent;
  subject: string;
  episode: string;
  /** The recipient of e-mail; null if it is to be split into one for each person. */
  person: string | null;
  /** Replaces the person's address. */
  email: string | null;
  count: number;
  at: number;
  tries: number;
}

interface ClaimRow extends Record<string, string | number | boolean | null> {
  id: string;
  account: string | null;
  event: string;
  subject: string;
  episode: string;
  person: string | null;
  email: string | null;
  count: number;
  at: string;
  tries: number;
}

interface Claim {
  service: string;
  channel: string;
  run: string;
  now: number;
  /** E-mail that isn't split yet, or what can be sent. */
  isUnsplit: boolean;
  limit: number;
}

const URGENT = NOTICE_EVENT_NAMES.filter((event) => noticeRule(event).isUrgent).map((event) => `'${event}'`);

/**
 * Claims urgent notices, then those that have waited longest; none if the channel is off. One server at a time holds a claim.
 */
export async function claimNotices(
  queries: Queries,
  { service, channel, run, now, isUnsplit, limit }: Claim,
): Promise<ClaimedNotice[]> {
  const rows = await queries.query<ClaimRow>(
    `update notices.outbox set run = $3, lease_until = $4::bigint + ${LEASE_MS}, tries = tries + 1
     where id in (select o.id from notices.outbox o where o.service = $1 and o.channel = $2 and o.state = 'waiting'
         and ${isUnsplitMail('o')} = $5
         and o.next_at <= $4::bigint and (o.lease_until is null or o.lease_until < $4::bigint)
         and not exists (select 1 from notices.channels c where c.channel = $2 and c.off_at is not null)
       order by o.event in (${URGENT.join(', ')}) desc, o.next_at, o.is_digest, o.id limit $6 for update skip locked)
     returning id, account, event, subject, episode, person, email, count, at::text, tries`,
    [service, channel, run, String(now), isUnsplit, limit],
  );
  return rows.map((row) => ({ ...row, run, event: eventOf(row.event), at: Number(row.at) }));
}

/** Subject and episode of the notice; for a digest, those of each notice in it. */
export async function causesOf(
  queries: Queries,
  { id, subject, episode }: Pick<ClaimedNotice, 'id' | 'subject' | 'episode'>,
): Promise<{ subject: string; episode: string }[]> {
  const folded = await queries.query<{ subject: string; episode: string }>(
    'select subject, episode from notices.outbox where digest = $1',
    [id],
  );
  return folded.length > 0 ? folded : [{ subject, episode }];
}

/** An unknown event of a later version counts as a failed payment, the most common event. */
export function eventOf(text: string): NoticeEvent {
  return NOTICE_EVENT_NAMES.find((event) => event === text) ?? 'payment.failed';
}

/** Records a try. `problem`: null if delivered. `nextAt`: null for no further try. Returns false if another server has it. */
export async function settleNotice(
  queries: Queries,
  { id, run }: Pick<ClaimedNotice, 'id' | 'run'>,
  { problem, nextAt, now }: { problem: string | null; nextAt: number | null; now: number },
): Promise<boolean> {
  const state = problem === null ? 'sent' : nextAt === null ? 'dead' : 'waiting';
  const settled = await queries.query(
    `update notices.outbox set state = $3, problem = $4, next_at = coalesce($5::bigint, next_at), run = null, lease_until = null,
       done_at = case when $3 = 'waiting' then null else $6::bigint end
     where id = $1 and run = $2 and state = 'waiting' returning 1 as one`,
    [id, run, state, problem, nextAt === null ? null : String(Math.round(nextAt)), String(now)],
  );
  return settled.length > 0;
}

/** Ends e-mail that was split into one for each person, or that nobody is to get. Returns false if another server has it. */
export async function endNotice(
  queries: Queries,
  { id, run }: Pick<ClaimedNotice, 'id' | 'run'>,
  now: number,
): Promise<boolean> {
  const ended = await queries.query(
    `update notices.outbox set state = 'ended', problem = null, run = null, lease_until = null, done_at = $3
     where id = $1 and run = $2 and state = 'waiting' returning 1 as one`,
    [id, run, String(now)],
  );
  return ended.length > 0;
}

/** Releases it after a failure of this server or the database: any server can try again at once. */
export async function releaseNotice(queries: Queries, { id, run }: Pick<ClaimedNotice, 'id' | 'run'>): Promise<void> {
  await queries.query(
    `update notices.outbox set run = null, lease_until = null, tries = tries - 1
     where id = $1 and run = $2 and state = 'waiting'`,
    [id, run],
  );
}

/** Folds held notices into a digest for each account, event and person, at most one an hour. */
export async function foldHeld(database: Database, channel: string, now: number): Promise<void> {
  const groups = await database.query<
    Record<'service' | 'event', string> & Record<'account' | 'person', string | null>
  >(
    `select service, account, event, person from
       (select distinct service, account, event, person from notices.outbox where channel = $1 and state = 'held') h
     where not exists (select 1 from notices.outbox d where d.is_digest and d.service = h.service and d.event = h.event
       and d.channel = $1 and d.account is not distinct from h.account
       and d.person is not distinct from h.person and d.at > $2::bigint - ${DIGEST_MS})`,
    [channel, String(now)],
  );
  for (const { service, account, event, person } of groups)
    await database.transaction(async (tx) => {
      const id = newNoticeId();
      const folded = await tx.query<{ count: number }>(
        `update notices.outbox set state = 'folded', digest = $5, done_at = $6
         where channel = $1 and state = 'held' and service = $2 and account is not distinct from $3 and event = $4
           and person is not distinct from $7 returning count`,
        [channel, service, account, event, id, String(now), person],
      );
      // Another server was faster.
      if (folded.length === 0) return;
      const count = folded.reduce((sum, row) => sum + row.count, 0);
      await tx.query(
        `insert into notices.outbox (id, service, account, event, subject, episode, channel, person, state, is_digest, count, at, next_at)
         values ($1, $2, $3, $4, '', $1, $5, $8, 'waiting', true, $6, $7, $7)`,
        [id, service, account, event, channel, count, String(now), person],
      );
    });
}

/** Channels that were removed from the settings and still have held notices, which no delivery folds. */
export async function removedChannels(
  queries: Queries,
  { service, channels }: { service: string; channels: readonly string[] },
): Promise<string[]> {
  const rows = await queries.query<{ channel: string }>(
    `select distinct channel from notices.outbox where service = $1 and state = 'held'
       and channel not in (select json_array_elements_text($2::text::json))`,
    [service, JSON.stringify(channels)],
  );
  return rows.map(({ channel }) => channel);
}

/** Updates the state of a channel, which all servers share. */
export async function noteDelivery(
  queries: Queries,
  {
    channel,
    mac,
    problem,
    isOff,
    now,
  }: { channel: string; mac: string; problem: string | null; isOff: boolean; now: number },
): Promise<{ failingSince: number | null }> {
  const [row] = await queries.query<{ failing_since: string | null }>(
    problem === null
      ? `insert into notices.channels (channel, address_mac, sent_at) values ($1, $2, $3)
         on conflict (channel) do update set sent_at = excluded.sent_at, failing_since = null, problem = null
         returning failing_since::text`
      : `insert into notices.channels (channel, address_mac, failed_at, failing_since, problem, off_at)
         values ($1, $2, $3, $3, $4, case when $5 then $3::bigint end)
         on conflict (channel) do update set failed_at = excluded.failed_at, problem = excluded.problem,
           failing_since = coalesce(notices.channels.failing_since, excluded.failing_since),
           off_at = coalesce(notices.channels.off_at, excluded.off_at)
         returning failing_since::text`,
    problem === null ? [channel, mac, String(now)] : [channel, mac, String(now), problem, isOff],
  );
  const since = row?.failing_since ?? null;
  return { failingSince: since === null ? null : Number(since) };
}

/** At a start: turns a channel that is off on again if its address has changed. */
export async function openChannel(queries: Queries, { channel, mac }: { channel: string; mac: string }): Promise<void> {
  await queries.query(
    `insert into notices.channels (channel, address_mac) values ($1, $2)
     on conflict (channel) do update set address_mac = excluded.address_mac, off_at = null, failing_since = null, problem = null
     where notices.channels.address_mac <> excluded.address_mac`,
    [channel, mac],
  );
}

/** Ends notices whose channel was off for days, and deletes notices that ended long ago. `channels`: those in the settings. */
export async function endOldNotices(
  queries: Queries,
  { service, channels, now }: { service: string; channels: readonly string[]; now: number },
): Promise<void> {
  await queries.query(
    `update notices.outbox set state = 'dead', done_at = $2, problem = 'The channel was off for three days.', run = null, lease_until = null
     where service = $1 and state = 'waiting' and next_at < $2::bigint - ${UNTRIED_MS} and coalesce(lease_until, 0) < $2::bigint
       and (channel not in (select json_array_elements_text($3::text::json))
         or channel in (select c.channel from notices.channels c where c.off_at is not null))`,
    [service, String(now), JSON.stringify(channels)],
  );
  await queries.query(
    `delete from notices.outbox where service = $1 and state in ('sent', 'dead', 'folded', 'ended') and done_at < $2::bigint - ${KEPT_MS}`,
    [service, String(now)],
  );
}
