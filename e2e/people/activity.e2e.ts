import { expectClean } from '#e2e/support/axe.ts';
import { expect } from '#e2e/support/fixtures.ts';
import { addColleague, test, uniqueName } from '#e2e/support/people.ts';

test.describe.configure({ mode: 'default' });

test('an admin sees everyone’s actions, a viewer only their own @deep', async ({ admin, device }) => {
  const name = uniqueName('Bo');
  const bo = await addColleague(admin, device, name);
  const { page } = admin;
  await page.goto('/');
  await page.getByRole('link', { name: 'Activity' }).click();
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row');
  await expect(rows.filter({ hasText: `Invited ${name} as viewer` })).toContainText('Ada');
  await expect(rows.filter({ hasText: `Confirmed the code of ${name}` })).toContainText('Ada');
  // Proven by a passkey.
  await expect(page.getByText('not verified')).toHaveCount(0);
  await expectClean(page, 'activity');

  await rows.filter({ hasText: 'Used the invite' }).first().getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/activity?${new URLSearchParams({ who: name })}`);
  await expect(rows.filter({ hasText: 'Ada' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'Used the invite' })).toHaveCount(1);

  await bo.page.goto('/activity');
  await expect(bo.page.getByText('What you did. Approvers and admins see everybody’s.')).toBeVisible();
  await expect(bo.page.getByRole('row').filter({ hasText: 'Signed in' })).toHaveCount(1);
  await expect(bo.page.getByRole('row').filter({ hasText: 'Ada' })).toHaveCount(0);
});
