import type { NoticeEvent } from '#src/shared/noticeEvents.ts';

/** The channel whose messages go to people. */
export const MAIL = 'mail';

/** A notice as a channel sends it. */
export interface Message {
  /** The same on each try. */
  id: string;
  event: NoticeEvent;
  /** When it happened, Unix seconds. */
  at: number;
  /** The account's name, where the server has several. */
  account: string | null;
  /** The saved name of the recipient; null: it has none, or it isn't about a payment. */
  recipient: string | null;
  /** How many it tells of: more than one in a digest. */
  count: number;
  /** One or two sentences, without the link. */
  text: string;
  /** A page of this dashboard. */
  link: string;
  /** Of e-mail: where it goes. */
  email?: string;
}

/** What came of a try. `problem`: a few words for people, without the channel's address. */
export type Delivery =
  | { kind: 'sent' }
  /** `waitMs`: how long the receiver wants to be left alone. */
  | { kind: 'failed'; problem: string; waitMs?: number }
  /** The receiver works, but will never take this one. */
  | { kind: 'refused'; problem: string }
  /** The receiver wants no more of them. */
  | { kind: 'gone'; problem: string };

export interface Channel {
  name: string;
  /** Where it leads, for people: a host, since the rest may be secret. */
  host: string;
  /** The whole address, to notice that it is another one. Secret. */
  address: string;
  /** Never rejects. */
  send: (message: Message) => Promise<Delivery>;
}
