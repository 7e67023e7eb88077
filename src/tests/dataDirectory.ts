import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { SANDBOX_TEMPLATE } from './process/template.ts';

// Closed cleanly: a server that opens a copy has nothing to recover, for which PostgreSQL would sync each of its files.
const TEMPLATE = SANDBOX_TEMPLATE.replace(/\.tar$/, '');

/** A new data directory with an empty database in it. Creating one takes seconds, so it is done once and then copied. */
export async function newDataDirectory(name: string): Promise<string> {
  if (!existsSync(TEMPLATE)) await makeTemplate();
  const directory = mkdtempSync(join(tmpdir(), `${name}-`));
  cpSync(TEMPLATE, directory, { recursive: true });
  return directory;
}

async function makeTemplate(): Promise<void> {
  mkdirSync(dirname(TEMPLATE), { recursive: true });
  const part = mkdtempSync(`${TEMPLATE}-`);
  const database = await openDatabase({ directory: part });
  await database.close();
  try {
    renameSync(part, TEMPLATE);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(TEMPLATE)) throw error;
    rmSync(part, { recursive: true });
  }
}
