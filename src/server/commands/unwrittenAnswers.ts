import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { syncPath } from '#src/server/database/openDatabase.ts';
import { DatabaseRefused, unusableDirectory } from '#src/server/database/sql.ts';
import { machineClock } from '#src/server/http/clock.ts';
import type { Unwritten } from '#src/server/operations/attempts.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { OperationActor } from '#src/server/operations/ports.ts';

// Responses of the service that couldn't be written, because the database was still away when the server stopped.

const PREFIX = 'unwritten-answers-';
const SUFFIX = '.json';

/**
 * Written with fsync, because it is the only record of these outcomes. Written under another name and renamed, so that a
 * half-written file can't block the next start.
 */
export function saveUnwritten(directory: string, unwritten: readonly Unwritten[]): void {
  if (unwritten.length === 0) return;
  const name = `${PREFIX}${randomBytes(6).toString('hex')}${SUFFIX}`;
  const draft = join(directory, `draft-${name}`);
  try {
    if (directory === 'memory') throw new Error('it keeps nothing');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(unwritten), { flag: 'wx', mode: 0o600 });
    syncPath(draft);
    renameSync(draft, join(directory, name));
    syncPath(directory);
  } catch (error) {
    const keys = unwritten.map(({ key }) => key).join(', ');
    const { message } = unusableDirectory(directory, error);
    throw new DatabaseRefused(`The service’s answers to ${keys} are kept nowhere, so check them: ${message}`);
  }
}

/** The server itself, which can record outcomes of operations but send nothing. */
export function serverActor(account: string): OperationActor {
  return {
    account,
    credential: '',
    session: null,
    apiKey: null,
    who: null,
    person: null,
    rights: { permissions: [], readOnly: true, keyRefused: true },
    clock: machineClock,
  };
}

/** Writes the responses that an earlier process couldn't write. Those that can't be applied stay on disk. */
export async function restoreUnwritten(operations: Operations, directory: string): Promise<void> {
  const names = filesIn(directory).filter((name) => name.startsWith(PREFIX) && name.endsWith(SUFFIX));
  for (const name of names) {
    const path = join(directory, name);
    const unwritten = readUnwritten(path);
    if (unwritten === null) continue;
    let isDone = true;
    for (const { account, key, event } of unwritten) {
      const actor = serverActor(account);
      // Continue with the others. The database's own error may quote the answer, so it isn't logged.
      const isApplied = await applyAnswer(operations, actor, { key, event }).catch(() => false);
      if (isApplied) continue;
      console.error(`The service’s answer to ${key} cannot be written and stays in ${path}.`);
      isDone = false;
    }
    if (isDone) rmSync(path);
  }
}

/**
 * False if the database doesn't have the operation or the attempt, as after a restore. Then the file is the only evidence
 * of the response.
 */
async function applyAnswer(
  { journal, ports }: Operations,
  actor: OperationActor,
  { key, event }: Pick<Unwritten, 'key' | 'event'>,
): Promise<boolean> {
  const record = (await ports.rows.byKey(key))?.record;
  if (record === undefined) return false;
  if (event.type === 'answer' && !record.attempts.some(({ id }) => id === event.attemptId)) return false;
  await journal.advance(actor, key, event);
  return true;
}

/** Null if it cannot be read. The file then stays for an operator; its operations become unconfirmed when their leases end. */
function readUnwritten(path: string): Unwritten[] | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`${path} cannot be read.`, error);
    return null;
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
