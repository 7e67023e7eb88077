import { hash, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode, unusableDirectory } from '#src/server/database/sql.ts';

/** Each use of the server's secret has its own derived key. */
type SecretUse = 'marks' | 'seals' | 'tickets' | 'key_box' | 'session_token' | 'activity' | 'oidc' | 'notices';

/** 32 bytes. `salt`: a second secret that is needed as well. */
export function derivedKey(secret: string, use: SecretUse, salt = ''): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, use, 32));
}

/** How a token is stored: as its SHA-256, in hex. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

const newSecret = () => randomBytes(32).toString('base64url');

/**
 * The secret in the directory, created the first time and readable only by its owner. Not stored for a database in memory.
 * `log`: gets one line if it was created, as a folder that lost its secret looks like a new one.
 */
export async function loadOrCreateSecret(directory: string, log: (line: string) => void): Promise<string> {
  if (directory === 'memory') return newSecret();
  const path = join(directory, 'session-secret');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const stored = await readFile(path, 'utf8').catch(() => '');
    if (stored) return stored;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(draft, newSecret(), { mode: 0o600, flag: 'wx' });
    // A link creates the complete file or fails, so two gateways starting at once read the same secret.
    const isMade = await link(draft, path).then(
      () => true,
      (error: unknown) => {
        if (systemErrorCode(error) !== 'EEXIST') throw error;
        return false;
      },
    );
    if (isMade)
      log(
        `Made a new secret for this server, ${path}. Back it up: with another one, people’s roles and passkeys stop counting, and a restored database isn’t noticed.`,
      );
    await rm(draft, { force: true });
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusableDirectory(directory, error);
  }
}
