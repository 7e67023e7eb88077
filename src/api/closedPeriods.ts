import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ReadOptions } from './read.ts';
import { type ClosedPart, type ClosedPeriod, closedPartId, closedPeriodId } from './statementContract.ts';
import { changeItem, loadItems } from './teamItems.ts';
import type { TeamItem } from './teamContract.ts';

/** Bytes of a part: as base64 well below what one item may have. */
const PART_BYTES = 600_000;

/**
 * Uploads the ZIP, then the period, which counts from then on. Rejects with MovedOn where a colleague closed one
 * meanwhile. May be repeated with the same period when no answer came.
 */
export async function closePeriod(
  account: string,
  period: Omit<ClosedPeriod, 'parts'>,
  zip: Uint8Array,
): Promise<TeamItem<ClosedPeriod>> {
  const { closing } = period;
  let parts = 0;
  for (let at = 0; at < zip.length; at += PART_BYTES) {
    const value: ClosedPart = { closing, part: parts, data: toBase64(zip.subarray(at, at + PART_BYTES)) };
    await changeItem(account, 'closed-period-parts', { id: closedPartId(value), value, revision: 0 });
    parts += 1;
  }
  const value = { ...period, parts };
  return changeItem(account, 'closed-periods', { id: closedPeriodId(value), value, revision: 0 });
}

/** The bytes that were closed; throws where they are not those whose hash was kept. */
export async function readZip(
  { closing, parts, zip, name }: ClosedPeriod,
  options: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { items } = await loadItems('closed-period-parts', undefined, { of: closing, ...options });
  if (items.length !== parts) throw new Error(`Parts of ${name} are missing on the server.`);
  const bytes = new Uint8Array(zip.bytes);
  let at = 0;
  for (const { value } of items.toSorted((a, b) => a.value.part - b.value.part)) {
    const part = fromBase64(value.data);
    bytes.set(part.subarray(0, bytes.length - at), at);
    at += part.length;
  }
  if (at !== zip.bytes || bytesToHex(sha256(bytes)) !== zip.sha256)
    throw new Error(`${name} on the server is not what was closed: its SHA-256 differs.`);
  return bytes;
}

/** Of String.fromCharCode at once. */
const STEP = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STEP) text += String.fromCharCode(...bytes.subarray(at, at + STEP));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
