import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { allDeposits, type Deposit, openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { HELD, type Account } from '#e2e/support/sandbox.ts';

const HEAD = '\uFEFFid,status,asset,chain,received_amount,created_at,created_at_utc,created_at_zoned,reference,note';

/** What a file of these deposits says; none of their values needs quotes. */
function csvOf(deposits: readonly Deposit[]): string {
  const lines = deposits.map(({ id, status, asset, chain, received_amount, created_at }) =>
    [
      id,
      status,
      asset,
      chain,
      received_amount,
      created_at,
      new Date(created_at * 1000).toISOString().replace('.000', ''),
      new Date(created_at * 1000).toISOString().replace('.000Z', '+00:00'),
      '',
      '',
    ].join(','),
  );
  return [HEAD, ...lines, ''].join('\r\n');
}

/** What the page itself read for an export: the row at the far end, and pages as large as the service gives. */
async function exportReads(account: Account) {
  const ofPage = (await account.requests()).filter(({ path, attempt }) => path === '/v1/deposits' && attempt !== null);
  return ofPage.filter(({ query }) => /limit=1(?:00)?(?:&|$)/.test(query));
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export deposits' });

/** By download: Playwright does not drive the dialog in which a person chooses a file. */
async function startExport(page: Page, format = 'CSV') {
  await page.getByRole('button', { name: 'Export' }).click();
  await dialogOf(page).getByRole('button', { name: format, exact: true }).click();
  const downloads = dialogOf(page).getByRole('button', { name: 'Downloads' });
  if (await downloads.isVisible()) await downloads.click();
  await dialogOf(page).getByRole('button', { name: 'Start export' }).click();
}

test.describe('of an account with 120 deposits', () => {
  test.use({ seed: { deposits: 120, assets: 7 } });

  test('an export holds every row of the filter, exactly as the service has it', async ({ page, account }) => {
    const completed = (await allDeposits(account)).filter(({ status }) => status === 'completed');
    await openDeposits(page, '?status=completed');
    const saved = page.waitForEvent('download');
    await startExport(page);
    const file = await saved;
    await expect(dialogOf(page).getByText(`${completed.length} rows exported (complete)`)).toBeVisible();
    await expect(dialogOf(page).getByText('status completed')).toBeVisible();
    expect(file.suggestedFilename()).toMatch(/^deposits-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toBe(csvOf(completed));
  });

  test('JSON Lines holds what the service sent, and the manifest says what is in the file @deep', async ({
    page,
    account,
  }) => {
    const all = await allDeposits(account);
    await openDeposits(page, '?order=asc');
    const saved = page.waitForEvent('download');
    await startExport(page, 'JSON Lines');
    const file = await saved;
    const text = await readFile(await file.path(), 'utf8');
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(all.toReversed());
    const manifestSaved = page.waitForEvent('download');
    await dialogOf(page).getByRole('button', { name: 'Save control totals (JSON)' }).click();
    const manifest = JSON.parse(await readFile(await (await manifestSaved).path(), 'utf8'));
    expect(manifest).toMatchObject({
      file: { name: file.suggestedFilename(), sha256: createHash('sha256').update(text).digest('hex'), complete: true },
      path: '/v1/deposits',
      filters: { order: 'asc' },
      rows: 120,
      first: { id: all.at(-1)?.id },
      bound: { id: all[0]?.id, met: true },
    });
    await expect(dialogOf(page).getByText(manifest.file.sha256)).toBeVisible();
  });

  test('a page that fails stops the export; Retry goes on from there', async ({ page, account, expectConsole }) => {
    expectConsole(/500/);
    const all = await allDeposits(account);
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    // Passes the read of the oldest row, and the first page.
    await account.fault({ path: '/v1/deposits', times: 2, patch: {} });
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await startExport(page);
    await expect(dialogOf(page).getByRole('heading', { name: 'The export stopped' })).toBeVisible();
    await expect(dialogOf(page).getByText('100 rows loaded before the error; they are kept.')).toBeVisible();
    const saved = page.waitForEvent('download');
    await dialogOf(page).getByRole('button', { name: 'Retry' }).first().click();
    expect(await readFile(await (await saved).path(), 'utf8')).toBe(csvOf(all));
    const reads = (await exportReads(account)).filter(({ query }) => query.includes('limit=100'));
    const first = reads.filter(({ query }) => !query.includes('starting_after'));
    expect(first).toHaveLength(1);
  });

  test('a cancelled export saves nothing @deep', async ({ page, account }) => {
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    await account.fault({ path: '/v1/deposits', ...HELD });
    await startExport(page);
    await dialogOf(page).getByRole('button', { name: 'Cancel export' }).click();
    await expect(dialogOf(page)).toBeHidden();
    await expect.poll(async () => (await exportReads(account)).length).toBe(1);
    // The read ends, given up, before the next one of the same page is answered.
    await account.clearFaults();
    await page.getByRole('button', { name: 'Refresh list' }).click();
    await expect(page.getByRole('button', { name: 'Refresh list' })).toHaveAttribute('aria-busy', 'false');
    expect(downloads).toBe(0);
  });
});

test('cells that a spreadsheet would run are neutralised, decimals are not touched @deep', async ({
  page,
  account,
}) => {
  // The older one loses its id: it is no row, and the export says so.
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', created_at: 1_762_000_000 });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', created_at: 1_763_000_000 });
  const hostile = {
    id: 'dep_"quoted", and a comma',
    status: '=HYPERLINK("https://example.org")',
    asset: '@SUM(A1)',
    chain: '+1\r\n-2',
    received_amount: '-12.500000000000000001',
  };
  await account.fault({ path: '/v1/deposits', times: 99, patch: { data: { 0: hostile, 1: { id: null } } } });
  await openDeposits(page);
  const saved = page.waitForEvent('download');
  await startExport(page);
  expect(await readFile(await (await saved).path(), 'utf8')).toBe(
    [
      HEAD,
      '"dep_""quoted"", and a comma","\'=HYPERLINK(""https://example.org"")",\'@SUM(A1),"\'+1\r\n\'-2",-12.500000000000000001,1763000000,2025-11-13T02:13:20Z,2025-11-13T02:13:20+00:00,,',
      '',
    ].join('\r\n'),
  );
  await expect(dialogOf(page).getByText('1 row exported (complete)')).toBeVisible();
  await expect(dialogOf(page).getByText('1 item had no id and is not in the file.')).toBeVisible();
});

test('a row of the second outside the chosen days is left out and counted', async ({ page, account }) => {
  const day = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
  const eth = { asset: 'ETH', chain: 'ethereum', created_at: day + 600 };
  const { id } = await account.deposit({ ...eth, amount: '11' });
  await account.deposit({ ...eth, amount: '100', created_at: day + 1200 });
  // A service that counts its bounds as inside.
  await account.fault({ path: '/v1/deposits', times: 99, patch: { data: { 0: { created_at: day + 86_400 } } } });
  await page.goto(`/deposits?created_after=${day - 1}&created_before=${day + 86_400}`);
  // The list has it no more than the file.
  await expect(page.getByText('End of list · 1 deposit')).toBeVisible();
  const saved = page.waitForEvent('download');
  await startExport(page);
  const text = await readFile(await (await saved).path(), 'utf8');
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(`${id},completed,ETH,ethereum,11,`)]);
  await expect(dialogOf(page).getByText('1 row outside the chosen days was left out.')).toBeVisible();
});
