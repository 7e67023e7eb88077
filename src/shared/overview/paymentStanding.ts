import type { Payment } from './payment.ts';
import type { Unsettled } from '#src/shared/operations/unsettled.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { isPlausibleTime } from '#src/shared/time.ts';

/** A payment that waits for less than this, in seconds, is never stuck. */
export const STUCK_AFTER_MIN = 3600;
const FACTOR = 2;
/** Hours after which a payment is stuck if its usual time is unknown and the team has set none. */
export const DEFAULT_STUCK_HOURS = 1;

/** How a payment is doing, as a person should see it: Home lists by it, and replies to customers are written from it. */
export type PaymentProgress =
  | { kind: 'succeeded' | 'failed' }
  /** The provider's response and the request that was sent contradict each other, or the outcome is unknown. */
  | { kind: 'unconfirmed' }
  /** In seconds; null if unknown. */
  | { kind: 'inTime'; waiting: number | null; usual: number | null }
  | { kind: 'stuck'; waiting: number; usual: number | null };

interface StandingInput {
  payment: Pick<Payment, 'status' | 'created_at'>;
  /** Unix seconds by the service's clock. */
  now: number;
  /** The usual time of such payments, in seconds; null if unknown. */
  usual: number | null;
  /** Seconds after which a payment is stuck if the usual time is unknown. */
  threshold: number;
}

export function paymentProgressOf({ payment, now, usual, threshold }: StandingInput): PaymentProgress {
  const { status, created_at: created } = payment;
  const tone = toneOf(status);
  if (tone !== 'motion') return { kind: tone === 'proof' ? 'succeeded' : 'failed' };
  if (!isPlausibleTime(created)) return { kind: 'inTime', waiting: null, usual };
  const waiting = now - created;
  return { kind: isStuck(waiting, usual, threshold) ? 'stuck' : 'inTime', waiting, usual };
}

/** Whether an unsettled operation got a response with this payment's id: Home then lists it as unconfirmed. */
export function isUnconfirmed(id: string, unsettled: readonly Unsettled[]): boolean {
  return unsettled.some(({ record }) => record?.attempts.some(({ resultId }) => resultId === id) === true);
}

/** Whether a payment takes far longer than usual. */
function isStuck(waiting: number, usual: number | null, threshold: number): boolean {
  return usual === null ? waiting > threshold : waiting > STUCK_AFTER_MIN && waiting > FACTOR * usual;
}
