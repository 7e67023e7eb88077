import type { NoticeEvent } from '#src/shared/noticeEvents.ts';

/** The channel that sends a message of its own to each person. */
export const MAIL = 'mail';

/** A notice as a channel sends it. */
export interface NoticeMessage {
  /** Equal for all tries. */
  id: string;
  event: NoticeEvent;
  /** When it happened, Unix seconds. */
  at: number;
  /** The account's name; null if the server has only one account, or the notice isn't about an account. */
  account: string | null;
  /** The saved name of the recipient; null without a name, or if the notice isn't about a payment. */
  recipient: string | null;
  /** Number of causes: more than one in a digest. */
  count: number;
  /** One or two sentences, without the link. */
  text: string;
  /** A page of this dashboard. */
  link: string;
  /** The address, for e-mail. */
  email?: string;
}

/** The result of a try. `problem`: a short text for people, without the channel's address. */
export type Delivery =
  | { kind: 'sent' }
  /** `waitMs`: how long the receiver asks to wait. */
  | { kind: 'failed'; problem: string; waitMs?: number }
  /** The receiver works, but rejects this message for good. */
  | { kind: 'refused'; problem: string }
  /** The receiver wants no more messages. */
  | { kind: 'gone'; problem: string };

export interface Channel {
  name: string;
  /** The host, to show to people: the rest of the address may be secret. */
  host: string;
  /** The whole address, to detect that it was changed. Secret. */
  address: string;
  /** Never rejects. */
  send: (message: NoticeMessage) => Promise<Delivery>;
}
