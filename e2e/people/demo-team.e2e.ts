import { expectClean } from '#e2e/support/axe.ts';
import { signInAs, test } from '#e2e/support/demoTeam.ts';
import { expect } from '#e2e/support/fixtures.ts';

test.describe.configure({ mode: 'default' });

test('the sign-in page offers four people, and each can do what their role allows @deep', async ({
  visitor,
  person,
}) => {
  await visitor.goto('/');
  const team = visitor.getByRole('region', { name: 'Demo team' });
  await expect(team.getByRole('button')).toHaveText(['Ada, operator', 'Bo, approver', 'Cy, admin', 'Di, viewer']);
  await expectClean(visitor, 'sign-in of the demo team');

  for (const [who, send] of [
    ['Ada', true],
    ['Bo', false],
    ['Di', false],
  ] as const) {
    const page = await person(who);
    await page.goto('/recipients');
    const add = page.getByRole('button', { name: 'New recipient' });
    if (send) await expect(add).toBeEnabled();
    else await expect(add).toHaveAccessibleDescription(/Only an operator/);
    await page.goto('/people');
    const invite = page.getByRole('button', { name: 'Invite', exact: true });
    await expect(invite).toHaveAccessibleDescription('Only an admin can manage people.');
    await page.goto('/withdrawals/new');
    if (send) await expect(page.getByLabel('Amount')).toBeVisible();
    else await expect(page.getByText('Ask Ada.')).toBeVisible();
  }
});

test('the demo’s admin invites a person without a passkey, which is in the activity @deep', async ({ visitor }) => {
  await signInAs(visitor, 'Cy');
  await visitor.goto('/people');
  await visitor.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = visitor.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Eve');
  await dialog.getByRole('button', { name: 'Create invite link' }).click();
  await expect(dialog.getByLabel('Invite link')).toHaveValue(/\/join#/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await visitor.getByRole('button', { name: 'Manage Di' }).click();
  await visitor.getByRole('button', { name: 'Change roles' }).click();
  await visitor.getByRole('dialog').getByLabel('Approver').check();
  await visitor.getByRole('button', { name: 'Save roles' }).click();
  const row = visitor.getByRole('row').filter({ hasText: 'Di' });
  await expect(row).toContainText('Approver');
  await expect(row).toContainText('Active');
  await visitor.goto('/activity');
  await expect(visitor.getByRole('row').filter({ hasText: 'Invited Eve as viewer' })).toContainText('Cy');
});
