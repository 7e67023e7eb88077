/** Bytes from the platform's secure source; getRandomValues, unlike randomUUID, exists on plain HTTP too. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A random name such as op_3f…, for records and attempts; never used as an idempotency key. */
export function randomName(prefix: string): string {
  return prefix + hex(randomBytes(12));
}
