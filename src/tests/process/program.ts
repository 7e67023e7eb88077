import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SANDBOX_TEMPLATE } from './template.ts';

const BUILT = join(import.meta.dirname, '../../../dist/node');
const START_DEADLINE_MS = 180_000;

/** How a process ended: its exit code, or the signal that ended it. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A built program in a process of its own, over HTTP. */
export interface Program {
  baseUrl: string;
  end: Promise<End>;
  /** Everything printed so far. */
  output(): string;
  /** Waits until it answers; throws with its output if it exits instead. */
  answers(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Resolves once it is stopped by SIGSTOP. */
  frozen(): Promise<void>;
  /** SIGTERM, and waits. */
  stop(): Promise<End>;
  /** kill -9, and waits. */
  kill(): Promise<void>;
}

/** A V8 flag for short-lived processes: skips the optimising compilation of PGlite, which is most of their CPU time. */
export const SHORT_LIVED = '--liftoff-only';

interface Start {
  name: 'start' | 'sandbox';
  port: number;
  env: Record<string, string>;
  /** A path that answers once the program serves. */
  probe: string;
}

/** Starts a built program without waiting until it answers. */
export function spawnProgram({ name, port, env, probe }: Start): Program {
  const program = join(BUILT, `${name}.js`);
  if (!existsSync(program)) throw new Error(`dist/node/${name}.js is missing: run "npm run build" first.`);
  const child = spawn(process.execPath, [SHORT_LIVED, program], {
    env: { PATH: process.env['PATH'] ?? '', SANDBOX_TEMPLATE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // So that a failed or interrupted test leaves no process behind.
  const killChild = (): boolean => child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const end = new Promise<End>((resolve) => {
    // "close", not "exit": all output has been read by then.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const send = (signal: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  return {
    baseUrl,
    end,
    output: () => output.join(''),
    answers: () => untilAnswering(baseUrl + probe, child, () => `${name}:\n${output.join('')}`),
    signal: send,
    frozen: async () => {
      while (stateOf(child.pid ?? 0) !== 'T') await new Promise((resolve) => setTimeout(resolve, 20));
    },
    stop: () => {
      send('SIGTERM');
      return end;
    },
    kill: async () => {
      send('SIGKILL');
      await end;
    },
  };
}

/** The process state letter of ps. */
function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)])
    .toString()
    .slice(0, 1);
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`It ended (${child.exitCode ?? child.signalCode}), ${output()}`);
    }
    if (Date.now() > deadline) throw new Error(`It does not answer, ${output()}`);
    if (await isServed(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Uses a new connection, as a server that no longer listens may still answer on a kept-alive one. */
export function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
