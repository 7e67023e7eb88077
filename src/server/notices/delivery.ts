import { randomUUID } from 'node:crypto';
import type { Database, Queries } from '#src/server/database/sql.ts';
import type { WaitingRoleNotice } from '#src/server/people/waitingRoles.ts';
import { CHANNEL_FAILING_SECONDS } from '#src/shared/contract/noticesContract.ts';
import { type NoticeNames, noticePage, noticeText, plainName } from '#src/shared/notices.ts';
import { type Channel, type Delivery, MAIL, type NoticeMessage } from './channel.ts';
import type { MailRecipients } from './mailRecipients.ts';
import { insertNotices, targetsOf } from './outbox.ts';
import {
  BACK_OFF_MS,
  causesOf,
  claimNotices,
  type ClaimedNotice,
  endNotice,
  endOldNotices,
  foldHeld,
  noteDelivery,
  openChannel,
  releaseNotice,
  removedChannels,
  settleNotice,
} from './outboxRows.ts';

/** One message per second and channel: notices must not slow down payments, and chats refuse more. */
const PACE_MS = 1_000;
const CLEAN_MS = 60_000;
/** E-mail that is split into one for each person, at most this many a second: it isn't sent, so it needs no pause. */
const SPLITS_PER_TURN = 50;
/** How often digests are made. */
const FOLD_MS = 5_000;

const NO_ADDRESS = 'Nobody who can act on it has an e-mail address.';

/** Reads the names that a message contains; a name that doesn't exist is left out. */
export type ReadNames = (of: Pick<ClaimedNotice, 'event' | 'subject'> & { account: string }) => Promise<NoticeNames>;

export interface DeliveryParts {
  database: Database;
  service: string;
  channels: readonly Channel[];
  /** PUBLIC_ORIGIN, for links. */
  origin: string;
  namesOf: ReadNames;
  /** The recipients of e-mail; null in key mode, where there are no people. */
  recipients: MailRecipients | null;
  /** Records that a notice of waiting roles was delivered; null in key mode. */
  noteRoleNotice: ((notice: WaitingRoleNotice) => Promise<void>) | null;
  /** Null if the server has only one account. */
  accountName: (account: string) => string | null;
  /** Hashes a channel's address, which isn't stored itself. */
  macOf: (address: string) => string;
  /** The database's clock, ms. */
  now: (queries: Queries) => Promise<number>;
  /** 0 to 1, for jitter. */
  random: () => number;
  /** Logs a line. */
  warn: (line: string) => void;
}

export type NoticeDelivery = ReturnType<typeof createDelivery>;

/** Sends waiting notices at least once. Only one server at a time sends a notice. */
export function createDelivery(parts: DeliveryParts) {
  const { database, service, channels, origin, namesOf, recipients, accountName, macOf, now } = parts;
  const { random, warn } = parts;
  const busy = new Map<string, Promise<void>>();
  const foldedAt = new Map<string, number>();
  let isStopping = false;
  let cleanedAt = -Infinity;
  let reportedFailure = '';
  let timer: NodeJS.Timeout | undefined;

  function report(error: unknown): void {
    const line = error instanceof Error ? error.message : String(error);
    if (line !== reportedFailure) warn(`Notices: ${line}`);
    reportedFailure = line;
  }

  async function messageOf(claimed: ClaimedNotice, email: string | null): Promise<NoticeMessage> {
    const { id, account, event, subject, count, at } = claimed;
    const names = account === null || subject === '' || count > 1 ? {} : await namesOf({ account, event, subject });
    const [recipient, person] = [names.recipient, names.person].map((name) => plainName(name ?? '') || undefined);
    const where = account === null ? null : accountName(account);
    const text = noticeText({ event, subject, count }, { recipient, person });
    return {
      id,
      event,
      at: Math.floor(at / 1_000),
      account: where,
      recipient: recipient ?? null,
      count,
      text: where === null ? text : `${where}: ${text}`,
      link: origin + noticePage({ event, subject, count }),
      ...(email !== null && { email }),
    };
  }

  async function claim(channel: Channel, of: { isUnsplit: boolean; limit: number }): Promise<ClaimedNotice[]> {
    const at = await now(database);
    return claimNotices(database, { service, channel: channel.name, run: randomUUID(), now: at, ...of });
  }

  /** Splits e-mail into one for each person, a few at a time. Returns false if there may be more. */
  async function splitMail(channel: Channel): Promise<boolean> {
    const claimed = await claim(channel, { isUnsplit: true, limit: SPLITS_PER_TURN });
    const left = new Set(claimed);
    try {
      for (const notice of claimed) {
        await addressToPeople(notice);
        left.delete(notice);
      }
    } catch (error) {
      for (const notice of left) await releaseNotice(database, notice);
      throw error;
    }
    return claimed.length < SPLITS_PER_TURN;
  }

  /** Sends an urgent notice, else the one that has waited longest, if there is one. */
  async function deliverOne(channel: Channel): Promise<void> {
    const [claimed] = await claim(channel, { isUnsplit: false, limit: 1 });
    if (claimed === undefined) return;
    let delivery: Delivery;
    try {
      const email = channel.name === MAIL ? await emailOf(claimed) : null;
      if (channel.name === MAIL && email === null) return;
      delivery = await channel.send(await messageOf(claimed, email));
      // If this fails, the notice is sent again, so that everybody who got it counts as told.
      if (delivery.kind === 'sent') await noteTold(claimed);
    } catch (error) {
      await releaseNotice(database, claimed);
      throw error;
    }
    await settle(channel, claimed, delivery);
  }

  async function noteTold(claimed: ClaimedNotice): Promise<void> {
    const { event, account, person: reader } = claimed;
    if (parts.noteRoleNotice === null || event !== 'role.waiting' || account === null) return;
    for (const cause of await causesOf(database, claimed)) await parts.noteRoleNotice({ account, reader, ...cause });
  }

  /** The address to send to; null if its person can't act on it any more. */
  async function emailOf(claimed: ClaimedNotice): Promise<string | null> {
    if (claimed.email !== null) return claimed.email;
    const people = (await recipients?.(claimed)) ?? [];
    const email = people.find(({ id, isSpared }) => id === claimed.person && !isSpared)?.email ?? null;
    if (email === null) await endNotice(database, claimed, await now(database));
    return email;
  }

  async function addressToPeople(claimed: ClaimedNotice): Promise<void> {
    const people = (await recipients?.(claimed)) ?? [];
    const others = people.filter(({ isSpared }) => !isSpared);
    const targets = others.filter(({ email }) => email !== null).map(({ id }) => ({ channel: MAIL, person: id }));
    // Everybody who could act is spared, such as the maker, who sees the payment anyway.
    const areAllSpared = others.length === 0 && people.length > 0;
    await database.transaction(async (tx) => {
      const at = await now(tx);
      if (targets.length === 0 && !areAllSpared)
        await settleNotice(tx, claimed, { problem: NO_ADDRESS, nextAt: null, now: at });
      else if (await endNotice(tx, claimed, at)) await insertNotices(tx, targets, { service, ...claimed }, claimed.at);
    });
  }

  async function settle(channel: Channel, claimed: ClaimedNotice, delivery: Delivery): Promise<void> {
    const at = await now(database);
    const problem = delivery.kind === 'sent' ? null : delivery.problem;
    const isOff = delivery.kind === 'gone';
    const wait = BACK_OFF_MS[claimed.tries - 1];
    const isRefused = delivery.kind === 'refused';
    const isLast = isOff || isRefused || wait === undefined;
    const waitMs = delivery.kind === 'failed' ? (delivery.waitMs ?? 0) : 0;
    const nextAt = problem === null || isLast ? null : at + Math.max(waitMs, wait * (1 + random() / 10));
    await database.transaction(async (tx) => {
      if (!(await settleNotice(tx, claimed, { problem, nextAt, now: at }))) return;
      if (isRefused) return;
      const { name, address } = channel;
      const { failingSince } = await noteDelivery(tx, { channel: name, mac: macOf(address), problem, isOff, now: at });
      if (failingSince === null || !(isLast || at - failingSince >= CHANNEL_FAILING_SECONDS * 1_000)) return;
      const others = channels.flatMap((other) => (other === channel ? [] : [other.name]));
      const cause = { service, account: null, event: 'channel.failing', subject: name } as const;
      await insertNotices(tx, targetsOf(others), { ...cause, episode: String(failingSince) }, at);
    });
    if (problem !== null) warn(`Notices: ${channel.name} (${channel.host}): ${problem}`);
  }

  /** Works on one channel. Never rejects. Calls during a run share that run. */
  function turn(channel: Channel): Promise<void> {
    const going = busy.get(channel.name);
    if (going) return going;
    const work = (async () => {
      const isSplit = channel.name !== MAIL || (await splitMail(channel));
      const at = await now(database);
      // A digest must hold all that came in, as the next one is made an hour later.
      if (isSplit && Math.abs(at - (foldedAt.get(channel.name) ?? 0)) >= FOLD_MS) {
        foldedAt.set(channel.name, at);
        await foldHeld(database, channel.name, at);
      }
      await deliverOne(channel);
    })()
      .catch(report)
      .finally(() => busy.delete(channel.name));
    busy.set(channel.name, work);
    return work;
  }

  async function clean(): Promise<void> {
    if (performance.now() - cleanedAt < CLEAN_MS) return;
    cleanedAt = performance.now();
    const names = channels.map(({ name }) => name);
    try {
      const at = await now(database);
      // Folded, each digest becomes a single dead letter.
      for (const removed of await removedChannels(database, { service, channels: names }))
        await foldHeld(database, removed, at);
      await endOldNotices(database, { service, channels: names, now: at });
    } catch (error) {
      report(error);
    }
  }

  async function tick(): Promise<void> {
    if (isStopping) return;
    await clean();
    await Promise.all(channels.map(turn));
  }

  /** Turns a channel that is off on again if its address has changed. */
  async function open(): Promise<void> {
    for (const { name, address } of channels) await openChannel(database, { channel: name, mac: macOf(address) });
  }

  return {
    tick,
    open,
    async begin(): Promise<void> {
      await open();
      timer ??= setInterval(() => void tick(), PACE_MS).unref();
    },
    /** Waits for running tries. */
    async stop(): Promise<void> {
      isStopping = true;
      clearInterval(timer);
      await Promise.all(busy.values());
    },
  };
}
