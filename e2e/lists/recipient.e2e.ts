import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import { watchShifts } from '#e2e/support/shifts.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC, ETH, expect, sendNew, test } from '#e2e/support/withdrawing.ts';

const DAY = 86_400;

/** Sets the account's clock to noon on a fixed day of next year. */
async function goTo(account: Account, month: number, day: number) {
  const now = Date.now() / 1000;
  const target = Date.UTC(new Date().getUTCFullYear() + 1, month - 1, day, 12) / 1000;
  await account.advance(target - now);
  return (later: number) => account.advance(later * DAY);
}

async function pay(account: Account, of = BTC, status = 'completed') {
  const id = await withdrawByApi(account, of);
  await account.withdrawal(id, { status });
  return id;
}

function paid(page: Page, asset: string) {
  return page.getByRole('table', { name: 'Paid' }).getByRole('row', { name: new RegExp(`^${asset} `) });
}

function payments(page: Page) {
  return page.getByRole('table', { name: 'Payments' }).locator('tbody tr');
}

test('the amount paid to a recipient this year, over all its addresses, is two clicks from Home @deep', async ({
  page,
  account,
  colleague,
}) => {
  const pass = await goTo(account, 5, 10);
  await pay(account, { ...BTC, amount: '0.10000001' });
  await pay(account, { ...BTC, amount: '7' }, 'failed');
  await pass(30);
  await pay(account, { ...BTC, amount: '0.2' });
  await pay(account, ETH, 'broadcasted');
  await pay(account, { ...BTC, address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' });
  const mira = await colleague('Mira');
  await openBookWith(mira, 'Acme');
  await addByHand(mira, ' ACME', BTC.chain, BTC.address);
  await expect(entries(mira)).toHaveCount(2);
  await mira.goto('/withdrawals/new');
  await mira.getByLabel('Reference').fill('Invoice 7');
  await sendNew(mira, { ...ETH, amount: '2' });

  await page.goto('/');
  await page.getByRole('link', { name: 'Recipients' }).click();
  await page.getByRole('link', { name: 'ACME', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'ACME' })).toBeVisible();
  await expect(paid(page, 'BTC')).toContainText(/^BTCnone0\.21 payment0\.300000012 payments$/);
  await expect(paid(page, 'ETH')).toContainText(/^ETH3\.52 paymentsnonenone$/);
  await expect(page.getByText('at least')).toHaveCount(0);
  const addresses = page.getByRole('region', { name: 'Addresses' });
  await expect(addresses.getByRole('listitem')).toContainText([/Bitcoin.*Saved by Mira/, /Ethereum.*Saved by Mira/]);
  await expect(payments(page)).toHaveCount(5);
  await expect(payments(page).first()).toContainText(/Invoice 7.*Mira/);
  await expectClean(page, 'a recipient', [375]);
});

test('the months are a slider that announces each month, for one asset at a time @deep', async ({ page, account }) => {
  const pass = await goTo(account, 3, 10);
  await pay(account, { ...BTC, amount: '0.5' });
  await pass(61);
  await pay(account);
  await openBookWith(page, 'Acme');
  await addByHand(page, 'Acme', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Acme', exact: true }).last().click();
  const months = page.getByRole('slider', {
    name: /^BTC paid per month, Jun \d+ to May \d+, most in Mar \d+: 0\.50*$/,
  });
  await months.focus();
  await expect(months).toHaveAttribute('aria-valuetext', /^May \d+: 0\.250*$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(months).toHaveAttribute('aria-valuetext', /^Mar \d+: 0\.50*$/);
  await expect(page.getByText(/^Mar \d+: 0\.50*$/)).toBeVisible();
});

test('sums are “at least” for a period that could not be loaded to its start @deep', async ({ page, account }) => {
  const pass = await goTo(account, 5, 10);
  await pay(account, { ...BTC, amount: '0.5' });
  await pass(30);
  await pay(account);
  // The list has a second page, which fails because the sandbox doesn't know the cursor.
  await account.fault({ path: '/v1/withdrawals', times: 999, patch: { has_more: true, next_cursor: 'more' } });
  await openBookWith(page, 'Acme');
  await addByHand(page, 'Acme', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(2);
  await page.getByRole('link', { name: 'Acme', exact: true }).last().click();
  await expect(paid(page, 'BTC')).toContainText(/^BTC\s*0\.25.*1 payment.*at least 0\.75/);
  await expect(page.getByText('At least 2 payments', { exact: true })).toBeVisible();
});

test('the page of a removed recipient says so @deep', async ({ page }) => {
  await openBookWith(page, 'Acme');
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await expect(page.getByText('Nothing in the last 12 months.')).toBeVisible();
  const link = page.url();
  await page.goto('/recipients');
  await page.getByRole('button', { name: 'Remove Acme' }).click();
  await expect(page.getByText('Removed “Acme”.')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'No recipient at this link' })).toBeVisible();
  await page.getByRole('link', { name: 'All recipients' }).click();
  await expect(page).toHaveURL('/recipients');
});

test('where the provider lists no withdrawals, a recipient still has its addresses @deep', async ({
  page,
  account,
}) => {
  await account.fault({ path: '/v1/withdrawals', times: 99, status: 404 });
  await openBookWith(page, 'Acme');
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await expect(page.getByText('This provider doesn’t list withdrawals, so they can’t be added up.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Addresses' })).toContainText('Ethereum');
  await expect(page.getByText('Couldn’t load')).toHaveCount(0);
});

test('a recipient opens from a payment to it, and from Find @deep', async ({ page, account }) => {
  const id = await pay(account, ETH);
  await openBookWith(page, 'Acme');
  await page.goto(`/withdrawals/${id}`);
  await page.getByRole('region', { name: 'Withdrawal' }).getByRole('link', { name: 'Acme' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Acme' })).toBeVisible();
  await page.goto('/');
  await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).filter({ visible: true }).click();
  await page.getByRole('combobox', { name: 'Search payments, addresses, hashes' }).fill('Acme');
  await page.getByRole('option', { name: /^Acme.*Ethereum/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Acme' })).toBeVisible();
});

test('names of recipients appear in the list of withdrawals without moving anything @deep', async ({
  page,
  account,
}) => {
  await pay(account, ETH);
  await pay(account);
  await openBookWith(page, 'Acme Hosting and Colocation Ltd');
  const shifted = await watchShifts(page);
  await page.goto('/withdrawals');
  const rows = page.getByRole('table', { name: 'Withdrawals' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Acme Hosting' })).toHaveCount(1);
  expect(await shifted()).toBeLessThan(0.0002);
});
