import { rm } from 'node:fs/promises';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { test as base } from './fixtures.ts';
import { SERVERS } from './servers.ts';

interface RestartingDashboard {
  origin: string;
  /** Restarts the server; in between it runs SQL on its database. */
  restart: (sql?: string, params?: string[]) => Promise<void>;
}

/** With a dashboard of its own, with SIGN_IN=key. */
export const test = base.extend<object, { dashboard: RestartingDashboard }>({
  dashboard: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a destructured parameter.
    async ({}, use) => {
      const port = await freePort();
      const directory = await newDataDirectory('countinghouse-restart');
      const env = {
        PAYMENTS_BASE_URL: SERVERS.raw.origin,
        DATA_DIR: directory,
        SESSION_SECRET: 'the secret of a test that restarts the server',
      };
      let server = await startDashboard(env, port);
      const restart = async (sql = 'select 1', params: string[] = []) => {
        await server.stop();
        const database = await openDatabase({ databaseUrl: null, directory });
        await database.query(sql, params);
        await database.close();
        server = await startDashboard(env, port);
      };
      await use({ origin: `http://127.0.0.1:${port}`, restart });
      await server.stop();
      await rm(directory, { recursive: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ dashboard }, use) => use(dashboard.origin),
});
