import { hkdf, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const derive = promisify(hkdf);

/** The 32-byte sealing key made from any text. */
export async function sealingKey(secret: string): Promise<Uint8Array> {
  return new Uint8Array(await derive('sha256', secret, '', 'countinghouse session v1', 32));
}

const newSecret = () => randomBytes(32).toString('base64url');

/** The text kept in the directory, made there the first time; readable by its owner alone. In memory nothing is kept. */
export async function keptSecret(directory: string): Promise<string> {
  if (directory === 'memory') return newSecret();
  const path = join(directory, 'session-secret');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept) return kept;
  await mkdir(directory, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, newSecret(), { mode: 0o600, flag: 'wx' });
  try {
    // A link either makes the whole file or fails, so of two gateways starting at once both read the same secret.
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}
