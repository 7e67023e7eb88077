import { createHash } from 'node:crypto';
import { allDeposits, type Deposit, openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { downloadedBy, exportDialog, exportedFile, exportReads, startExport } from '#e2e/support/exporting.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { HELD } from '#e2e/support/sandbox.ts';
import { expectClean } from '#e2e/support/axe.ts';

const HEAD = '\uFEFFid,status,asset,chain,received_amount,created_at,created_at_utc,created_at_zoned,reference,note';

/** The CSV lines of these deposits, none of whose values need quotes. */
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

test.describe('of an account with 120 deposits', () => {
  test.use({ seed: { deposits: 120, assets: 7 } });

  test('an export holds every row of the filter, exactly as the service has it', async ({ page, account }) => {
    const completed = (await allDeposits(account)).filter(({ status }) => status === 'completed');
    await openDeposits(page, '?status=completed');
    const file = await exportedFile(page);
    const dialog = exportDialog(page);
    await expect(dialog.getByText(`${completed.length} rows exported (complete)`)).toBeVisible();
    await expect(dialog.getByText('status completed')).toBeVisible();
    expect(file.name).toMatch(/^deposits-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
    expect(file.text).toBe(csvOf(completed));
    await expectClean(page, 'an export that is done', [375]);
  });

  test('JSON Lines has the rows as the service sent them, and the manifest describes the file @deep', async ({
    page,
    account,
  }) => {
    const all = await allDeposits(account);
    await openDeposits(page, '?order=asc');
    const { name, text } = await exportedFile(page, { format: 'JSON Lines' });
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toEqual(all.toReversed());
    const totals = exportDialog(page).getByRole('button', { name: 'Save control totals (JSON)' });
    const manifest = JSON.parse((await downloadedBy(page, totals)).text);
    expect(manifest).toMatchObject({
      file: { name, sha256: createHash('sha256').update(text).digest('hex'), complete: true },
      path: '/v1/deposits',
      filters: { order: 'asc' },
      rows: 120,
      first: { id: all.at(-1)?.id },
      bound: { id: all[0]?.id, met: true },
    });
    await expect(exportDialog(page).getByText(manifest.file.sha256)).toBeVisible();
  });

  test('if the tab is closed, the server continues the export, every page says so, and the file is ready @deep', async ({
    page,
    account,
    context,
  }) => {
    const all = await allDeposits(account);
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    // Lets the read of the oldest row and the first page pass.
    await account.fault({ path: '/v1/deposits', times: 2, patch: {} });
    await account.fault({ path: '/v1/deposits', times: 99, ...HELD });
    await startExport(page);
    await expect(exportDialog(page).getByText(/^100 rows loaded/)).toBeVisible();
    await page.close();

    const again = await context.newPage();
    await again.goto('/addresses');
    const bar = again.getByRole('region', { name: 'Exports' });
    await expect(bar.getByText(/100 rows loaded/)).toBeVisible();
    await expectClean(again, 'an export under way', [375]);
    await again.getByRole('link', { name: 'Recipients' }).click();
    await expect(bar.getByText('Exporting deposits')).toBeVisible();
    await account.clearFaults();
    await expect(bar.getByText('Export of deposits is ready: 120 rows.')).toBeVisible();
    const made = await exportReads(account);
    const file = await downloadedBy(again, bar.getByRole('link', { name: 'Download' }));
    expect(file.text).toBe(csvOf(all));
    // The download read nothing from the service again.
    expect(await exportReads(account)).toHaveLength(made.length);
    await expect(bar).toBeHidden();

    // Downloaded elsewhere or before, it is still under My exports.
    await again.getByRole('link', { name: 'My exports' }).click();
    const row = again.getByRole('table', { name: 'Exports' }).getByRole('row').nth(1);
    await expect(row).toContainText('Complete');
    await expectClean(again, 'the exports', [375]);
    expect((await downloadedBy(again, row.getByRole('link', { name: 'Download' }))).text).toBe(csvOf(all));
    await row.getByRole('button', { name: 'Details' }).click();
    const question = again.getByRole('dialog', { name: 'Delete this export' });
    await exportDialog(again).getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Keep it' }).click();
    await expect(question).toBeHidden();
    await expect(row).toContainText('Complete');
    await exportDialog(again).getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete export' }).click();
    await expect(again.getByText('No exports')).toBeVisible();
  });

  test('a page that fails is loaded again by itself; one that is refused stops the export, and Continue goes on there @deep', async ({
    page,
    account,
  }) => {
    const all = await allDeposits(account);
    const earlier = await exportReads(account);
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    // Lets the read of the oldest row and the first page pass.
    await account.fault({ path: '/v1/deposits', times: 2, patch: {} });
    await account.fault({ path: '/v1/deposits', times: 2, status: 500 });
    await account.fault({ path: '/v1/deposits', times: 1, status: 404 });
    await startExport(page);
    const dialog = exportDialog(page);
    await expect(dialog.getByRole('heading', { name: 'The export stopped' })).toBeVisible();
    await expect(dialog.getByText('100 rows loaded; they are kept.')).toBeVisible();
    const soFar = await downloadedBy(page, dialog.getByRole('link', { name: 'Download the rows so far' }));
    expect(soFar.text).toBe(csvOf(all.slice(0, 100)));
    expect(soFar.name).toMatch(/-incomplete\.csv$/);
    await expectClean(page, 'an export that stopped', [375]);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const file = await downloadedBy(page, dialog.getByRole('link', { name: 'Download', exact: true }));
    expect(file.text).toBe(csvOf(all));
    const reads = (await exportReads(account)).slice(earlier.length).filter(({ query }) => query.includes('limit=100'));
    const first = reads.filter(({ query }) => !query.includes('starting_after'));
    expect(first).toHaveLength(1);
  });

  test('a cancelled export saves nothing @deep', async ({ page, account }) => {
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    await account.fault({ path: '/v1/deposits', ...HELD });
    await startExport(page);
    await exportDialog(page).getByRole('button', { name: 'Cancel export' }).click();
    await expect(exportDialog(page)).toBeHidden();
    await account.clearFaults();
    await page.goto('/exports');
    await expect(page.getByText('No exports')).toBeVisible();
  });

  test('a sign-out stops the export; the next session continues it @deep', async ({
    page,
    account,
    signIn,
    context,
  }) => {
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    await account.fault({ path: '/v1/deposits', times: 2, patch: {} });
    await account.fault({ path: '/v1/deposits', times: 99, ...HELD });
    await startExport(page);
    await expect(exportDialog(page).getByText(/^100 rows loaded/)).toBeVisible();
    await exportDialog(page).getByRole('button', { name: 'Close, keep exporting' }).click();
    await inAccountMenu(page, 'Sign out');
    await expect(page).toHaveURL(/sign-in/);
    await account.clearFaults();
    await signIn(context);
    await page.goto('/recipients');
    const bar = page.getByRole('region', { name: 'Exports' });
    await expect(bar.getByText('Export of deposits: Stopped at row 1', { exact: false })).toBeVisible();
    await bar.getByRole('button', { name: 'Continue' }).click();
    await expect(bar.getByText('Export of deposits is ready: 120 rows.')).toBeVisible();
    const file = await downloadedBy(page, bar.getByRole('link', { name: 'Download' }));
    expect(file.text).toBe(csvOf(await allDeposits(account)));
  });
});

test('cells that a spreadsheet would run are neutralised, decimals are not touched @deep', async ({
  page,
  account,
}) => {
  // Without an id, the older one is not a row, and the export says so.
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
  expect((await exportedFile(page)).text).toBe(
    [
      HEAD,
      '"dep_""quoted"", and a comma","\'=HYPERLINK(""https://example.org"")",\'@SUM(A1),"\'+1\r\n\'-2",-12.500000000000000001,1763000000,2025-11-13T02:13:20Z,2025-11-13T02:13:20+00:00,,',
      '',
    ].join('\r\n'),
  );
  await expect(exportDialog(page).getByText('1 row exported (complete)')).toBeVisible();
  await expect(exportDialog(page).getByText('1 item had no id and is not in the file.')).toBeVisible();
});

test('a row of the second outside the chosen days is left out and counted @deep', async ({ page, account }) => {
  const day = Math.floor(Date.now() / 86_400_000) * 86_400 - 86_400;
  const eth = { asset: 'ETH', chain: 'ethereum', created_at: day + 600 };
  const { id } = await account.deposit({ ...eth, amount: '11' });
  await account.deposit({ ...eth, amount: '100', created_at: day + 1200 });
  // A service whose bounds are inclusive.
  await account.fault({ path: '/v1/deposits', times: 99, patch: { data: { 0: { created_at: day + 86_400 } } } });
  await page.goto(`/deposits?created_after=${day - 1}&created_before=${day + 86_400}`);
  // The list leaves it out, too.
  await expect(page.getByText('End of list · 1 deposit')).toBeVisible();
  const { text } = await exportedFile(page);
  expect(text.trim().split('\r\n').slice(1)).toEqual([expect.stringContaining(`${id},completed,ETH,ethereum,11,`)]);
  await expect(exportDialog(page).getByText('1 row outside the chosen days was left out.')).toBeVisible();
});

test.describe('withdrawals', () => {
  test.use({ seed: { deposits: 120, assets: 7 } });

  test('are exported in the same way @deep', async ({ page, account }) => {
    await page.goto('/withdrawals');
    const { text } = await exportedFile(page, { list: 'withdrawals' });
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFid,status,asset,chain,amount,fee,address,tx_hash,created_at,created_at_utc,created_at_zoned,recipient,reference,note',
    );
    const there = (await account.withdrawals()).map(({ id, amount, fee, tx_hash: hash }) => [
      id,
      amount,
      fee,
      hash ?? '',
    ]);
    const here = lines.slice(1, -1).map((line) => line.split(','));
    expect(here.map(([id, , , , amount, fee, , hash]) => [id, amount, fee, hash])).toEqual(there);
  });
});
