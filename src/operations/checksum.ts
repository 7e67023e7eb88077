import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from './random.ts';

/** SHA-256 (hex) of a JSON value written with its keys in order; crypto.subtle is missing on plain HTTP. */
export function checksumOf(value: unknown): string {
  return hex(sha256(new TextEncoder().encode(canonical(value))));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`;
}
