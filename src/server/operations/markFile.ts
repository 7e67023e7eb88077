import { constants, fdatasync, mkdirSync, openSync, readFileSync, write } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncPath } from '#src/server/database/openDatabase.ts';
import { systemErrorCode, systemErrorMessage } from '#src/server/database/sql.ts';
import { isMarkText } from './marks.ts';
import type { MarkCodec, MarkStore } from './ports.ts';

const FILE = 'journal-mark';

/** The file has two slots, written alternately: a write torn by a power cut leaves the mark before it. */
const SLOT_BYTES = 4096;

const writeTo = promisify(write);
const syncTo = promisify(fdatasync);

/** For the sandbox and a database in memory, which are never restored. */
export const NO_MARK_FILE: MarkStore = { read: () => [], keep: () => Promise.resolve() };

/** Keeps the last journal mark in a file beside the database: restoring the database doesn't change it. */
export function openMarkFile(directory: string, marks: MarkCodec, warn: (line: string) => void): MarkStore {
  const path = join(directory, FILE);
  const content = readContent(path);
  const slots = slotsIn(content ?? '');
  const positions = slots.map((text) => marks.read(text)?.position ?? -1n);
  let slot = (positions[0] ?? -1n) > (positions[1] ?? -1n) ? 1 : 0;
  // Keep both: after a set-back the later mark may have the lower position. A wrong signature is reported by the reader.
  const kept = slots.filter((text) => text !== '');
  if (content !== null && kept.length === 0)
    warn(
      `No journal mark can be read from ${path}: this server can’t tell whether its database was restored since it last ran.`,
    );
  const fail = (error: unknown): void =>
    warn(
      `${path} cannot be written (${systemErrorMessage(error)}): this server may not notice that its database was restored.`,
    );
  const file = openFile(directory, path, fail);
  if (file === null) return { ...NO_MARK_FILE, read: () => kept };

  let pending: string | null = null;
  let writing: Promise<void> | null = null;

  /** If several marks arrive during a write, only the latest is written. */
  async function writePending(file: number): Promise<void> {
    while (pending !== null) {
      const text = `${pending.padEnd(SLOT_BYTES - 1)}\n`;
      pending = null;
      await writeTo(file, Buffer.from(text), 0, SLOT_BYTES, slot * SLOT_BYTES);
      await syncTo(file);
      slot = 1 - slot;
    }
  }

  return {
    read: () => kept,
    keep: (mark) => {
      pending = mark;
      writing ??= writePending(file)
        .catch(fail)
        .finally(() => (writing = null));
      return writing;
    },
  };
}

function openFile(directory: string, path: string, fail: (error: unknown) => void): number | null {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    syncPath(directory);
    return file;
  } catch (error) {
    fail(error);
    return null;
  }
}

/** null if there is no file, as at a first start; '' also if it can't be read. */
function readContent(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error)) ? null : '';
  }
}

/** The text of both slots; '' for one that was never written or is torn. */
function slotsIn(content: string): string[] {
  return [content.slice(0, SLOT_BYTES), content.slice(SLOT_BYTES)].map((slot) => {
    const text = slot.trim();
    return isMarkText(text) ? text : '';
  });
}
