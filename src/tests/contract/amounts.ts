/** A decimal string as sent over the wire. */
export type TestAmount = string;

/** Any amount that the contract's "decimal string" may include. */
export const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

const SCALE = 40;

/** The amount in units of 10^-40: an exact count, independent of the code under test. Throws on anything but a decimal. */
export function units(amount: unknown): bigint {
  if (typeof amount !== 'string' || !DECIMAL.test(amount)) throw new Error(`not a decimal string: ${String(amount)}`);
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.');
  if (fraction.length > SCALE) throw new Error(`more than ${SCALE} decimals: ${amount}`);
  const count = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return amount.startsWith('-') ? -count : count;
}

/** The sum of these amounts, in units of 10^-40. */
export function sumUnits(amounts: readonly unknown[]): bigint {
  return amounts.reduce<bigint>((sum, amount) => sum + units(amount), 0n);
}
