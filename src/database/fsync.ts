import fs from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

import { reasonOf } from './sql.ts';

/** PostgreSQL's buffers stand in this process from the start, read or not: 128 MB by default. */
export const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];

/** With fsync, which PGlite turns off (-F); fdatasync, its default on Linux, does nothing there. */
export const DURABLE_PARAMS = [...START_PARAMS.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'];

/** A file as Emscripten has it open; a directory has no descriptor in this process. */
interface Stream {
  nfd?: number;
  path?: string;
}

const DATA = '/pglite/data';

export function syncPath(path: string): void {
  const file = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/**
 * PostgreSQL ends itself when the disk fails at fsync, because what is written may be lost and a second try says that
 * all is well. In WebAssembly that end is an endless loop: so the process ends here, and recovers at its next start.
 */
function end(error: unknown): never {
  fs.writeSync(2, `The disk of the database failed, so this process ends: ${reasonOf(error)}\n`);
  process.exit(1);
}

/** A directory whose files reach the disk: Emscripten's own NODEFS has no fsync, and says that all went well. */
export class DurableFs extends NodeFS {
  /** How often something was brought to the disk. */
  syncs = 0;

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    // Before PostgreSQL starts: after a crash its recovery writes, too.
    const hook = ({ NODEFS }: PGlite['Module']) => {
      const operations: unknown = Reflect.get(NODEFS, 'stream_ops');
      if (typeof operations !== 'object' || operations === null) return;
      Object.assign(operations, { fsync: (stream: Stream) => this.#fsync(stream) });
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
  }

  #fsync({ nfd, path }: Stream): number {
    try {
      if (nfd !== undefined) fs.fsyncSync(nfd);
      else if (path?.startsWith(DATA)) syncPath(join(this.rootDir, path.slice(DATA.length)));
      else return 0;
      this.syncs += 1;
      return 0;
    } catch (error) {
      return end(error);
    }
  }

  /** Whether a commit calls fsync: where a new version of PGlite does it otherwise, the hook is never called. */
  async holdsCommitsOf(db: PGlite): Promise<boolean> {
    const before = this.syncs;
    // A commit with something to write, and no table for it.
    await db.query("select pg_logical_emit_message(true, 'countinghouse', 'start')");
    return this.syncs > before;
  }
}

/** Brings a whole directory to the disk: what initdb made was written without fsync. */
export function syncTree(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(directory);
}
