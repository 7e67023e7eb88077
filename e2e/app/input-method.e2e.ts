import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 5, assets: 3 } });

/** A key press while composing: as Chromium and Firefox report it, and as Safari reports the last one. */
async function pressComposing(page: Page, key: string): Promise<void> {
  for (const told of [{ isComposing: true }, { keyCode: 229 }])
    await page.locator(':focus').dispatchEvent('keydown', { key, ...told });
}

test('the keys of an input method open, choose and close nothing @deep', async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('button', { name: 'Search payments, addresses, hashes' })).toBeVisible();

  await page.keyboard.press('/');
  const find = page.getByRole('combobox', { name: 'Search payments, addresses, hashes' });
  const options = page.getByRole('dialog', { name: 'Search' }).getByRole('option');
  await find.fill('new');
  await expect(options.nth(1)).toBeVisible();
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await pressComposing(page, 'ArrowDown');
  await pressComposing(page, 'Enter');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL('/balances');
  await find.fill('deposits');
  await expect(options.first()).toContainText('Deposits');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits');

  await page
    .getByRole('search')
    .getByRole('button', { name: /^Asset/ })
    .click();
  const asset = page.getByRole('textbox', { name: 'Asset' });
  await asset.fill('b');
  await pressComposing(page, 'Escape');
  await pressComposing(page, 'ArrowDown');
  await expect(asset).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits?asset=BTC');

  await page.goto('/withdrawals/new');
  const chain = page.getByRole('combobox', { name: 'Chain' });
  await chain.fill('bit');
  await expect(page.getByRole('option').first()).toBeVisible();
  await pressComposing(page, 'Enter');
  await expect(chain).toHaveValue('bit');
  await pressComposing(page, 'Escape');
  await expect(page.getByRole('option').first()).toBeVisible();
  const address = page.getByLabel('Destination address', { exact: true });
  await address.focus();
  await pressComposing(page, 'Enter');
  await expect(page.getByText('Enter an address.')).toHaveCount(0);
});
