import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { exportedFile } from '#e2e/support/exporting.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import type { Account } from '#e2e/support/sandbox.ts';

interface Entry {
  id: string;
  type: string;
  asset: string;
  book: string;
  amount: string;
  source: string;
}

const tableOf = (page: Page) => page.getByRole('table', { name: 'Ledger entries' });
const rowAt = (page: Page, at: number) => tableOf(page).locator(`[role=row][aria-rowindex="${at + 2}"]`);
const panelOf = (page: Page) => page.getByRole('region', { name: 'Ledger entry' });

/** The newest entries, as the service has them. */
const newest = async (account: Account, query = '') =>
  (await account.read<{ data: Entry[] }>(`/v1/ledger-entries?limit=100${query}`)).data;

const SCALE = 40;

/** An amount in units of 10⁻⁴⁰, exactly. */
function units(amount: string): bigint {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const size = BigInt(whole + decimals.padEnd(SCALE, '0'));
  return amount.startsWith('-') ? -size : size;
}

test.describe('of an account with 60 deposits', () => {
  test.use({ seed: { deposits: 60, assets: 5 } });

  test('the export has every entry, and its sums equal the service’s books to the last digit', async ({
    page,
    account,
  }) => {
    await page.goto('/ledger');
    await expect(rowAt(page, 0)).toBeVisible();
    const { text } = await exportedFile(page, { list: 'ledger entries' });
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('\uFEFFid,transaction,type,asset,book,amount,source,created_at,created_at_utc,created_at_zoned');
    const sums: Record<string, Record<string, bigint>> = {};
    for (const line of lines) {
      const [, , , asset = '', book = '', amount = ''] = line.split(',');
      const books = (sums[asset] ??= {});
      books[book] = (books[book] ?? 0n) + units(amount);
    }
    const { books } = await account.ledger();
    expect(Object.keys(sums).sort()).toEqual(Object.keys(books).sort());
    for (const [asset, { available = '', pending = '0', locked = '0' }] of Object.entries(books)) {
      const { available: a = 0n, pending: p = 0n, locked: l = 0n } = sums[asset] ?? {};
      expect([a, p, l], asset).toEqual([units(available), units(pending), units(locked)]);
    }
  });

  test('an entry opens beside the list and links to its payment @deep', async ({ page, account }) => {
    const entries = await newest(account);
    const isSettled = ({ source, book }: Entry) => source.startsWith('dep_') && book === 'available';
    const at = entries.findIndex(isSettled);
    const { source = '', id = '' } = entries[at] ?? {};
    const ofSource = await newest(account, `&source=${source}`);
    await page.goto('/ledger');
    await expect(rowAt(page, at)).toBeVisible();
    await expectClean(page, 'the ledger', [375]);
    await rowAt(page, at).getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await expect(panelOf(page).getByText(id, { exact: true })).toBeVisible();
    await expect(panelOf(page).getByRole('link', { name: source })).toHaveAttribute('href', `/deposits/${source}`);
    await expectClean(page, 'an entry');

    // Filtered to that deposit, in the URL; Back undoes it, and a reload finds the entry again.
    await panelOf(page).getByRole('link', { name: 'All entries of this source' }).click();
    await expect(page).toHaveURL(`/ledger?source=${source}`);
    await expect(page.getByText(`End of list · ${ofSource.length} ledger entries`)).toBeVisible();
    await page.goBack();
    await page.reload();
    await expect(panelOf(page).getByText(id, { exact: true })).toBeVisible();

    await page.getByRole('link', { name: 'Close', exact: true }).click();
    await rowAt(page, at).getByRole('link', { name: /^dep_/ }).click();
    await expect(
      page.getByRole('region', { name: 'Deposit' }).getByText(source, { exact: true }).first(),
    ).toBeAttached();
  });

  test('the two legs of a swap are described as one swap @deep', async ({ page, account }) => {
    await account.swap({ from: 'USDT', from_amount: '500', to: 'BTC', to_amount: '0.01' });
    await page.goto('/ledger');
    const legs = tableOf(page).getByRole('row').filter({ hasText: 'Swap' });
    await expect(legs).toHaveCount(2);
    await expect(legs.filter({ hasText: '+0.01' })).toContainText('Swap from USDT');
    await legs.filter({ hasText: '−500' }).getByRole('link').click();
    await expect(panelOf(page)).toContainText('Swap: −500 USDT to +0.01 BTC, not on a chain');
  });

  test('filters are sent to the service under its names, and status is not a filter @deep', async ({
    page,
    account,
  }) => {
    const [entry] = await newest(account, '&asset=ETH');
    await page.goto('/ledger?status=completed&asset=ETH');
    await expect(rowAt(page, 0)).toContainText('ETH');
    await expect(page.getByRole('button', { name: 'Status' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Source any' }).click();
    await page.getByRole('textbox', { name: 'Source' }).fill(entry?.source ?? '');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`source=${entry?.source}`));
    await expect(rowAt(page, 0)).toBeVisible();
    const asked = (await account.requests()).filter(({ path, attempt }) => path === '/v1/ledger-entries' && attempt);
    expect(asked.every(({ status, query }) => status === 200 && query.includes('asset=ETH'))).toBe(true);
  });
});

test('amounts keep sign and digits, and unknown fields are shown unchanged @deep', async ({ page, account }) => {
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '0.000000000000000001' });
  const entry = {
    type: null,
    book: { name: 'reserve' },
    source: null,
    reference: 'wd_elsewhere',
    amount: '-12345.000000000000000001',
    '<b>note</b>': '\u202Eeton',
  };
  await account.fault({
    path: '/v1/ledger-entries',
    times: 99,
    patch: { data: { 0: { $set: { ...entry, id: 'le_x', asset: 'ETH', created_at: 'today' } } } },
  });
  await page.goto('/ledger');
  const row = rowAt(page, 0);
  await expect(row).toContainText('−12,345.000000000000000001 ETH');
  await expect(row).toContainText('not given');
  await expect(row).toContainText('today (not a time)');
  await expect(row.getByRole('link', { name: 'wd_elsewhere' })).toHaveAttribute('href', '/withdrawals/wd_elsewhere');
  await expect(rowAt(page, 1)).toContainText('−0.000000000000000001 ETH');
  await expect(rowAt(page, 2)).toContainText('+0.000000000000000001 ETH');
  await row.getByRole('link', { name: /^today/ }).click();
  await expect(panelOf(page).getByText('<b>note</b>', { exact: true })).toBeVisible();
  await expect(panelOf(page).getByText('⟨U+202E⟩eton', { exact: true })).toBeVisible();
  await expect(panelOf(page).getByText('{"name":"reserve"}', { exact: true })).toBeVisible();
});

test('the page says if the service has no ledger; a 404 from something else is an error @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/404|405/);
  const none = page.getByText('This provider offers no ledger (404 not_found');
  for (const fault of [{ status: 404, body: '<h1>404 Not Found</h1>' }, { status: 404, body: '{}' }, { status: 405 }]) {
    // No request of the previous page uses up the fault.
    await page.goto('about:blank');
    await account.fault({ path: '/v1/ledger-entries', ...fault });
    await page.goto('/ledger');
    await expect(page.getByRole('alert')).toContainText('Couldn’t load the ledger');
    await expect(none).toHaveCount(0);
  }
  await account.fault({ path: '/v1/ledger-entries', status: 404 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(none).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Deposits' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();
});

test('an account without entries gets a text that says so @deep', async ({ page }) => {
  await page.goto('/ledger');
  await expect(page.getByRole('heading', { name: 'No ledger entries yet' })).toBeVisible();
  await page.getByRole('link', { name: 'New deposit address' }).click();
  await expect(page).toHaveURL('/deposits/new-address');
});
