// What we take the words of statuses for. The set is open: a word that is not here is in motion, and shown as it came.
/** How the money stands: there for good, given up, or neither yet. */
export type PaymentTone = 'proof' | 'motion' | 'alarm';

const NOT_CREDITED = 'It isn’t credited to your balance.';
const RELEASED = 'The amount is available again.';
// The contract promises the release of funds for what failed alone (3.2).
const NOT_PAID = 'Check your balance before you send it again.';

const READINGS = new Map([
  ['completed', reading('proof', 'Completed', 'Credited to your available balance.', 'The recipient has been paid.')],
  ['confirmed', reading('proof', 'Confirmed', 'Confirmed on its chain.', 'Confirmed on its chain.')],
  ['pending', reading('motion', 'Pending', 'Detected, counted in pending.', 'Its funds are locked until it is sent.')],
  ['processing', reading('motion', 'Processing', 'Not available yet.', 'The provider is working on it.')],
  ['broadcasted', reading('motion', 'Broadcasted', 'Waiting for its chain.', 'Sent to its chain, not confirmed yet.')],
  ['failed', reading('alarm', 'Failed', NOT_CREDITED, RELEASED)],
  ['rejected', reading('alarm', 'Rejected', NOT_CREDITED, NOT_PAID)],
  ['cancelled', reading('alarm', 'Cancelled', NOT_CREDITED, NOT_PAID)],
  ['canceled', reading('alarm', 'Canceled', NOT_CREDITED, NOT_PAID)],
  ['expired', reading('alarm', 'Expired', NOT_CREDITED, NOT_PAID)],
  ['returned', reading('alarm', 'Returned', 'It went back to its sender.', NOT_PAID)],
]);

function reading(tone: PaymentTone, word: string, deposit: string, withdrawal: string) {
  return { word, tone, deposit, withdrawal };
}

export function knownStatus(status: string | null): { word: string; tone: PaymentTone } | null {
  return READINGS.get(status ?? '') ?? null;
}

/** What nobody knows is in motion: only a word that says so is an end. */
export function toneOf(status: string | null): PaymentTone {
  return knownStatus(status)?.tone ?? 'motion';
}

/** What a status means for the money, in a plain sentence: our reading of it, which the status as it came stands beside. */
export function statusSentence(of: 'deposit' | 'withdrawal', status: string | null): string {
  if (status === null) return 'The response has no status.';
  return READINGS.get(status)?.[of] ?? 'This status isn’t documented. Ask the provider.';
}

export function statusMeaning(of: 'deposit' | 'withdrawal', status: string | null): string {
  const sentence = statusSentence(of, status);
  return knownStatus(status) ? `${sentence} Our reading of the status.` : sentence;
}

/** Of a withdrawal that came to nothing: "Failed. 99 USDT is available again."; null: it did not, as far as is known. */
export function failureOf(status: string | null, amount: string): { word: string; rest: string } | null {
  const known = READINGS.get(status ?? '');
  if (known?.tone !== 'alarm') return null;
  return { word: known.word, rest: known.withdrawal.replace('The amount', () => amount) };
}
