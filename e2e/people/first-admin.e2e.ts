import { expectSignedIn, test } from '#e2e/support/people.ts';
import { expect } from '#e2e/support/fixtures.ts';

test.use({ hasAdmin: false, ownTeamOf: 'first-admin' });

test('the first admin joins with the link from the console and is asked to choose approval rules', async ({
  device,
  team,
}) => {
  const ada = await device();
  const { page } = ada;
  await page.goto(await team.inviteAdmin());
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Create a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'You’re in' })).toBeFocused();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expectSignedIn(ada);
  await expect(page.getByText('Every payment needs 1 approval until an admin chooses')).toBeVisible();
});
