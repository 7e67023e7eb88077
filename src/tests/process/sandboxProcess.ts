import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../../dist/node/sandbox.js');
const START_DEADLINE_MS = 180_000;

/** The built sandbox in a process of its own, over HTTP. */
export interface SandboxProcess {
  baseUrl: string;
  /** Resolves when it has ended, with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** kill -9, and waits. */
  kill(): Promise<void>;
}

// PGlite compiled once, not a second time for speed: that is most of the work of a process that is soon gone.
const SHORT_LIVED = ['--liftoff-only'];

/** Starts the built sandbox on a free port, not waiting until it answers. */
export async function spawnSandbox(
  env: Record<string, string>,
  shortLived = false,
): Promise<SandboxProcess & { answers(): Promise<void> }> {
  if (!existsSync(PROGRAM)) throw new Error('dist/node/sandbox.js is missing: run "npm run build" first.');
  const port = await freePort();
  const child = spawn(process.execPath, [...(shortLived ? SHORT_LIVED : []), PROGRAM], {
    env: { PATH: process.env['PATH'] ?? '', SANDBOX_PORT: String(port), SANDBOX_DEPOSITS: '50', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails or is stopped leaves nothing running.
  const killChild = (): boolean => child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal));
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    ended,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    answers: () => untilAnswering(baseUrl, child, output),
  };
}

/** Starts the built sandbox and waits until it answers; throws with its output when it ends instead. */
export async function startSandbox(env: Record<string, string>, shortLived = false): Promise<SandboxProcess> {
  const sandbox = await spawnSandbox(env, shortLived);
  await sandbox.answers();
  return sandbox;
}

async function untilAnswering(baseUrl: string, child: ChildProcess, output: string[]): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The sandbox ended (${child.exitCode ?? child.signalCode}):\n${output.join('')}`);
    }
    if (Date.now() > deadline) throw new Error(`The sandbox does not answer:\n${output.join('')}`);
    if (
      await fetch(`${baseUrl}/v1/balances`).then(
        () => true,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
