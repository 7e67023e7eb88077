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

/** A new idempotency key (UUID v4): the one function that makes keys, called once per mounted form. */
export function newKey(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = hex(bytes);
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}
