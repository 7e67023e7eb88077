import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_DEADLINE_MS = 30_000;

/** A PostgreSQL of its own, on a unix socket only. */
export interface PostgresServer {
  /** For a program that connects to it: DATABASE_URL, and the socket's folder as PGHOST. */
  env: Record<string, string>;
  /** Stops it immediately, like a crash; the data stay. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL in a temporary directory, which is removed when it stops. */
export async function startPostgres(
  programs: string,
  { settings = [], standby = false }: { settings?: string[]; standby?: boolean } = {},
): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'countinghouse-postgres-'));
  // initdb refuses to run as root, so use Debian's postgres user.
  const asPostgres = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  if (asPostgres.length > 0) {
    const [user, group] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres']).toString()));
    chownSync(directory, user ?? 0, group ?? 0);
    chmodSync(directory, 0o755);
  }
  const command = (program: string, ...rest: string[]): [string, string[]] => {
    const [first = '', ...others] = [...asPostgres, join(programs, program), ...rest];
    return [first, others];
  };
  const data = join(directory, 'data');
  execFileSync(
    ...command('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'),
    {
      stdio: 'pipe',
      cwd: '/',
    },
  );
  if (standby) writeFileSync(join(data, 'standby.signal'), '');
  // Off by default, to see that the dashboard asks for synchronous commits itself.
  const options = ['listen_addresses=', `unix_socket_directories=${directory}`, 'synchronous_commit=off', ...settings];
  const status = join(data, 'postmaster.pid');
  const start = async (): Promise<() => Promise<void>> => {
    const server = spawn(...command('postgres', '-D', data, ...options.flatMap((option) => ['-c', option])), {
      stdio: 'ignore',
      cwd: '/',
    });
    const ended = once(server, 'exit');
    const deadline = Date.now() + START_DEADLINE_MS;
    while (!existsSync(status) || !/^(ready|standby) *$/m.test(readFileSync(status, 'utf8'))) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error('PostgreSQL did not start.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return async () => {
      execFileSync(...command('pg_ctl', 'stop', '-D', data, '-m', 'immediate'), { stdio: 'ignore', cwd: '/' });
      await ended;
      // A killed server leaves its pid file, which would read as ready.
      rmSync(status, { force: true });
    };
  };
  let halt: (() => Promise<void>) | null = await start();
  return {
    env: { DATABASE_URL: 'postgres:///postgres', PGHOST: directory, PGUSER: 'postgres' },
    halt: async () => {
      await halt?.();
      halt = null;
    },
    resume: async () => {
      halt ??= await start();
    },
    stop: async () => {
      await halt?.();
      halt = null;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
