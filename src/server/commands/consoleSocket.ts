import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { withPaths } from '#src/server/database/directoryLock.ts';
import { systemErrorCode, systemErrorMessage } from '#src/server/database/sql.ts';
import { permissionsSchema } from '#src/shared/contract/peopleContract.ts';
import { parseJson } from '#src/shared/answers.ts';

// `npm run console` reaches the server on this machine through a Unix socket in DATA_DIR, which only its owner can open. The
// request and the reply are one line of JSON each.

const SOCKET = 'console';
const LINE_MAX = 10_000;
/** After this time without a reply the server counts as stuck. */
const ANSWER_MS = 10_000;

export const WORDS_MAX = 500;

const commandSchema = v.variant('command', [
  v.strictObject({
    command: v.literal('invite-admin'),
    /** The reason, for the log. */
    words: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(WORDS_MAX)),
    permissions: permissionsSchema,
    /** The account's name; null for the only account. */
    account: v.nullable(v.string()),
    /** The name of a person who already has a passkey; null for a new person. */
    person: v.nullable(v.string()),
  }),
  v.strictObject({ command: v.literal('check-activity') }),
]);
export type ConsoleCommand = v.InferOutput<typeof commandSchema>;

const replySchema = v.object({ ok: v.boolean(), line: v.string() });
/** `line` is printed. */
export type ConsoleReply = v.InferOutput<typeof replySchema>;

export type RunCommand = (command: ConsoleCommand) => Promise<ConsoleReply>;

/** Answers commands until the returned function is called. Replaces a socket that a killed server left. */
export async function listenForCommands(directory: string, run: RunCommand): Promise<() => void> {
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > LINE_MAX) return void socket.destroy();
      if (!text.includes('\n')) return;
      socket.removeAllListeners('data');
      void answer(text, run).then((reply) => socket.end(`${JSON.stringify(reply)}\n`));
    });
  });
  // Use another name until the permissions are set, so that no other user can connect.
  const draft = `${SOCKET}.${randomUUID().slice(0, 8)}`;
  await withPaths(directory, async (at) => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at(draft), resolve);
    });
    chmodSync(join(directory, draft), 0o600);
    renameSync(join(directory, draft), join(directory, SOCKET));
  });
  server.unref();
  return () => {
    server.close();
    try {
      rmSync(join(directory, SOCKET), { force: true });
    } catch {
      // The next start replaces the socket. Don't fail: the server must stop in any case.
    }
  };
}

async function answer(text: string, run: RunCommand): Promise<ConsoleReply> {
  const parsed = v.safeParse(commandSchema, parseJson(text));
  if (!parsed.success) return { ok: false, line: 'This server doesn’t know that command.' };
  return run(parsed.output).catch((error: unknown) => {
    console.error(error);
    return { ok: false, line: 'The server failed on this command. Its log says why.' };
  });
}

const STOPPED = 'The server stopped before it answered. Run the command again.';
const STUCK = 'The server doesn’t answer. Its log may say why.';

/** Returns the running server's reply or an error line; null if no server runs on this directory. */
export async function sendCommand(directory: string, command: ConsoleCommand): Promise<ConsoleReply | null> {
  try {
    return await withPaths(directory, (at) => exchange(at(SOCKET), `${JSON.stringify(command)}\n`));
  } catch (error) {
    if (['ENOENT', 'ECONNREFUSED'].includes(systemErrorCode(error))) return null;
    const reason = systemErrorMessage(error);
    const line = `The server on ${directory} can’t be reached: ${reason}. Run this as the user that the server runs as.`;
    return { ok: false, line };
  }
}

/** Throws if there is no connection. */
function exchange(path: string, line: string): Promise<ConsoleReply> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path, () => socket.write(line));
    socket.setEncoding('utf8');
    socket.setTimeout(ANSWER_MS, () => {
      resolve({ ok: false, line: STUCK });
      socket.destroy();
    });
    socket.on('data', (part: string) => (text += part));
    socket.on('error', (error) => {
      // Treat a broken connection like a closed one.
      if (socket.connecting || !['ECONNRESET', 'EPIPE'].includes(systemErrorCode(error))) reject(error);
    });
    socket.on('close', () => {
      const parsed = v.safeParse(replySchema, parseJson(text));
      resolve(parsed.success ? parsed.output : { ok: false, line: STOPPED });
    });
  });
}
