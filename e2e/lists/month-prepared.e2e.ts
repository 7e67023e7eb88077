import { rm } from 'node:fs/promises';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { expect, test as base } from '#e2e/support/fixtures.ts';
import { LAST_MONTH, pathOf, sumOf } from '#e2e/support/monthClose.ts';
import { SERVERS } from '#e2e/support/servers.ts';

interface RestartingDashboard {
  origin: string;
  /** Restarts the server; in between it runs SQL on its database. */
  restart: (sql?: string, params?: string[]) => Promise<void>;
}

/** The test's own dashboard with SIGN_IN=key. */
const test = base.extend<object, { dashboard: RestartingDashboard }>({
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

test.use({ seed: { deposits: 0, assets: 3 } });
test.describe.configure({ mode: 'default', timeout: 90_000 });

test('a month that the server prepared in the background says when', async ({ page, account, dashboard }) => {
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.1', created_at: LAST_MONTH.from });
  const at = (LAST_MONTH.to + 3 * 86_400 + 9 * 3_600) * 1_000;
  // The same state as after two readings of this test's account, an hour apart.
  await dashboard.restart(
    `insert into jobs.prepared (service, account, period_from, period_to, next_at, prepared_at)
     select service, account, $1::bigint, $2::bigint, $3::bigint, $3::bigint from people.sessions
     order by created_at desc limit 1`,
    [String(LAST_MONTH.from), String(LAST_MONTH.to), String(at)],
  );
  await page.goto(pathOf(LAST_MONTH));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await expect(page.getByText(/^Prepared on 4 .*: two equal readings$/)).toBeVisible();
});
