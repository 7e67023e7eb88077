import { LEFT_OUT, scrub } from '#src/lib/scrub.ts';

const HEAD = 6;
const TAIL = 4;
const KEY_HEAD = 8;
/** Shorter ones would be nearly whole. */
const ADDRESS_LEAST = 16;

/** An address or a hash by its first 6 and last 4 characters. */
export function shortAddress(text: string): string {
  const letters = Array.from(text);
  if (letters.length < ADDRESS_LEAST) return LEFT_OUT;
  return `${letters.slice(0, HEAD).join('')}…${letters.slice(-TAIL).join('')}`;
}

/** An idempotency key by its first 8 characters. */
export function shortKey(key: string): string {
  const letters = Array.from(key);
  return letters.length < 2 * KEY_HEAD ? LEFT_OUT : `${letters.slice(0, KEY_HEAD).join('')}…`;
}

/** Somebody else's words without these secrets, and without whatever else looks like an address, a hash or a key. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const without = secrets.reduce((left, secret) => left.replaceAll(secret, LEFT_OUT), text);
  return scrub(without);
}
