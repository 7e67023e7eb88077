import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { allDeposits, idsOf, openDeposits, PAGE, rowAt, rowOf, tableOf } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { createAccount } from '#e2e/support/sandbox.ts';

const panelOf = (page: Page) => page.getByRole('region', { name: 'Deposit' });
const next = (page: Page) => page.getByRole('button', { name: 'Next deposit' });
const previous = (page: Page) => page.getByRole('button', { name: 'Previous deposit' });

test.use({ seed: { deposits: 150, assets: 7 } });

test(
  'a pasted link to a deposit far down the list finds it by cursors alone',
  { tag: '@forwarded' },
  async ({ page, account }) => {
    const wanted = (await allDeposits(account)).at(-2);
    if (!wanted) throw new Error('The account has no deposits.');
    const before = (await account.requests()).length;
    await page.goto(`/deposits/${wanted.id}`);
    const panel = page.getByRole('region', { name: 'Deposit' });
    await expect(panel.getByText(wanted.id, { exact: true }).first()).toBeAttached();
    await expect(panel.getByText(wanted.chain).first()).toBeVisible();
    await expect(page).toHaveTitle(/^Deposit dep_/);
    // The keyboard focus doesn't start at the top of the page.
    await expect(panel.getByRole('heading', { name: 'Deposit' })).toBeFocused();
    const cursors = (await account.requests())
      .slice(before)
      .flatMap(({ query }) => new URLSearchParams(query).get('starting_after') ?? []);
    expect(cursors).toHaveLength(2);
    expect(cursors[0]).toBe(wanted.id);
  },
);

test('an id that is not in the list is not called absent', async ({ page, expectConsole }) => {
  expectConsole(/400/);
  const other = await createAccount({ deposits: 1, assets: 1 });
  for (const id of ['dep_doesNotExist000000000000', (await allDeposits(other))[0]?.id]) {
    await page.goto(`/deposits/${id}`);
    const panel = page.getByRole('region', { name: 'Deposit' });
    await expect(panel.getByRole('heading', { name: 'No deposit with this ID found' })).toBeVisible();
    await expect(
      panel.getByText(
        /^No deposit with exactly this ID in all .*It may not be listed yet or belong to another account\.$/,
      ),
    ).toBeVisible();
    await expect(panel.getByText(String(id))).toBeVisible();
    await expect(rowAt(page, 0)).toBeVisible();
  }
});

test('the age of a deposit is by the service’s clock @deep', async ({ page, account }) => {
  await account.advance(25 * 60 * 60);
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5' });
  await page.goto(`/deposits/${id}`);
  await expect(page.getByRole('region', { name: 'Deposit' })).toContainText('just now; ');
});

test('by keyboard alone: a filter, the end of the list, a row, and back to that row @deep', async ({
  page,
  account,
}) => {
  await openDeposits(page);
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Status / })
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Status' })).toBeFocused();
  await page.keyboard.type('completed');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?status=completed');
  await expect(page.getByRole('search').getByRole('button', { name: /^Status / })).toBeFocused();

  const first = rowAt(page, 0).getByRole('link').first();
  await expect(first).toBeVisible();
  for (let steps = 0; steps < 20; steps += 1) {
    if (await first.evaluate((link) => link === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(first).toBeFocused();
  await page.keyboard.press('End');
  await expect(rowAt(page, 45)).toBeAttached();
  await page.keyboard.press('Home');
  const second = rowAt(page, 1).getByRole('link').first();
  await expect(second).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(second).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Deposit' })).toBeFocused();
  const close = page.getByRole('link', { name: 'Close', exact: true });
  for (let steps = 0; steps < 5; steps += 1) {
    if (await close.evaluate((link) => link === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(close).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?status=completed');
  await expect(rowAt(page, 1).getByRole('link').first()).toBeFocused();

  // If opened by its URL, a row further down is in sight, and Escape leads to it.
  const { data } = await account.read<{ data: { id: string }[] }>('/v1/deposits?limit=40&status=completed');
  const id = data[39]?.id ?? '';
  await page.goto(`/deposits/${id}?status=completed`);
  const row = page.locator(`a[data-row-link][href^="/deposits/${id}"]`);
  await expect(row).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/deposits?status=completed');
  await expect(row).toBeFocused();
});

test('previous and next go through the list, past the rows read so far, and say why they end @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/503/);
  const all = await allDeposits(account);
  const at = (row: number) => String(all[row]?.id);
  // Low enough that only the first page is loaded.
  await page.setViewportSize({ width: 1440, height: 520 });
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  // The list's read ahead and Next's read: each is tried three times.
  await account.fault({ method: 'GET', path: '/v1/deposits', status: 503, times: 6 });
  await tableOf(page).evaluate((table) => table.parentElement?.scrollTo(0, table.scrollHeight));
  await expect(page.getByText('Couldn’t load more')).toBeVisible();
  await rowOf(page, at(PAGE - 2))
    .getByRole('link')
    .first()
    .click();
  await next(page).click();
  await expect(
    panelOf(page)
      .getByText(at(PAGE - 1), { exact: true })
      .first(),
  ).toBeAttached();
  await expect(next(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Couldn’t load the next rows.')).toBeVisible();
  await expect(
    panelOf(page)
      .getByText(at(PAGE - 1), { exact: true })
      .first(),
  ).toBeAttached();
  await page.keyboard.press('Enter');
  await expect(panelOf(page).getByText(at(PAGE), { exact: true }).first()).toBeAttached();
  await expect(rowOf(page, at(PAGE))).toBeInViewport({ ratio: 1 });
  await expect(next(page)).toBeFocused();

  await page.setViewportSize({ width: 375, height: 700 });
  await previous(page).click();
  await expect(
    panelOf(page)
      .getByText(at(PAGE - 1), { exact: true })
      .first(),
  ).toBeAttached();
  await expect(previous(page)).toBeFocused();
  // One step back leads to the list as it was before the first detail.
  await page.goBack();
  await expect(page).toHaveURL('/deposits');
  await expect(panelOf(page)).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.goto(`/deposits/${at(0)}`);
  await expect(previous(page)).toHaveAccessibleDescription('First in list.');
  await expect(previous(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(next(page)).not.toHaveAttribute('aria-disabled');
  await page.goto(`/deposits/${at(149)}`);
  await expect(panelOf(page).getByText(at(149), { exact: true }).first()).toBeAttached();
  for (const button of [previous(page), next(page)]) {
    await expect(button).toHaveAccessibleDescription('It is not among the rows loaded so far.');
  }
  const oldest = all.findLast(({ status }) => status === 'completed');
  await page.goto(`/deposits/${oldest?.id}?order=asc&status=completed`);
  await expect(previous(page)).toHaveAccessibleDescription('First in list.');
  await previous(page).press('Enter');
  await expect(panelOf(page).getByRole('status').filter({ hasText: 'First in list' })).toBeVisible();
});

test('an address is copied together with its memo, and the button says so @deep', async ({
  page,
  context,
  account,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [first] = idsOf(await allDeposits(account));
  const address = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh';
  const row = { chain: 'ripple', address, destination_tag: 4_711 };
  await account.fault({ method: 'GET', path: '/v1/deposits', patch: { data: { 0: row } }, times: 99 });
  await page.goto(`/deposits/${first}`);
  const panel = panelOf(page);
  await expect(panel).toContainText('Only together with destination_tag 4711');
  await panel.getByRole('button', { name: 'Copy address and destination_tag' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(`${address}\ndestination_tag: 4711`);
  // The actions of a payment are in one row.
  await page.setViewportSize({ width: 1440, height: 900 });
  const acts = panel.getByRole('link', { name: 'Case file' }).locator('xpath=..');
  await expect(acts.locator('> *')).toHaveText(['Reply', 'Copy link', 'Case file', 'Ledger']);
  await expect.poll(async () => (await acts.boundingBox())?.height).toBeLessThan(52);
});

test('a deposit’s hash and address link to an explorer of their chain if they are valid there @deep', async ({
  page,
  account,
}) => {
  const hash = `0x${'ab'.repeat(32)}`;
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const [first, second] = idsOf(await allDeposits(account));
  const rows = {
    0: { chain: 'ethereum', tx_hash: hash, address, status: 'completed' },
    1: { chain: 'ethereum', tx_hash: 'javascript:alert(1)', address: '<script>alert(1)</script>', status: 'on_hold' },
  };
  await account.fault({ method: 'GET', path: '/v1/deposits', patch: { data: rows }, times: 99 });
  await page.goto(`/deposits/${first}`);
  const panel = panelOf(page);
  const links = panel.locator('.facts').getByRole('link', { name: /^View .*on Etherscan$/ });
  await expect(links).toHaveCount(2);
  await expect(links.nth(0)).toHaveAttribute('href', `https://etherscan.io/address/${address}`);
  await expect(links.nth(1)).toHaveAttribute('href', `https://etherscan.io/tx/${hash}`);
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('rel', /noopener/);
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(panel.getByText('Credited to your available balance.', { exact: true })).toBeVisible();
  await expectClean(page, 'a deposit beside its list');

  await next(page).click();
  await expect(panel.getByText(String(second), { exact: true }).first()).toBeAttached();
  await expect(panel.getByText('<script>alert(1)</script>', { exact: true })).toBeVisible();
  await expect(panel.getByText('This status isn’t documented. Ask the provider.').first()).toBeVisible();
  await expect(links).toHaveCount(0);
  await panel.getByRole('link', { name: 'Ledger', exact: true }).click();
  await expect(page).toHaveURL(`/ledger?source=${second}`);
  // Only the display is shortened.
  await expect(page.getByRole('link', { name: String(second) }).first()).toBeVisible();
  await page.goBack();
  await panel.getByText('IDs and request').click();
  await panel.getByRole('link', { name: 'API log of this deposit' }).click();
  await expect(page).toHaveURL(`/api-log?text=${second}`);
  await expect(page.getByRole('row', { name: /GET \/v1\/deposits\?/ }).first()).toBeVisible();
});
