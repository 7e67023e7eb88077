import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { startDashboard, type Dashboard } from '#src/tests/process/dashboardProcess.ts';
import { postgresPrograms } from '#src/tests/postgres/programs.ts';
import { startPostgres, type PostgresServer } from '#src/tests/postgres/server.ts';
import { envOf } from './house.ts';

const SESSION_SECRET = 'the one secret of all servers';

/** One PostgreSQL, and servers that share it, each with a folder of its own. */
export interface SharedJournal extends Pick<PostgresServer, 'halt' | 'resume'> {
  newFolder(): string;
  start(folder: string, more?: Record<string, string>, port?: number): Promise<Dashboard>;
  /** Ends every lease as if 40 seconds had passed. Call it only while nothing is being sent. */
  endLeases(): Promise<void>;
  stop(): Promise<void>;
}

export async function shareJournal(): Promise<SharedJournal> {
  const server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  const { directory } = inject('servers');
  const database: Database = await openDatabase({ databaseUrl: server.env['DATABASE_URL'], directory: 'memory' });
  return {
    halt: () => server.halt(),
    resume: () => server.resume(),
    newFolder: () => mkdtempSync(join(directory, 'folder-')),
    start: (folder, more = {}, port?: number) =>
      startDashboard(envOf(folder, { ...server.env, SESSION_SECRET, ...more }), port),
    endLeases: async () => {
      await database.query('update operations.operations set lease_until = 1 where lease_until is not null');
      await database.query('update operations.batches set lease_until = 1 where lease_until is not null');
      await database.query('update jobs.runs set lease_until = lease_until - 40000 where lease_until is not null');
    },
    stop: async () => {
      await database.close();
      await server.stop();
      vi.unstubAllEnvs();
    },
  };
}
