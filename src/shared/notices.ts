import type { NoticeEvent } from './noticeEvents.ts';
import type { Ability } from './permissions.ts';
import { paths } from './paths.ts';
import { counted } from './text.ts';

// The texts of notices, which go out by webhook and mail.

/** Names that a message may contain. It never contains an amount or an address. */
export interface NoticeNames {
  /** The saved name of a payment's recipient, or of the recipient that it is about. */
  recipient?: string | undefined;
  /** A person of this dashboard. */
  person?: string | undefined;
}

interface NoticeRule {
  /** One sentence or two: what happened and what to do. `payment`: "A withdrawal to Acme", for those about one. */
  text: (payment: string, names: NoticeNames) => string;
  /** Several of them, in a digest. */
  many: (count: number) => string;
  /** The ability needed to act on it: mail goes to the people who have it. */
  ability: Ability;
  /** Mail goes only to the person who prepared the payment, or also to them. Without this, they get none about their own. */
  maker?: 'only' | 'too';
  /** The page that its link opens. `subject`: the notice's, or '' for several notices. */
  page: (subject: string) => string;
  /** 'flood': beyond a few in an hour, the others become one message an hour. 'always': only such messages. */
  digest: 'never' | 'flood' | 'always';
  /** Sent before notices that have waited for longer: somebody must act, and a flood must not delay it. */
  isUrgent?: true;
}

const withdrawals = (count: number): string => counted(count, 'withdrawal', 'withdrawals');
const batchPage = (id: string): string => (id === '' ? paths.batches : paths.batch(id));
const recipientPage = (id: string): string => (id === '' ? paths.recipients : paths.recipient(id));
const operationPage = (key: string): string => (key === '' ? paths.operations : paths.operation(key));

/** Subjects of payments: "withdrawal wd_1". */
function paymentPage(subject: string): string {
  const [, kind, id = ''] = /^(deposit|withdrawal) (.+)$/s.exec(subject) ?? [];
  if (kind === undefined) return paths.home;
  return kind === 'deposit' ? paths.deposit(id) : paths.withdrawal(id);
}

export const NOTICE_EVENTS = {
  'operation.awaiting': {
    text: (payment) => `${payment} needs your approval. Nothing has been sent.`,
    many: (count) => `${withdrawals(count)} need your approval. Nothing of them has been sent.`,
    ability: 'approve',
    page: operationPage,
    digest: 'flood',
    isUrgent: true,
  },
  'operation.approved': {
    text: (payment) => `${payment} was approved and is being sent.`,
    many: (count) => `${withdrawals(count)} were approved and are being sent.`,
    ability: 'prepare',
    maker: 'only',
    page: operationPage,
    digest: 'flood',
  },
  'operation.rejected': {
    text: (payment) => `${payment} was rejected. Nothing was sent.`,
    many: (count) => `${withdrawals(count)} were rejected. Nothing of them was sent.`,
    ability: 'prepare',
    maker: 'only',
    page: operationPage,
    digest: 'flood',
  },
  'operation.lapsed': {
    text: (payment) => `${payment} expired before it was approved and sent. Nothing was sent.`,
    many: (count) => `${withdrawals(count)} expired before they were approved and sent. Nothing of them was sent.`,
    ability: 'prepare',
    maker: 'only',
    page: operationPage,
    digest: 'flood',
  },
  'operation.stopped': {
    text: (payment) =>
      `${payment} is unconfirmed, and an approver stopped resending it. Don’t pay it again until it is resolved.`,
    many: (count) => `Resending was stopped for ${withdrawals(count)}, which stay unconfirmed.`,
    ability: 'prepare',
    maker: 'only',
    page: operationPage,
    digest: 'flood',
  },
  'operation.unconfirmed': {
    text: (payment) => `${payment} is unconfirmed. Don’t pay it again until it is resolved.`,
    many: (count) => `${withdrawals(count)} became unconfirmed. Don’t pay any of them again until it is resolved.`,
    ability: 'check',
    page: operationPage,
    digest: 'flood',
    isUrgent: true,
  },
  'operation.mismatch': {
    text: (payment) => `${payment}: the provider’s response names another payment than was sent.`,
    many: (count) => `${withdrawals(count)}: the provider’s responses name other payments than were sent.`,
    ability: 'close',
    page: operationPage,
    digest: 'flood',
    isUrgent: true,
  },
  'operation.executed': {
    text: (payment) => `${payment} was paid after all, although it had ended here as not paid.`,
    many: (count) => `${withdrawals(count)} had ended here as not paid, but were paid after all.`,
    ability: 'close',
    page: operationPage,
    digest: 'flood',
  },
  'operation.refused': {
    text: (payment) => `${payment} was refused by the provider when it was sent again. Nothing was paid.`,
    many: (count) => `${withdrawals(count)} were refused by the provider when they were sent again.`,
    ability: 'mark-handled',
    page: operationPage,
    digest: 'flood',
  },
  'batch.awaiting': {
    text: () => 'A batch needs your approval. Its waiting payments aren’t sent without it.',
    many: (count) => `${counted(count, 'batch needs', 'batches need')} your approval.`,
    ability: 'approve',
    page: batchPage,
    digest: 'flood',
    isUrgent: true,
  },
  'batch.approved': {
    text: () => 'A batch was approved. An operator can send it now.',
    many: (count) => `${counted(count, 'batch was', 'batches were')} approved.`,
    ability: 'send',
    maker: 'too',
    page: batchPage,
    digest: 'flood',
  },
  'batch.rejected': {
    text: () => 'Payments of a batch were rejected. Nothing of these was sent.',
    many: (count) => `Payments of ${counted(count, 'batch', 'batches')} were rejected.`,
    ability: 'prepare',
    maker: 'too',
    page: batchPage,
    digest: 'flood',
  },
  'batch.lapsed': {
    text: () => 'Payments of a batch expired before they were approved and sent. Nothing of these was sent.',
    many: (count) => `Payments of ${counted(count, 'batch', 'batches')} expired before they were approved and sent.`,
    ability: 'prepare',
    maker: 'too',
    page: batchPage,
    digest: 'flood',
  },
  'batch.paused': {
    text: () => 'A batch paused before all of its payments were sent. Open it to see why, and to continue.',
    many: (count) => `${counted(count, 'batch', 'batches')} paused before all of their payments were sent.`,
    ability: 'send',
    maker: 'too',
    page: batchPage,
    digest: 'flood',
    isUrgent: true,
  },
  'batch.done': {
    text: () => 'A batch is done: nothing of it is left to send. Open it to see what became of each payment.',
    many: (count) => `${counted(count, 'batch is', 'batches are')} done.`,
    ability: 'send',
    maker: 'too',
    page: batchPage,
    digest: 'flood',
  },
  'payment.failed': {
    text: (payment) => `${payment} failed.`,
    many: (count) => `${counted(count, 'payment', 'payments')} failed.`,
    ability: 'mark-handled',
    page: paymentPage,
    digest: 'flood',
  },
  'payment.stuck': {
    text: (payment) => `${payment} is taking longer than usual.`,
    many: (count) => `${counted(count, 'payment is', 'payments are')} taking longer than usual.`,
    ability: 'mark-handled',
    page: paymentPage,
    digest: 'flood',
  },
  'payment.outside': {
    text: () => 'A withdrawal was sent with this API key, but not from here.',
    many: (count) =>
      `${counted(count, 'withdrawal was', 'withdrawals were')} sent with this API key, but not from here.`,
    ability: 'mark-handled',
    page: paymentPage,
    digest: 'always',
  },
  'balance.wrong': {
    text: () => 'A balance doesn’t add up.',
    many: (count) => `${counted(count, 'balance doesn’t', 'balances don’t')} add up.`,
    ability: 'mark-handled',
    page: (asset) => (asset === '' ? paths.balances : paths.balance(asset)),
    digest: 'flood',
  },
  'key.refused': {
    text: () =>
      'The provider refuses the API key that this server has for the account, so nothing is watched, and where people sign in as themselves nothing can be sent. Whoever runs the server must replace it.',
    many: (count) => `The provider refused this account’s API key ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.home,
    digest: 'never',
  },
  'month.prepared': {
    text: () =>
      'A month that is over can be closed: two complete readings an hour apart were equal, with nothing open.',
    many: (count) => `${counted(count, 'month', 'months')} can be closed.`,
    ability: 'close-month',
    page: () => paths.monthClose,
    digest: 'never',
  },
  'month.due': {
    text: () => 'A month that is over isn’t closed yet.',
    many: (count) => `${counted(count, 'month isn’t', 'months aren’t')} closed yet.`,
    ability: 'close-month',
    page: () => paths.monthClose,
    digest: 'never',
  },
  'journal.set-back': {
    text: () =>
      'The database was restored from an older copy; newer records are missing. What was sent since isn’t known.',
    many: (count) => `The database was restored from an older copy ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.operations,
    digest: 'never',
    isUrgent: true,
  },
  'person.changed': {
    text: (_, { person }) => `Access of ${person ?? 'a person'} was changed.`,
    many: (count) => `Access of people was changed ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.people,
    digest: 'flood',
  },
  'console.invited': {
    text: () => 'Somebody was invited on the server’s console. If you don’t expect this, ask whoever runs the server.',
    many: (count) => `${counted(count, 'person was', 'people were')} invited on the server’s console.`,
    ability: 'read-people',
    page: () => paths.people,
    digest: 'never',
  },
  // These two go to the person themselves.
  'access.reduced': {
    text: (_, { person }) => `A role of ${person ?? 'a person'} was removed. If you didn’t expect this, ask an admin.`,
    many: (count) => `Roles were removed ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.ownAccount,
    digest: 'never',
  },
  'access.blocked': {
    text: (_, { person }) =>
      `${person ?? 'A person'} was blocked and signed out. If you didn’t expect this, ask an admin.`,
    many: (count) => `People were blocked ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.home,
    digest: 'never',
  },
  'role.waiting': {
    text: (_, { person }) =>
      `${person ?? 'Somebody'} is to become an approver or an admin, which doesn’t count yet. If you don’t expect this, refuse it.`,
    many: (count) =>
      `Somebody is to become an approver or an admin, ${counted(count, 'time', 'times')}. None counts yet.`,
    ability: 'veto-roles',
    page: () => paths.people,
    digest: 'flood',
  },
  'recipient.waiting': {
    text: (_, { recipient }) =>
      `${recipient === undefined ? 'A recipient' : `The recipient ${recipient}`} is new or has another name, which nobody has confirmed. Until then, payments to them need more approvals or can’t be sent.`,
    many: (count) =>
      `${counted(count, 'recipient is', 'recipients are')} new or have another name, which nobody has confirmed. Until then, payments to them need more approvals or can’t be sent.`,
    ability: 'confirm-recipients',
    page: recipientPage,
    digest: 'flood',
  },
  'recipient.changed': {
    text: (_, { recipient }) =>
      `Somebody confirmed or blocked ${recipient === undefined ? 'a recipient' : `the recipient ${recipient}`}.`,
    many: (count) => `${counted(count, 'recipient was', 'recipients were')} confirmed or blocked.`,
    ability: 'read-notices',
    page: recipientPage,
    digest: 'flood',
  },
  'policy.changed': {
    text: () => 'Somebody changed the approval rules, or proposed, confirmed or stopped a change of them.',
    many: (count) =>
      `The approval rules were changed, or changes proposed or stopped, ${counted(count, 'time', 'times')}.`,
    ability: 'veto-policy',
    page: () => paths.policy,
    digest: 'flood',
  },
  'policy.unmeetable': {
    text: () =>
      'Too few people can approve payments now for what the approval rules ask. Give somebody the role approver, or change the rules.',
    many: (count) =>
      `Too few people could approve payments for what the approval rules ask, ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.policy,
    digest: 'flood',
  },
  'passkey.added': {
    text: (_, { person }) => `${person ?? 'A person'} added a passkey.`,
    many: (count) => `${counted(count, 'passkey was', 'passkeys were')} added.`,
    ability: 'manage-people',
    page: () => paths.people,
    digest: 'flood',
  },
  'email.changed': {
    text: (_, { person }) =>
      `The e-mail address of ${person ?? 'a person'} was changed. If you didn’t expect this, tell an admin.`,
    many: (count) => `E-mail addresses of people were changed ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.people,
    digest: 'flood',
  },
  'seals.broken': {
    text: () =>
      'People, roles or passkeys in the database weren’t written by this server, so they don’t count. Ask whoever runs the server.',
    many: (count) =>
      `People, roles or passkeys that this server didn’t write were found in the database ${counted(count, 'time', 'times')}.`,
    ability: 'manage-people',
    page: () => paths.people,
    digest: 'flood',
  },
  'channel.failing': {
    text: () => 'Notices can’t be delivered on another channel.',
    many: (count) => `Notices can’t be delivered on ${counted(count, 'other channel', 'other channels')}.`,
    ability: 'send-notices',
    page: () => paths.notices,
    digest: 'never',
  },
  test: {
    text: () => 'This is a test. Notices reach this channel.',
    many: (count) => `${counted(count, 'test', 'tests')}.`,
    ability: 'send-notices',
    page: () => paths.notices,
    digest: 'never',
    isUrgent: true,
  },
} as const satisfies Record<NoticeEvent, NoticeRule>;

export function noticeRule(event: NoticeEvent): NoticeRule {
  return NOTICE_EVENTS[event];
}

interface NoticeAbout {
  event: NoticeEvent;
  subject: string;
  /** Number of notices that the message is about. */
  count: number;
}

/** The path of its link. */
export function noticePage({ event, subject, count }: NoticeAbout): string {
  return noticeRule(event).page(count > 1 ? '' : subject);
}

/** The message, without the link. */
export function noticeText({ event, subject, count }: NoticeAbout, names: NoticeNames = {}): string {
  const { text, many } = noticeRule(event);
  if (count > 1) return many(count);
  const { recipient } = names;
  const payment = subject.startsWith('deposit ') ? 'A deposit' : 'A withdrawal';
  return text(recipient === undefined ? payment : `${payment} to ${recipient}`, names);
}

/** The journal and the watcher both report a failure this way, so that it gives one notice. */
export function failedPayment({ kind, id, status }: { kind: string; id: string; status: string | null }) {
  return { subject: `${kind} ${id}`, episode: `failed ${status ?? ''}` };
}

// What Slack and Mattermost read as links, mentions or formatting.
const MARKUP = /[<>&@*_~`|[\](){}#\\]|:\/\//g;

/** A name that somebody typed, without what a chat would make a link or a mention of. */
export function plainName(name: string): string {
  return name
    .replaceAll(MARKUP, ' ')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
}
