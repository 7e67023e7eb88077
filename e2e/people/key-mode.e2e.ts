import { expect, test } from '#e2e/support/fixtures.ts';

test('with an API key there are no people', async ({ page }) => {
  await page.goto('/people');
  await expect(page.getByRole('heading', { name: 'We can’t find this page' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Activity' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0);
});
