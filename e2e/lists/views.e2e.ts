import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 60, assets: 5 } });

test('filters are saved by name for the team, have a link, and can be removed @deep', async ({ page, colleague }) => {
  await page.clock.install();
  await openDeposits(page, '?status=completed&asset=BTC');
  await expect(rowAt(page, 0)).toBeVisible();
  const views = (of = page) => of.getByRole('search').getByRole('button', { name: /^Views/ });
  await views().click();
  await expect(page.getByLabel('Save these filters as')).toBeFocused();
  await page.keyboard.type('BTC that is through');
  await page.keyboard.press('Enter');
  await expect(views()).toHaveText('Views BTC that is through');

  // In a colleague's browser too, where it leads to the same list.
  const other = await colleague('Ben');
  await openDeposits(other);
  await views(other).click();
  await other.getByRole('link', { name: 'BTC that is through' }).click();
  await expect(other).toHaveURL('/deposits?status=completed&asset=BTC');
  await views(other).click();
  await other.getByRole('button', { name: 'Remove view BTC that is through' }).click();
  await expect(views(other)).toHaveText('Views');
  await expect(other.getByLabel('Save these filters as')).toBeFocused();
  await page.clock.runFor(20_000);
  await expect(views()).toHaveText('Views');
});

test('the period of a saved view moves with the calendar @deep', async ({ page }) => {
  await page.clock.install();
  await openDeposits(page);
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Created / })
    .click();
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await expect(page).toHaveURL(/period=last-7-days/);
  const saved = page.url();
  const views = page.getByRole('search').getByRole('button', { name: /^Views/ });
  await views.click();
  await page.getByLabel('Save these filters as').fill('Week');
  await page.keyboard.press('Enter');
  await expect(views).toHaveText('Views Week');
  await page.clock.fastForward(3 * 86_400_000);
  await openDeposits(page);
  await views.click();
  await page.getByRole('link', { name: 'Week' }).click();
  await expect(page.getByRole('button', { name: /^Created Last 7 days/ })).toBeVisible();
  expect(page.url()).not.toBe(saved);
});

test('amounts are hidden on a shared screen, here and after a reload, until they are shown again @deep', async ({
  page,
}) => {
  await page.goto('/balances');
  const total = page.getByRole('main').getByText(/\d\.\d{6}/);
  await expect(total.first()).toBeVisible();
  await inAccountMenu(page, 'Hide amounts');
  await expect(total).toHaveCount(0);
  await expect(page.getByRole('img', { name: 'Amount hidden' }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('img', { name: 'Amount hidden' }).first()).toBeVisible();
  await openDeposits(page);
  // The height of a bar beside its axis reveals an amount, but a count reveals none.
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  const picture = page.getByRole('img', { name: /^Deposits per day/ });
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await expect(picture).toBeVisible();
  await page.getByRole('button', { name: 'Amount', exact: true }).click();
  await expect(picture).toHaveCount(0);
  await rowAt(page, 0).getByRole('link').first().click();
  await expect(page.getByText('Raw JSON is hidden, as amounts are.')).toBeVisible();
  await expect(page.getByRole('main').getByText(/\d\.\d{6}/)).toHaveCount(0);
  await inAccountMenu(page, 'Show amounts');
  await expect(page.getByText('Raw JSON', { exact: true })).toBeVisible();
});
