import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { derivedKey } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface KeyBoxLock {
  token: string;
  secret: string;
  /** The session: a box opens for no other one, and not after its account was changed in the database. */
  owner: { id: string; account: string; credential: string };
}

/** AES-256-GCM: nonce, tag and ciphertext in base64url. It takes the same token and secret together to open it. */
export function sealApiKey(apiKey: string, lock: KeyBoxLock): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(lock.secret, 'key_box', lock.token), nonce);
  cipher.setAAD(ownerBytes(lock));
  const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Null if the box was made under another token or secret, for another session, or changed. */
export function openKeyBox(box: string, lock: KeyBoxLock): string | null {
  const bytes = Buffer.from(box, 'base64url');
  try {
    const key = derivedKey(lock.secret, 'key_box', lock.token);
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(ownerBytes(lock));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

function ownerBytes({ owner: { id, account, credential } }: KeyBoxLock): Buffer {
  return Buffer.from(JSON.stringify([id, account, credential]));
}
