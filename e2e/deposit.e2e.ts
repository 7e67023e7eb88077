import { allDeposits, openDeposits, rowAt } from './depositList.ts';
import { expect, test } from './fixtures.ts';
import { createAccount } from './sandbox.ts';

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
    await expect(panel.getByText(wanted.id, { exact: true })).toBeVisible();
    await expect(panel.getByText(wanted.chain, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(/^Deposit dep_/);
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
    await expect(panel.getByRole('heading', { name: 'Not found in the list' })).toBeVisible();
    await expect(panel.getByText('no proof that it does not exist')).toBeVisible();
    await expect(panel.getByText(String(id))).toBeVisible();
    await expect(rowAt(page, 0)).toBeVisible();
  }
});

test('the age of a deposit is told by the service’s clock', async ({ page, account }) => {
  await account.advance(25 * 60 * 60);
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5' });
  await page.goto(`/deposits/${id}`);
  await expect(page.getByRole('region', { name: 'Deposit' })).toContainText('just now; ');
});

test('by keyboard alone: a filter, the end of the list, a row, and back to that row', async ({ page }) => {
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
  const close = page.getByRole('link', { name: 'Close' });
  for (let steps = 0; steps < 5; steps += 1) {
    if (await close.evaluate((link) => link === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(close).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?status=completed');
  await expect(rowAt(page, 1).getByRole('link').first()).toBeFocused();
});
