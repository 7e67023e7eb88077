import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JournalMark, MarkCodec } from './ports.ts';

const MARK = /^(\S{1,64}) (\d{1,19}) ([\w-]{1,64}) ([\w-]{22})$/;
const MAC_BYTES = 16;

/** Checks the form only, not the signature. */
export function isMarkText(text: string): boolean {
  return MARK.test(text);
}

/**
 * Marks signed for one service: "<id> <position> <nonce> <mac>". The key must not be used for anything else. Marks signed
 * under another spelling of the service are read as well.
 */
export function createMarks(key: Uint8Array, service: string, spellings: readonly string[] = []): MarkCodec {
  const macOf = (content: string, name = service): Buffer =>
    createHmac('sha256', key).update(`${name}\n${content}`).digest().subarray(0, MAC_BYTES);

  return {
    write: ({ id, position, nonce }: JournalMark) => {
      const content = `${id} ${position} ${nonce}`;
      return `${content} ${macOf(content).toString('base64url')}`;
    },
    read: (text) => {
      const [, id, position, nonce, mac] = MARK.exec(text) ?? [];
      if (id === undefined || position === undefined || nonce === undefined || mac === undefined) return null;
      const signature = Buffer.from(mac, 'base64url');
      const isSignedFor = (name: string): boolean =>
        timingSafeEqual(signature, macOf(`${id} ${position} ${nonce}`, name));
      if (signature.length !== MAC_BYTES || ![service, ...spellings].some(isSignedFor)) return null;
      return { id, position: BigInt(position), nonce };
    },
  };
}
