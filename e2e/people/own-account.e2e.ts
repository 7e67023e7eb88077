import { expectClean } from '#e2e/support/axe.ts';
import { expect, test as keyMode } from '#e2e/support/fixtures.ts';
import { signIn, test } from '#e2e/support/people.ts';

test('a second passkey is added with the first, and then replaces it', async ({ admin }) => {
  const { page, passkeys } = admin;
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  const rows = page.getByRole('table', { name: 'Passkeys' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveAccessibleDescription(/Your only passkey/);
  await expectClean(page, 'own account');

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This device already has a passkey for you');
  const key = await admin.plugIn();
  await passkeys.setPresent(false);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByText('confirm with a passkey that you already had')).toBeVisible();
  await passkeys.setPresent(true);
  await page.getByRole('button', { name: 'Confirm with my old passkey' }).click();
  await expect(rows).toHaveCount(3);

  await rows.nth(1).getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(2);
  await passkeys.setPresent(false);
  await key.setPresent(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(admin);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
});

keyMode('with an API key there are no people and no Team', async ({ page }) => {
  await page.goto('/people');
  await expect(page.getByRole('heading', { name: 'We can’t find this page' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Team')).toHaveCount(0);
});
