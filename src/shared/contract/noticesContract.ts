import * as v from 'valibot';
import { NOTICE_EVENT_NAMES } from '#src/shared/noticeEvents.ts';

// The notices of an account: GET /api/notices. Errors are the contract's envelope (section 7).

export const NOTICES_PATH = '/api/notices';

/** held: waits to be sent in one message with others. */
export const NOTICE_STATES = ['dead', 'waiting', 'held', 'sent'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];
/** Maximum notices of each state in the list. */
export const NOTICES_MAX = 100;

export const noticeSchema = v.object({
  id: v.string(),
  event: v.picklist(NOTICE_EVENT_NAMES),
  /** An operation's key, "withdrawal wd_1", an asset, a person's or a recipient's id; '' if the event has no subject. */
  subject: v.string(),
  channel: v.string(),
  /** The recipient's name, if the channel is e-mail. */
  person: v.nullable(v.string()),
  state: v.picklist(NOTICE_STATES),
  /** How many events the message is about. */
  count: v.number(),
  /** When it happened, Unix seconds by the database's clock. */
  at: v.number(),
  tries: v.number(),
  /** Why the last try failed; null if it didn't. */
  problem: v.nullable(v.string()),
  /** When it is tried again, Unix seconds; null if it won't be. */
  next_at: v.nullable(v.number()),
  /** When it was delivered or given up. */
  done_at: v.nullable(v.number()),
});
export type ListedNotice = v.InferOutput<typeof noticeSchema>;

export const noticeChannelSchema = v.object({
  name: v.string(),
  /** The host of its address, without the parts that may be secret. */
  host: v.string(),
  /** The last delivery and the last failed one, Unix seconds. */
  sent_at: v.nullable(v.number()),
  failed_at: v.nullable(v.number()),
  /** Since when deliveries fail; null if it works or was never used. */
  failing_since: v.nullable(v.number()),
  problem: v.nullable(v.string()),
  /** When the receiver refused further messages: the channel is off until somebody sends again or its address changes. */
  off_at: v.nullable(v.number()),
});
export type NoticeChannel = v.InferOutput<typeof noticeChannelSchema>;

/** After this time people are told that a channel fails, on Home and on the other channels. */
export const CHANNEL_FAILING_SECONDS = 3_600;

/** Home names a provider that can't be read after this time. */
export const WATCH_FAILING_SECONDS = 15 * 60;

export const noticesSchema = v.object({
  channels: v.array(noticeChannelSchema),
  /** Why the account can't be watched and since when, Unix seconds; null if it can, or isn't watched. */
  watch: v.nullable(v.object({ failing_since: v.number(), problem: v.string() })),
  counts: v.object({ dead: v.number(), waiting: v.number(), held: v.number(), sent: v.number() }),
  /** If the server sends e-mail: people who can act on notices of this account but have no address. */
  without_address: v.array(v.string()),
  /** By state, newest first. */
  data: v.array(noticeSchema),
});
export type NoticesResponse = v.InferOutput<typeof noticesSchema>;

/** POST /api/notices/test: `channel` is a name. */
export const noticeTestSchema = v.strictObject({ channel: v.pipe(v.string(), v.maxLength(40)) });

/**
 * - not_found (404): no such notice of this account, or no such channel.
 * - moved_on (409): the notice isn't dead, or a test was already sent in the same minute.
 * - no_address (409): the person who requested a test by e-mail has no address.
 * - invalid_request_error (422), too_many (429), method_not_allowed (405), not_permitted (403), not_ready (503).
 */
export type NoticeErrorCode =
  | 'not_found'
  | 'moved_on'
  | 'no_address'
  | 'invalid_request_error'
  | 'too_many'
  | 'method_not_allowed'
  | 'not_permitted'
  | 'not_ready';
