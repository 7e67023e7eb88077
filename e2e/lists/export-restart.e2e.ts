import { rm } from 'node:fs/promises';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { allDeposits, openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { downloadedBy, exportDialog, startExport } from '#e2e/support/exporting.ts';
import { expect, test as base } from '#e2e/support/fixtures.ts';
import { HELD } from '#e2e/support/sandbox.ts';
import { SERVERS } from '#e2e/support/servers.ts';

interface Fixtures {
  /** A dashboard of this test alone. */
  dashboard: { origin: string; restart: () => Promise<void> };
}

const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants a destructured parameter.
  dashboard: async ({}, use) => {
    const port = await freePort();
    const directory = await newDataDirectory('countinghouse-export');
    const env = { PAYMENTS_BASE_URL: SERVERS.raw.origin, DATA_DIR: directory };
    let server = await startDashboard(env, port);
    await use({
      origin: `http://127.0.0.1:${port}`,
      restart: async () => {
        await server.stop();
        server = await startDashboard(env, port);
      },
    });
    await server.stop();
    await rm(directory, { recursive: true });
  },
  baseURL: async ({ dashboard }, use) => use(dashboard.origin),
});

test.use({ seed: { deposits: 120, assets: 7 } });

test('a restart of the server stops an export, because it has lost the key; Continue goes on from the last page @deep', async ({
  page,
  account,
  dashboard,
  expectConsole,
}) => {
  expectConsole(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|Failed to load resource/);
  const all = await allDeposits(account);
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  await account.fault({ path: '/v1/deposits', times: 2, patch: {} });
  await account.fault({ path: '/v1/deposits', times: 99, ...HELD });
  await startExport(page);
  const dialog = exportDialog(page);
  await expect(dialog.getByText(/^100 rows loaded/)).toBeVisible();
  await dashboard.restart();
  await account.clearFaults();
  await expect(dialog.getByRole('heading', { name: 'The export stopped' })).toBeVisible();
  await expect(dialog.getByText('100 rows loaded; they are kept.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const { text } = await downloadedBy(page, dialog.getByRole('link', { name: 'Download', exact: true }));
  const ids = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0]);
  expect(ids).toEqual(all.map(({ id }) => id));
});
