// The documented payment statuses. The service may use others: those count as in progress and are shown as received.

/** Whether the payment succeeded, failed, or is still open. */
export type PaymentTone = 'proof' | 'motion' | 'alarm';

const NOT_CREDITED = 'It isn’t credited to your balance.';
const RELEASED = 'The amount is available again.';
// The contract promises the release of funds only for `failed` (3.2).
const NOT_PAID = 'Check your balance before you send it again.';

interface StatusFacts {
  word: string;
  /** 'motion' is open; the others are final. */
  tone: PaymentTone;
  /** What it means for the money, by kind of payment. */
  deposit: string;
  withdrawal: string;
  /** The lists that Home loads with this status as a filter. */
  askedByHome?: readonly ('deposit' | 'withdrawal')[];
  /** Offered by the status filter even before any payment is loaded. */
  isUsual?: true;
  /** The payment was accepted or detected, no more. */
  isFirst?: true;
  /** The payment was sent to its chain. */
  isBroadcast?: true;
  /** The one status that the contract shows as settled. */
  isSettled?: true;
}

const BOTH = ['deposit', 'withdrawal'] as const;

const STATUSES: Readonly<Record<string, StatusFacts>> = {
  completed: {
    word: 'Completed',
    tone: 'proof',
    deposit: 'Credited to your available balance.',
    withdrawal: 'The recipient has been paid.',
    isUsual: true,
    isSettled: true,
  },
  confirmed: {
    word: 'Confirmed',
    tone: 'proof',
    deposit: 'Confirmed on its chain.',
    withdrawal: 'Confirmed on its chain.',
  },
  pending: {
    word: 'Pending',
    tone: 'motion',
    deposit: 'Detected, counted in pending.',
    withdrawal: 'Its funds are locked until it is sent.',
    askedByHome: BOTH,
    isUsual: true,
    isFirst: true,
  },
  processing: {
    word: 'Processing',
    tone: 'motion',
    deposit: 'Not available yet.',
    withdrawal: 'The provider is working on it.',
    askedByHome: BOTH,
  },
  broadcasted: {
    word: 'Broadcast',
    tone: 'motion',
    deposit: 'Waiting for its chain.',
    withdrawal: 'Sent to its chain, not confirmed yet.',
    askedByHome: ['withdrawal'],
    isUsual: true,
    isBroadcast: true,
  },
  failed: {
    word: 'Failed',
    tone: 'alarm',
    deposit: NOT_CREDITED,
    withdrawal: RELEASED,
    askedByHome: BOTH,
    isUsual: true,
  },
  rejected: { word: 'Rejected', tone: 'alarm', deposit: NOT_CREDITED, withdrawal: NOT_PAID },
  cancelled: { word: 'Cancelled', tone: 'alarm', deposit: NOT_CREDITED, withdrawal: NOT_PAID },
  canceled: { word: 'Canceled', tone: 'alarm', deposit: NOT_CREDITED, withdrawal: NOT_PAID },
  expired: { word: 'Expired', tone: 'alarm', deposit: NOT_CREDITED, withdrawal: NOT_PAID },
  returned: { word: 'Returned', tone: 'alarm', deposit: 'It went back to its sender.', withdrawal: NOT_PAID },
};

const statusesWhere = (includes: (facts: StatusFacts) => boolean | undefined): readonly string[] =>
  Object.entries(STATUSES).flatMap(([status, facts]) => (includes(facts) ? [status] : []));
const homeStatuses = (of: 'deposit' | 'withdrawal') => statusesWhere(({ askedByHome }) => askedByHome?.includes(of));
const openStatuses = (of: 'deposit' | 'withdrawal') => homeStatuses(of).filter(isOpenStatus);

/** Statuses that Home loads from each list: open and failed ones. */
export const HOME_STATUSES = { deposit: homeStatuses('deposit'), withdrawal: homeStatuses('withdrawal') };
/** The open statuses that Home loads. */
export const OPEN_STATUSES = { deposit: openStatuses('deposit'), withdrawal: openStatuses('withdrawal') };
export const USUAL_STATUSES = statusesWhere(({ isUsual }) => isUsual);

/** Null for a status that isn't documented. */
export function knownStatus(status: string | null): StatusFacts | null {
  return status !== null && Object.hasOwn(STATUSES, status) ? (STATUSES[status] ?? null) : null;
}

export function isSettledStatus(status: unknown): boolean {
  return typeof status === 'string' && knownStatus(status)?.isSettled === true;
}

/** Whether the payment may still change; true for unknown statuses. */
export function isOpenStatus(status: string | null): boolean {
  return toneOf(status) === 'motion';
}

/** Unknown statuses count as open: only a documented status ends a payment. */
export function toneOf(status: string | null): PaymentTone {
  return knownStatus(status)?.tone ?? 'motion';
}

/** Our interpretation of a status; always shown next to the raw status. */
export function statusSentence(of: 'deposit' | 'withdrawal', status: string | null): string {
  if (status === null) return 'The response has no status.';
  return knownStatus(status)?.[of] ?? 'This status isn’t documented. Ask the provider.';
}

export function statusMeaning(of: 'deposit' | 'withdrawal', status: string | null): string {
  const sentence = statusSentence(of, status);
  return knownStatus(status) ? `${sentence} Our reading of the status.` : sentence;
}

/** "Failed. 99 USDT is available again." in two parts, for a failed withdrawal; null for any other status. */
export function failureOf(status: string | null, amount: string): { word: string; rest: string } | null {
  const known = knownStatus(status);
  if (known?.tone !== 'alarm') return null;
  return { word: known.word, rest: known.withdrawal.replace('The amount', () => amount) };
}
