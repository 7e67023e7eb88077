import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { systemErrorCode, DatabaseRefused, unusableDirectory } from './sql.ts';

// Every process that wants the directory listens on its own Unix socket in it, and then looks for others. Of two, the one
// that listened later sees the other, so they can never both think they are alone. The kernel closes a socket with its
// process, also across containers, where pids mean nothing: a socket that refuses connections is dead, and as names are
// used only once, any process may remove it. Sockets don't work across machines: processes that share a volume (NFS) on
// two machines do not see each other.

const HELD = 'db.lock.';
/** Prefix of a socket that may not be listening yet. It would refuse like a dead one, so others ignore it. */
const DRAFT = 'db.draft.';

/** Limit of a socket path: 108 bytes on Linux, 104 elsewhere. */
const PATH_BYTES = 100;

const ANSWER_MS = 2000;
const AGAIN_MS = 20;

type State = 'starting' | 'held';
/** `ended`: the process died or gave up during the check. */
type Seen = State | 'nobody' | 'ended';

/** Runs work with a function that makes paths in the directory short enough for a socket. */
export async function withPaths<T>(directory: string, work: (at: (name: string) => string) => Promise<T>): Promise<T> {
  const longest = join(directory, HELD + randomUUID());
  if (Buffer.byteLength(longest) <= PATH_BYTES) return work((name) => join(directory, name));
  if (process.platform !== 'linux') throw new DatabaseRefused(`The path of DATA_DIR is too long: ${directory}`);
  const file = openSync(directory, 'r');
  try {
    return await work((name) => `/proc/self/fd/${file}/${name}`);
  } finally {
    closeSync(file);
  }
}

/** Only a refusal or a missing file proves that the process is gone; one too busy to answer has the database open. */
function look(path: string): Promise<{ seen: Seen; pid: string }> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    const done = (seen: Seen, pid = '') => {
      socket.destroy();
      resolve({ seen, pid });
    };
    socket.setTimeout(ANSWER_MS, () => done('held'));
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('end', () => {
      const [state, pid] = text.split(' ');
      if (state === '') done('ended');
      else done(state === 'starting' ? 'starting' : 'held', pid);
    });
    socket.on('error', (error) => {
      const code = systemErrorCode(error);
      if (code === 'ECONNRESET' || code === 'EPIPE') done('ended');
      else done(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'nobody' : 'held');
    });
  });
}

async function listen(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
}

/** Checks all other processes until none is left. Of two that are starting, the one with the smaller name wins. */
async function untilAlone(directory: string, own: string, at: (name: string) => string): Promise<void> {
  const others = readdirSync(directory).filter((name) => name.startsWith(HELD) && name !== own);
  for (const name of others) {
    for (;;) {
      const { seen, pid } = await look(at(name));
      if (seen === 'nobody') break;
      if (seen === 'held' || (seen === 'starting' && name < own)) {
        const holder = pid === '' ? 'another process' : `another process (${pid})`;
        throw new DatabaseRefused(`The database in ${directory} is in use by ${holder}. Stop it, or set DATA_DIR.`);
      }
      await wait(AGAIN_MS);
    }
    rmSync(join(directory, name), { force: true });
  }
}

/** Locks the directory for this process, or throws. Returns the function that unlocks it; a kill unlocks it too. */
export async function lockDirectory(directory: string): Promise<() => void> {
  const id = randomUUID();
  let state: State = 'starting';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${state} ${process.pid}`);
  });
  const free = () => {
    rmSync(join(directory, HELD + id), { force: true });
    rmSync(join(directory, DRAFT + id), { force: true });
    server.close();
  };
  try {
    await withPaths(directory, async (at) => {
      await listen(server, at(DRAFT + id));
      renameSync(join(directory, DRAFT + id), join(directory, HELD + id));
      await untilAlone(directory, HELD + id, at);
    });
    state = 'held';
    return free;
  } catch (error) {
    free();
    throw unusableDirectory(directory, error);
  }
}
