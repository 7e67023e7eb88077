import type { Queries } from '#src/server/database/sql.ts';
import type { ActKind } from '#src/shared/contract/activityContract.ts';
import type { NoticeEvent } from '#src/shared/noticeEvents.ts';
import type { Act, ActBy } from './activityLog.ts';

/** An event to send a notice about. Names are looked up when it is sent; it never contains amounts or addresses. */
export interface NoticeCause {
  service: string;
  /** Null if it concerns the whole server. */
  account: string | null;
  event: NoticeEvent;
  /** An operation's key, "withdrawal wd_1", an asset, a person's or a recipient's id; '' if the event has no subject. */
  subject: string;
  /** Distinguishes recurrences: each channel gets one notice per event, subject and episode. */
  episode: string;
  /** How many things the notice is about; 1 by default. */
  count?: number;
  /** If set, the notice goes only to this e-mail address, which was the person's until now. */
  to?: { person: string; email: string };
}

/**
 * Writes a notice in the transaction of its cause; it is sent after the commit. `now`: the database's clock, ms. A failed
 * write is logged and doesn't throw: no payment may fail because of a notice.
 */
export type RaiseNotice = (transaction: Queries, cause: NoticeCause, now: number) => Promise<void>;

/** For a server without channels. */
export const raiseNothing: RaiseNotice = async () => undefined;

/** Acts that raise a notice. */
const NOTICE_OF_ACT: Partial<Record<ActKind, NoticeEvent>> = {
  'journal.set-back': 'journal.set-back',
  'operation.stopped': 'operation.stopped',
  'batch.lapsed': 'batch.lapsed',
  'person.invited': 'person.changed',
  'person.invited-again': 'person.changed',
  'person.joined': 'person.changed',
  'person.confirmed': 'person.changed',
  'person.changed': 'person.changed',
  'person.role-confirmed': 'person.changed',
  'person.role-refused': 'person.changed',
  'person.blocked': 'person.changed',
  'person.email-changed': 'email.changed',
  'recipient.confirmed': 'recipient.changed',
  'recipient.blocked': 'recipient.changed',
  'policy.proposed': 'policy.changed',
  'policy.confirmed': 'policy.changed',
  'policy.vetoed': 'policy.changed',
  'passkey.added': 'passkey.added',
  'passkey.removed': 'person.changed',
};

/** Raises the notice of an act, if it has one. For writers of the activity log. */
export async function raiseForAct(
  raise: RaiseNotice,
  transaction: Queries,
  { service, account, person }: ActBy,
  { kind, subject, facts }: Act,
  now: number,
): Promise<void> {
  // Everyone is notified of an invite made on the server's console, because nobody signed it with a passkey.
  const event = kind === 'person.invited' && person === null ? 'console.invited' : NOTICE_OF_ACT[kind];
  if (event === undefined) return;
  const count = Number(facts['recipients'] ?? 1);
  await raise(transaction, { service, account, event, subject: subject ?? '', episode: `${kind} ${now}`, count }, now);
}
