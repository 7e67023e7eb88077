import { expectClean } from '#e2e/support/axe.ts';
import { rowAt, tableOf } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 30, assets: 7 } });

test('axe finds nothing on Balances, on an asset, and on a page that doesn’t exist @deep', async ({ page }) => {
  for (const path of ['/balances', '/balances/ETH', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === '/balances') await expect(page.getByRole('rowheader', { name: 'ETH' })).toBeVisible();
    await expectClean(page, path);
  }
});

test('axe finds nothing on a list, and on a deposit beside it', async ({ page }) => {
  await page.goto('/deposits?status=completed');
  await expect(rowAt(page, 0)).toBeVisible();
  // The count appears once the end is loaded.
  await expect(tableOf(page)).toHaveAttribute('aria-rowcount', /^\d+$/);
  await expectClean(page, 'the list');
  await rowAt(page, 1).getByRole('link').first().click();
  // To the end of the panel: axe reports targets as too small if its buttons cover them.
  await page
    .getByRole('region', { name: 'Deposit' })
    .getByText('Raw JSON')
    .evaluate((end) => end.scrollIntoView());
  await expectClean(page, 'a deposit beside the list');
});

test('axe finds nothing on the sign-in page @deep', async ({ visitor: page }) => {
  await page.goto('/sign-in');
  await expect(page.getByLabel('API key')).toBeVisible();
  await expectClean(page, 'sign-in');
});
