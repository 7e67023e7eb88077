import type { Page } from 'playwright/test';
import { formatAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import {
  allDeposits,
  type Deposit,
  idsOf,
  listReads,
  openDeposits,
  rowAt,
  scrollThrough,
  scrollToTop,
  tableOf,
} from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { openBookWith, STRANGER } from '#e2e/support/recipients.ts';
import { HELD } from '#e2e/support/sandbox.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { ETH } from '#e2e/support/withdrawing.ts';

test.use({ seed: { deposits: 120, assets: 5 } });

const filter = (page: Page, label: string) =>
  page.getByRole('search').getByRole('button', { name: new RegExp(`^${label} `) });

/** The list on screen is exactly these rows, to its end. */
async function expectList(page: Page, expected: readonly Deposit[]) {
  const firstLink = rowAt(page, 0).getByRole('link').first();
  await expect(async () => {
    await scrollToTop(page);
    await expect(firstLink).toHaveAttribute('href', new RegExp(`^/deposits/${expected[0]?.id}`), { timeout: 500 });
  }).toPass({ timeout: 15_000 });
  expect(await scrollThrough(page, expected.length)).toEqual(idsOf(expected));
  await expect(page.getByText(`End of list · ${expected.length} deposit`)).toBeAttached();
}

test('status: chosen, sent under its own name, removed again @deep', async ({ page, account }) => {
  const all = await allDeposits(account);
  await openDeposits(page);
  await filter(page, 'Status').click();
  await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'pending' }).click();
  await expect(page).toHaveURL('/deposits?status=pending');
  await expectList(
    page,
    all.filter(({ status }) => status === 'pending'),
  );
  await page.getByRole('button', { name: 'Clear status' }).click();
  await expect(page).toHaveURL('/deposits');
  await expect(filter(page, 'Status')).toHaveText('Status any');
  await expect(rowAt(page, 0).getByRole('link').first()).toHaveAttribute('href', `/deposits/${all[0]?.id}`);
});

test('an unknown status can be typed @deep', async ({ page, account }) => {
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.25', status: 'on_hold' });
  await openDeposits(page);
  await filter(page, 'Status').click();
  await page.getByRole('textbox', { name: 'Status' }).fill('on_hold');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?status=on_hold');
  await expect(page.getByText('End of list · 1 deposit')).toBeVisible();
  await expect(tableOf(page).getByText('on_hold')).toBeVisible();
  expect(await scrollThrough(page, 1)).toEqual([id]);
});

test('asset: typing highlights the first match, and only an explicit row accepts the text as typed @deep', async ({
  page,
  account,
}) => {
  const all = await allDeposits(account);
  await openDeposits(page);
  const choices = page.getByRole('group', { name: 'Filter by asset' });
  // Text typed before the filter's field is loaded ends up in it, and triggers no shortcuts.
  let arrive = () => {};
  const asked = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/assets\/WordChooser-.*\.js$/, (route) => asked.then(() => route.continue()));
  await filter(page, 'Asset').click();
  await page.keyboard.type('use');
  arrive();
  await expect(page.getByRole('textbox', { name: 'Asset' })).toHaveValue('use');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Asset' }).fill('usdt');
  await expect(choices.getByRole('button').last()).toHaveText('Use “usdt” exactly');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?asset=USDT');
  await expectList(
    page,
    all.filter(({ asset }) => asset === 'USDT'),
  );

  await filter(page, 'Asset').click();
  await page.getByRole('textbox', { name: 'Asset' }).fill('usdt');
  await choices.getByRole('button', { name: 'Use “usdt” exactly' }).click();
  await expect(page).toHaveURL('/deposits?asset=usdt');
  await page.getByRole('button', { name: /^Did you mean USDT \(\d+\)\?$/ }).click();
  await expect(page).toHaveURL('/deposits?asset=USDT');
  // A known value is not a typo, so there is no suggestion.
  await page.goto('/deposits?asset=BTC&chain=tron');
  await expect(page.getByRole('heading', { name: 'No deposits match' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Did you mean/ })).toHaveCount(0);
});

test('asset: the rows of one asset, and the filter stays on the way to a row and back @deep', async ({
  page,
  account,
}) => {
  const all = await allDeposits(account);
  await openDeposits(page);
  await filter(page, 'Asset').click();
  await page.getByRole('group', { name: 'Filter by asset' }).getByRole('button', { name: 'ETH' }).click();
  await expect(page).toHaveURL('/deposits?asset=ETH');
  await expectList(
    page,
    all.filter(({ asset }) => asset === 'ETH'),
  );
  await tableOf(page).getByRole('row').nth(3).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/deposits\/dep_\w+\?asset=ETH$/);
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await expect(page).toHaveURL('/deposits?asset=ETH');
  await page.getByRole('button', { name: 'Clear asset' }).click();
  await expect(page).toHaveURL('/deposits');
});

test('created: whole days, sent as created_after and created_before @deep', async ({ page, account }) => {
  const all = await allDeposits(account);
  const dayOf = (at: number) => new Date((all[at]?.created_at ?? 0) * 1000).toISOString().slice(0, 10);
  const [from, to] = [dayOf(80), dayOf(30)];
  const start = Date.parse(`${from}T00:00:00Z`) / 1000;
  const end = Date.parse(`${to}T00:00:00Z`) / 1000 + 86_400;
  await openDeposits(page);
  await filter(page, 'Created').click();
  await page.getByLabel('Created from').fill(from);
  await page.getByLabel('Created to').fill(to);
  await page.getByRole('button', { name: 'Apply days' }).click();
  await expect(page).toHaveURL(`/deposits?created_after=${start - 1}&created_before=${end}`);
  await expectList(
    page,
    all.filter(({ created_at }) => created_at >= start && created_at < end),
  );
  await page.getByRole('button', { name: 'Clear created' }).click();
  await expect(page).toHaveURL('/deposits');
});

test('order: oldest first and back, at the head of the column @deep', async ({ page, account }) => {
  const all = await allDeposits(account);
  await openDeposits(page);
  const head = page.getByRole('columnheader', { name: /^Created/ });
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await head.getByRole('button').click();
  await expect(page).toHaveURL('/deposits?order=asc');
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  expect(await scrollThrough(page, all.length)).toEqual(idsOf(all).toReversed());
  await expect(tableOf(page)).toHaveAttribute('aria-rowcount', String(all.length + 1));
  await head.getByRole('button').click();
  await expect(page).toHaveURL('/deposits');
});

test('last month’s sum of an asset in four clicks; chain and amount are applied to the loaded rows and never sent @deep', async ({
  page,
  account,
}) => {
  const now = new Date();
  const [from, to] = [-1, 0].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months) / 1000);
  const paid = async (amount: string, chain: string, status: string, created_at: number) =>
    account.deposit({ asset: 'USDT', chain, amount, status, created_at });
  await paid('1234.5', 'tron', 'completed', from ?? 0);
  await paid('0.000001', 'ethereum', 'completed', (to ?? 0) - 1);
  await paid('99', 'tron', 'failed', (to ?? 0) - 2);
  // In the seconds just outside the bounds, which a service may count as inside.
  await paid('7777', 'tron', 'completed', to ?? 0);
  await paid('7777', 'tron', 'completed', (from ?? 0) - 1);
  const all = await allDeposits(account);
  const month = all.filter(({ asset, created_at: at }) => asset === 'USDT' && at >= (from ?? 0) && at < (to ?? 0));
  const sumOf = (rows: readonly Deposit[]) =>
    formatAmount(sum(rows.filter(({ status }) => status === 'completed').map((row) => row.received_amount)), 'en');
  await openDeposits(page);
  await filter(page, 'Created').click();
  await page.getByRole('button', { name: 'Last month' }).click();
  await filter(page, 'Asset').click();
  await page.getByRole('group', { name: 'Filter by asset' }).getByRole('button', { name: 'USDT', exact: true }).click();
  const totals = page.getByRole('group', { name: 'Totals' });
  await expect(totals).toContainText(`${month.length} deposits`);
  await expect(totals).toContainText(`${sumOf(month)} USDT completed`);
  await expect(totals).toContainText('failed');
  await expect(filter(page, 'Created')).toContainText('Last month');

  await filter(page, 'Chain').click();
  await page.getByRole('textbox', { name: 'Chain' }).fill('TRO');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/[?&]chain=Tron/);
  await filter(page, 'Amount').click();
  await page.getByLabel('At least').fill('1,000');
  await page.keyboard.press('Enter');
  await expect(rowAt(page, 0)).toContainText('Tron');
  const some = month.filter(({ chain, received_amount: amount }) => chain === 'tron' && Number(amount) >= 1000);
  await expect(totals).toContainText(`${some.length} deposit`);
  await expect(totals).toContainText(`${sumOf(some)} USDT completed`);
  expect(await scrollThrough(page, some.length)).toEqual(idsOf(some));
  for (const { query } of await listReads(account)) {
    expect([...query.keys()].filter((name) => /chain|amount|period/.test(name))).toEqual([]);
  }
});

test('columns and row height are chosen in a menu and remembered @deep', async ({ page }) => {
  await openDeposits(page);
  const height = async () => (await rowAt(page, 0).boundingBox())?.height ?? 0;
  const before = await height();
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true });
  await expect(head('Reference or label')).toBeVisible();
  await expect(head('ID')).toHaveCount(0);
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: 'Compact' }).click();
  await page.getByLabel('Reference or label').uncheck();
  await page.getByLabel('ID', { exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Columns', exact: true })).toBeFocused();
  await page.reload();
  await expect(head('ID')).toBeVisible();
  await expect(head('Reference or label')).toHaveCount(0);
  await expect.poll(height).toBeLessThan(before);
});

test('Back undoes a choice, Forward and a reload keep it @deep', async ({ page, account }) => {
  const all = await allDeposits(account);
  const completed = all.filter(({ status, asset }) => status === 'completed' && asset === 'BTC');
  await openDeposits(page, '?asset=BTC');
  await filter(page, 'Status').click();
  await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'completed' }).click();
  await expect(page).toHaveURL('/deposits?asset=BTC&status=completed');
  await expectList(page, completed);
  await page.goBack();
  await expect(page).toHaveURL('/deposits?asset=BTC');
  await expect(filter(page, 'Status')).toHaveText('Status any');
  await page.goForward();
  await expectList(page, completed);
  await page.reload();
  await expect(page).toHaveURL('/deposits?asset=BTC&status=completed');
  await expectList(page, completed);
});

test('filters without a match say so and offer a way back @deep', async ({ page }) => {
  await page.goto('/deposits?status=no_such_status&asset=BTC');
  await expect(page.getByRole('heading', { name: 'No deposits match' })).toBeVisible();
  await expect(page.getByText('status no_such_status, asset BTC')).toBeVisible();
  await page.getByRole('button', { name: 'Clear status', exact: true }).last().click();
  await expect(page).toHaveURL('/deposits?asset=BTC');
  await expect(rowAt(page, 0)).toBeVisible();
});

test('invalid filters in the URL are reported, never sent, and break nothing @deep', async ({ page, account }) => {
  await openDeposits(
    page,
    '?order=sideways&created_after=yesterday&created_before=-5&status=&asset=BTC&asset=ETH&x=%00%FF',
  );
  const ignored = page.getByRole('status').filter({ hasText: 'Ignored in the link' });
  await expect(ignored).toContainText('created_after=yesterday');
  await expect(ignored).toContainText('order=sideways');
  await expect(filter(page, 'Asset')).toHaveText('Asset BTC');
  for (const { query } of await listReads(account)) {
    expect([...query.keys()].filter((name) => name !== 'limit')).toEqual(['asset']);
  }
});

test('a filter changed while the next page is read begins a new list, with the filter on every request @deep', async ({
  page,
  account,
}) => {
  const all = await allDeposits(account);
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  await account.fault({ path: '/v1/deposits', ...HELD });
  await rowAt(page, 15).evaluate((row) => row.scrollIntoView());
  await expect(page.getByText('Loading more…')).toBeAttached();
  // It has reached the service, too, so it counts as an earlier request.
  const isAsked = async () => (await listReads(account)).some(({ query }) => query.has('starting_after'));
  await expect.poll(isAsked).toBe(true);
  const before = (await listReads(account)).length;
  await filter(page, 'Status').click();
  await page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name: 'completed' }).click();
  const completed = all.filter(({ status }) => status === 'completed');
  expect(await scrollThrough(page, completed.length)).toEqual(idsOf(completed));
  const after = (await listReads(account)).slice(before);
  expect(after[0]?.query.has('starting_after')).toBe(false);
  expect(after.map(({ query }) => query.get('status'))).toEqual(after.map(() => 'completed'));
});

test('a late answer to an older filter is dropped @deep', async ({ page, account }) => {
  const eth = (await allDeposits(account)).filter(({ asset }) => asset === 'ETH');
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  await account.fault({ path: '/v1/deposits', ...HELD });
  await filter(page, 'Asset').click();
  await page.getByRole('group', { name: 'Filter by asset' }).getByRole('button', { name: 'BTC' }).click();
  await expect
    .poll(async () => (await listReads(account)).some(({ query }) => query.get('asset') === 'BTC'))
    .toBe(true);
  await filter(page, 'Asset').click();
  await page.getByRole('group', { name: 'Filter by asset' }).getByRole('button', { name: 'ETH' }).click();
  await expectList(page, eth);
  // When one more read has ended, the late response has arrived.
  await account.clearFaults();
  const reads = (await listReads(account)).length;
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(async () => (await listReads(account)).length).toBe(reads + 1);
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveAttribute('aria-busy', 'false');
  await expect(page).toHaveURL('/deposits?asset=ETH');
  await expectList(page, eth);
});

test('withdrawals to one recipient, chosen by name and in any spelling of the address @deep', async ({
  page,
  account,
}) => {
  const ours = { asset: 'ETH', chain: 'ethereum', address: ETH.address };
  for (const amount of ['0.1', '0.2']) await withdrawByApi(account, { ...ours, amount });
  await withdrawByApi(account, { ...ours, address: ETH.address.toLowerCase(), amount: '0.3' });
  await withdrawByApi(account, { ...ours, address: STRANGER, amount: '0.4' });
  await openBookWith(page, 'Acme Hosting');
  await page.goto('/withdrawals?asset=ETH');
  await filter(page, 'To').click();
  await expect(page.getByRole('button', { name: /^Acme Hosting/ })).toHaveText('Acme Hosting · Ethereum 0x5aAeb…eAed');
  await page.getByRole('textbox', { name: 'Recipient' }).fill('acme');
  await page.keyboard.press('Enter');
  await expect(filter(page, 'To')).toHaveText('To Acme Hosting');
  await expect(page).toHaveURL(new RegExp(`to=${ETH.address}`));
  const rows = page.getByRole('table', { name: 'Withdrawals' }).getByRole('row').filter({ hasText: 'Acme Hosting' });
  await expect(rows.filter({ hasText: /0\.[123]/ })).toHaveCount(3);
  await expect(page.getByRole('table', { name: 'Withdrawals' })).not.toContainText('0.4');
  const asked = (await account.requests()).map(({ query }) => query);
  expect(asked.filter((query) => query.includes(ETH.address))).toEqual([]);
  await page.getByRole('button', { name: 'Clear to' }).click();
  await expect(page.getByRole('table', { name: 'Withdrawals' })).toContainText('0.4');
});

test('the arrow keys move between the periods of Created @deep', async ({ page }) => {
  await openDeposits(page);
  await filter(page, 'Created').click();
  const periods = page.getByRole('group', { name: /^Period/ }).getByRole('button');
  await expect(periods.first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(periods.last()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(periods.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(periods.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/created_after=/);
});
