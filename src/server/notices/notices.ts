import type { ActivityWriter } from '#src/server/activity/activityLog.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { type Actor, type ReadSessionRights, requireAbility } from '#src/server/people/actor.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import type { ActKind } from '#src/shared/contract/activityContract.ts';
import {
  type ListedNotice,
  NOTICE_STATES,
  type NoticeChannel,
  type NoticesResponse,
  NOTICES_MAX,
} from '#src/shared/contract/noticesContract.ts';
import { isStorable } from '#src/shared/text.ts';
import { type Channel, MAIL } from './channel.ts';
import { NOTICE_EVENT_NAMES } from '#src/shared/noticeEvents.ts';
import { noticeRule } from '#src/shared/notices.ts';
import { ABILITIES, PERMISSIONS, type Permission } from '#src/shared/permissions.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import type { MailPerson } from '#src/server/people/emails.ts';
import { insertNotices } from './outbox.ts';
import { eventOf } from './outboxRows.ts';

export interface NoticeActor extends Actor, AccountOwner {
  session: string;
}

export interface NoticesParts {
  database: Database;
  channels: readonly Pick<Channel, 'name' | 'host'>[];
  readSessionRights: ReadSessionRights;
  activityWriter: ActivityWriter;
  /** People with one of these permissions; null in key mode, where there are no people. */
  peopleWith: ((account: string | null, needs: readonly Permission[]) => Promise<MailPerson[]>) | null;
}

export type TestSent = 'sent' | 'sent_before' | 'no_address';

/** Permissions that let a person act on at least one kind of notice. */
const ACTING: readonly Permission[] = PERMISSIONS.filter((permission) =>
  NOTICE_EVENT_NAMES.some((event) => ABILITIES[noticeRule(event).ability].anyOf.some((need) => need === permission)),
);

export type Notices = ReturnType<typeof createNotices>;

type Times = Record<'sent_at' | 'failed_at' | 'failing_since' | 'off_at', string | null>;

/** Notices of the account and of the whole server. */
const IS_THEIRS = 'service = $1 and (account = $2 or account is null)';
const MINUTE_MS = 60_000;
/** An account whose next reading is overdue for this long isn't in the settings any more. */
const UNWATCHED_MS = 15 * MINUTE_MS;

const secondsOf = (ms: string | null): number | null => (ms === null ? null : Math.floor(Number(ms) / 1_000));

/** Lists notices, sends dead letters again and sends tests. Call migrateNotices() first. */
export function createNotices({ database, channels, readSessionRights, activityWriter, peopleWith }: NoticesParts) {
  /** Runs in a write transaction of the journal, which logs it in the activity. Throws SessionEnded or NotPermitted. */
  function write(
    actor: NoticeActor,
    act: ActKind,
    work: (tx: Queries, now: number) => Promise<boolean>,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      const { now } = await activityWriter.begin(tx);
      requireAbility(actor, 'send-notices', await readSessionRights(tx, actor.session));
      const isDone = await work(tx, now);
      const { service, account, person, who } = actor;
      if (isDone)
        await activityWriter.note(tx, { service, account, person, who }, { kind: act, subject: null, facts: {} }, now);
      return isDone;
    });
  }

  const hasMail = channels.some(({ name }) => name === MAIL);

  async function withoutAddress(account: string): Promise<string[]> {
    if (!hasMail || peopleWith === null) return [];
    const people = await peopleWith(account, ACTING);
    return people.filter(({ email }) => email === null).map(({ name }) => name);
  }

  async function readChannels(): Promise<NoticeChannel[]> {
    const rows = await database.query<{ channel: string; problem: string | null } & Times>(
      `select channel, problem, sent_at::text, failed_at::text, failing_since::text, off_at::text from notices.channels`,
    );
    return channels.map(({ name, host }) => {
      const row = rows.find(({ channel }) => channel === name);
      return {
        name,
        host,
        sent_at: secondsOf(row?.sent_at ?? null),
        failed_at: secondsOf(row?.failed_at ?? null),
        failing_since: secondsOf(row?.failing_since ?? null),
        problem: row?.problem ?? null,
        off_at: secondsOf(row?.off_at ?? null),
      };
    });
  }

  async function readWatch({ service, account }: AccountOwner): Promise<NoticesResponse['watch']> {
    const [row] = await database.query<{ since: string; problem: string }>(
      `select coalesce(read_at, created_at)::text as since, problem from notices.watches
       where service = $1 and account = $2 and problem is not null and next_at > ${NOW_MS} - ${UNWATCHED_MS}`,
      [service, account],
    );
    return row === undefined ? null : { failing_since: Math.floor(Number(row.since) / 1_000), problem: row.problem };
  }

  return {
    async read({ service, account }: AccountOwner): Promise<NoticesResponse> {
      const counted = await database.query<{ state: string; count: string }>(
        `select state, count(*)::text as count from notices.outbox where ${IS_THEIRS} and state not in ('folded', 'ended') group by state`,
        [service, account],
      );
      const countOf = (state: string) => Number(counted.find((row) => row.state === state)?.count ?? 0);
      const data: ListedNotice[] = [];
      for (const state of NOTICE_STATES) data.push(...(await readState({ service, account }, state)));
      const counts = {
        dead: countOf('dead'),
        waiting: countOf('waiting'),
        held: countOf('held'),
        sent: countOf('sent'),
      };
      const watch = await readWatch({ service, account });
      return { channels: await readChannels(), watch, counts, without_address: await withoutAddress(account), data };
    },
    /** Sends a dead letter again, and turns its channel on. Returns false if there is no such dead letter. */
    sendAgain: (actor: NoticeActor, id: string): Promise<boolean> =>
      write(actor, 'notice.sent-again', async (tx, now) => {
        // PostgreSQL rejects text with a zero byte.
        if (!isStorable(id)) return false;
        const [row] = await tx.query<{ channel: string }>(
          `update notices.outbox set state = 'waiting', tries = 0, next_at = $4, done_at = null
           where ${IS_THEIRS} and id = $3 and state = 'dead' returning channel`,
          [actor.service, actor.account, id, String(now)],
        );
        if (row === undefined) return false;
        await tx.query('update notices.channels set off_at = null where channel = $1', [row.channel]);
        return true;
      }),
    hasChannels: channels.length > 0,
    hasMail,
    hasChannel: (name: string): boolean => channels.some((channel) => channel.name === name),
    /** A test by e-mail goes to the person who sends it. */
    sendTest: async (actor: NoticeActor, channel: string): Promise<TestSent> => {
      const { service, account, person } = actor;
      const isMail = channel === MAIL;
      const self = isMail ? (await peopleWith?.(account, ACTING))?.find(({ id }) => id === person) : undefined;
      if (isMail && (self === undefined || self.email === null)) return 'no_address';
      const isSent = await write(actor, 'notice.test-sent', async (tx, now) => {
        const episode = String(Math.floor(now / MINUTE_MS));
        const inserted = await insertNotices(
          tx,
          [{ channel, ...(self && { person: self.id }) }],
          { service, account, event: 'test', subject: '', episode },
          now,
        );
        if (inserted > 0) await tx.query('update notices.channels set off_at = null where channel = $1', [channel]);
        return inserted > 0;
      });
      return isSent ? 'sent' : 'sent_before';
    },
  };

  async function readState({ service, account }: AccountOwner, state: ListedNotice['state']): Promise<ListedNotice[]> {
    const rows = await database.query<
      Record<'id' | 'event' | 'subject' | 'channel' | 'at' | 'next_at', string> & {
        person: string | null;
        count: number;
        tries: number;
        problem: string | null;
        done_at: string | null;
      }
    >(
      `select id, event, subject, channel, count, at::text, tries, problem, next_at::text, done_at::text,
         (select p.name from people.people p where p.id = notices.outbox.person) as person
       from notices.outbox where ${IS_THEIRS} and state = $3 order by notices.outbox.at desc, id limit ${NOTICES_MAX}`,
      [service, account, state],
    );
    return rows.map(({ event, at, next_at: nextAt, done_at: doneAt, ...row }) => ({
      ...row,
      event: eventOf(event),
      state,
      at: secondsOf(at) ?? 0,
      next_at: state === 'waiting' ? secondsOf(nextAt) : null,
      done_at: secondsOf(doneAt),
    }));
  }
}
