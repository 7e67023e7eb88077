import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { BTC, expect, expectAccepted, test } from '#e2e/support/withdrawing.ts';

async function create(page: Page, account: Account, patch: Record<string, unknown>) {
  await account.fault({ method: 'POST', path: '/v1/deposits', patch });
  await page.goto('/deposits/new-address');
  await page.getByLabel('Asset', { exact: true }).fill('BTC');
  await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
  await page.getByRole('button', { name: 'Create deposit address' }).click();
  await expectAccepted(page);
}

test('an address created here stays listed with its tag and its label, for colleagues, too @deep', async ({
  page,
  account,
  colleague,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/addresses');
  await expect(page.getByText('No deposit addresses yet.')).toBeVisible();
  await create(page, account, { address: BTC.address, memo: '1042' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Addresses' }).click();
  const row = page.getByRole('table', { name: 'Deposit addresses' }).locator('tbody tr');
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: /with its memo$/ }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${BTC.address}\nmemo: 1042`);
  await expectClean(page, 'the addresses');
  await row.getByRole('button', { name: 'BTC on Bitcoin' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('img', { name: `QR code of ${BTC.address}` })).toBeVisible();
  await dialog.getByLabel('Label or customer').fill(' Order 7 <b>');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Order 7 <b>' })).toBeVisible();
  await expectClean(page, 'an address');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(row.getByRole('button', { name: 'Order 7 <b>' })).toBeFocused();

  const ben = await colleague('Ben');
  await ben.goto('/addresses');
  await ben.getByRole('searchbox').fill('order 7');
  await expect(ben.getByRole('button', { name: 'Order 7 <b>' })).toBeVisible();
  await ben.getByRole('searchbox').fill('nobody');
  await expect(ben.getByText('0 found in 1')).toBeVisible();
});

test('the page of an address lists and adds up the deposits to it, per asset @deep', async ({ page, account }) => {
  await create(page, account, { address: BTC.address });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '4' });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.25' });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5' });
  // This sandbox's deposits have no address; other providers' do.
  const data = { 0: { address: BTC.address }, 1: { deposit_address: BTC.address.toUpperCase() }, 2: { address: 'x' } };
  await account.fault({ method: 'GET', path: '/v1/deposits', times: 99, patch: { data } });
  await page.goto('/addresses');
  await page.getByRole('button', { name: 'BTC on Bitcoin' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Deposits to this address' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'BTC on Bitcoin' })).toBeVisible();
  const sums = page.getByRole('table', { name: 'Exact sums per asset and status' }).locator('tbody tr');
  await expect(sums).toHaveText([/^BTCcompleted20\.750*$/]);
  await expect(page.getByText('all deposits to this address')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Deposits' }).locator('tbody tr')).toHaveCount(2);
  await expect(page.getByText('2 deposits', { exact: true })).toBeVisible();
  await expectClean(page, 'the page of an address', [375]);

  // One of them has no address, so it may have come to this one.
  await account.clearFaults();
  await account.fault({ method: 'GET', path: '/v1/deposits', times: 99, patch: { data: { ...data, 2: {} } } });
  await page.reload();
  await expect(page.getByText('at least: 1 deposit names no address')).toBeVisible();
  await expect(page.getByText('At least 2 deposits', { exact: true })).toBeVisible();
  await page.goto('/addresses/nowhere');
  await expect(page.getByRole('heading', { name: 'No deposit address at this link' })).toBeVisible();
});

test('if deposits have no address, the page of an address says so @deep', async ({ page, account }) => {
  await create(page, account, { address: BTC.address });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '4' });
  await page.goto('/addresses');
  await page.getByRole('button', { name: 'BTC on Bitcoin' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Deposits to this address' }).click();
  await expect(page.getByText('This provider doesn’t say which address a deposit came to')).toBeVisible();
  await page.getByRole('link', { name: 'BTC deposits' }).click();
  await expect(page).toHaveURL('/deposits?asset=BTC');
});

test('without a known address, its page says that its deposits can’t be listed @deep', async ({ page, account }) => {
  await create(page, account, { address: null });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '4' });
  await page.goto('/addresses');
  await page.getByRole('button', { name: 'BTC on Bitcoin' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Deposits to this address' }).click();
  await expect(page.getByRole('heading', { name: 'We don’t know this address' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'BTC deposits' })).toBeVisible();
});

test('a session that may only read sees them @deep', { tag: '@read-only' }, async ({ page }) => {
  await page.goto('/addresses');
  await expect(page.getByText('No deposit addresses yet.')).toBeVisible();
  for (const button of await page.getByRole('button', { name: 'New deposit address' }).all())
    await expect(button).toHaveAccessibleDescription('This dashboard is read-only.');
  await expect(page.getByRole('link', { name: 'New deposit address' })).toHaveCount(0);
});
