import { decrypt, encrypt } from './encryption.ts';
import { derivedKey } from './secrets.ts';

export interface KeyBoxLock {
  token: string;
  secret: string;
  /** The session: a box opens for no other one, and not after its account was changed in the database. */
  owner: { id: string; account: string; credential: string };
}

/** It takes the same token and secret together to open it. */
export function sealApiKey(apiKey: string, lock: KeyBoxLock): string {
  return encrypt(apiKey, lockOf(lock));
}

/** Null if the box was made under another token or secret, for another session, or changed. */
export function openKeyBox(box: string, lock: KeyBoxLock): string | null {
  return decrypt(box, lockOf(lock));
}

function lockOf({ token, secret, owner: { id, account, credential } }: KeyBoxLock) {
  return { key: derivedKey(secret, 'key_box', token), context: JSON.stringify([id, account, credential]) };
}
