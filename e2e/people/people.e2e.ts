import { expectClean } from '#e2e/support/axe.ts';
import { expect } from '#e2e/support/fixtures.ts';
import {
  addColleague,
  expectSignedIn,
  openUntilSignedOut,
  rowOf,
  signIn,
  test,
  uniqueName,
} from '#e2e/support/people.ts';

test.describe.configure({ mode: 'default' });

test('roles change at once, and a block ends all access until roles are given again', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await addColleague(admin, device, name);
  await bo.page.goto('/recipients');
  await expect(bo.page.getByRole('button', { name: 'New recipient' })).toHaveAccessibleDescription(/Only an operator/);

  await admin.page.goto('/people');
  await admin.page.getByRole('button', { name: `Manage ${name}` }).click();
  await expectClean(admin.page, 'person');
  await admin.page.getByRole('button', { name: 'Change roles' }).click();
  await admin.page.getByRole('dialog').getByLabel('Operator').check();
  await admin.page.getByRole('button', { name: 'Save roles' }).click();
  await expect(rowOf(admin, name)).toContainText('Operator');
  // For reads the server caches a session for some seconds.
  const add = bo.page.getByRole('button', { name: 'New recipient' });
  await expect(async () => {
    await bo.page.reload();
    await expect(add).toBeEnabled({ timeout: 1_000 });
  }).toPass();

  await admin.page.getByRole('button', { name: 'Block…' }).click();
  await admin.page.getByRole('button', { name: `Block ${name}` }).click();
  await expect(rowOf(admin, name)).toContainText('Blocked');
  await expect(rowOf(admin, name)).toContainText('None');
  bo.expectConsole(/401|403/);
  await openUntilSignedOut(bo);
  await bo.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(bo.page.getByRole('alert')).toContainText('no permission here any more');

  await admin.page.getByRole('button', { name: 'Give roles again' }).click();
  await admin.page.getByRole('button', { name: 'Save roles' }).click();
  await expect(rowOf(admin, name)).toContainText('Active');
  await signIn(bo);
  await expectSignedIn(bo);
});

test('cancelling the passkey changes nothing @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  await addColleague(admin, device, name);
  const { page, passkeys } = admin;
  await page.goto('/people');
  await page.getByRole('button', { name: `Manage ${name}` }).click();
  await page.getByRole('button', { name: 'Change roles' }).click();
  await page.getByRole('dialog').getByLabel('Admin').check();
  await passkeys.setVerified(false);
  await page.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText('Cancelled. Nothing was changed.')).toBeVisible();
  await expect(rowOf(admin, name)).toContainText('Viewer');
});

test('an admin can’t change their own access @deep', async ({ admin: { page } }) => {
  await page.goto('/people');
  await page.getByRole('button', { name: 'Manage Ada' }).click();
  await expect(page.getByText('Nobody changes their own access')).toBeVisible();
  await expect(page.getByRole('button', { name: /Block|Change roles/ })).toHaveCount(0);
  await page.getByRole('dialog').getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeFocused();
});

test('Sign out everywhere ends a colleague’s sessions @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await addColleague(admin, device, name);
  await admin.page.goto('/people');
  await admin.page.getByRole('button', { name: `Manage ${name}` }).click();
  await admin.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(admin.page.getByRole('dialog').getByText(/^None is open on this account/)).toBeVisible();
  bo.expectConsole(/401/);
  await openUntilSignedOut(bo);
  await signIn(bo);
  await expectSignedIn(bo);
});

test('a second passkey is added with the first, and then replaces it @deep', async ({ admin, device }) => {
  const bo = await addColleague(admin, device, uniqueName('Bo'));
  const { page, passkeys } = bo;
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  const rows = page.getByRole('table', { name: 'Passkeys' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Remove' })).toHaveAccessibleDescription(/Your only passkey/);
  await expectClean(page, 'own account');

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('This device already has a passkey for you');
  const key = await bo.plugIn();
  await passkeys.setPresent(false);
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByText('confirm with a passkey that you already had')).toBeVisible();
  await key.setPresent(false);
  await passkeys.setPresent(true);
  await page.getByRole('button', { name: 'Confirm with my old passkey' }).click();
  await expect(rows).toHaveCount(3);

  await rows.nth(1).getByRole('button', { name: 'Remove' }).click();
  await expect(rows).toHaveCount(2);
  await passkeys.setPresent(false);
  await key.setPresent(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(bo);
  await expectSignedIn(bo);
});
