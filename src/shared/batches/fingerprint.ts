import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { destinationForm } from '#src/shared/operations/compare.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';

/** Equal for the same payments, whatever their order and spelling: SHA-256 in hex. */
export function batchFingerprint(payments: readonly WithdrawalFields[]): string {
  return bytesToHex(sha256(utf8ToBytes(payments.map(paymentForm).sort().join('\n'))));
}

/** Equal for payments of the same amount to the same destination. */
function paymentForm(fields: WithdrawalFields): string {
  return JSON.stringify([destinationForm(fields), plainest(fields.amount)]);
}

/** True if two withdrawals pay the same amount to the same destination, even if their bodies spell it differently. */
export function isSamePayment(one: { body: string }, other: { body: string }): boolean {
  const [first, second] = [readWithdrawalBody(one.body), readWithdrawalBody(other.body)];
  return first !== null && second !== null && paymentForm(first) === paymentForm(second);
}

/** Without zeros that don't count: "1.50" and "1.5" are equal, as are "007" and "7". */
function plainest(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const decimals = fraction.replace(/0+$/, '');
  const digits = whole.replace(/^0+(?=\d)/, '');
  return decimals === '' ? digits : `${digits}.${decimals}`;
}
