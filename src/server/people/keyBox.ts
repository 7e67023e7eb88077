import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: nonce, tag and ciphertext in base64url. It opens with the same token and secret together, for the same session. */
export function sealApiKey(apiKey: string, { token, secret, session }: KeyBoxLock): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(secret, 'key_box', token), nonce);
  cipher.setAAD(Buffer.from(session));
  const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

export interface KeyBoxLock {
  token: string;
  secret: string;
  /** The session's id: a box moved to another session stays closed. */
  session: string;
}

/** Null if the box was made under another token or secret, for another session, or changed. */
export function openKeyBox(box: string, { token, secret, session }: KeyBoxLock): string | null {
  const bytes = Buffer.from(box, 'base64url');
  try {
    const key = derivedKey(secret, 'key_box', token);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(session));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
