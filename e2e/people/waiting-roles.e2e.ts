import { expectClean } from '#e2e/support/axe.ts';
import { expect } from '#e2e/support/fixtures.ts';
import {
  addColleague,
  expectSignedIn,
  invite,
  joinBy,
  rowOf,
  signIn,
  test,
  typeCode,
  uniqueName,
} from '#e2e/support/people.ts';

test.describe.configure({ mode: 'default' });
// Needs its own people: what an admin can do alone depends on whether there is another admin.
test.use({ ownTeamOf: 'waiting-roles' });

test('an approver role given by one admin counts after 72 hours, unless another person refuses it @deep', async ({
  admin,
  device,
}) => {
  const name = uniqueName('Bo');
  await typeCode(admin, name, await joinBy(await device(), await invite(admin, name, ['Approver'])));
  await expect(rowOf(admin, name)).toContainText(/Approver: counts from .* unless somebody refuses it/);
  await admin.page.goto('/');
  await expect(admin.page.getByText(`${name} is to become an approver.`)).toBeVisible();
  await admin.page.getByRole('link', { name: 'People', exact: true }).last().click();
  await expect(admin.page.getByRole('button', { name: `Confirm ${name} as approver` })).toHaveAccessibleDescription(
    'You gave this role, so another admin has to confirm it.',
  );
  await admin.page.getByRole('button', { name: `Refuse ${name} as approver` }).click();
  await expect(admin.page.getByRole('region', { name: 'Waiting roles' })).toHaveCount(0);
  await expect(rowOf(admin, name)).not.toContainText('Approver');
});

test('a second admin confirms an approver with their passkey @deep', async ({ admin, device }) => {
  const cy = await addColleague(admin, device, uniqueName('Cy'), ['Admin']);
  const name = uniqueName('Bo');
  const bo = await device();
  await typeCode(admin, name, await joinBy(bo, await invite(admin, name, ['Approver'])));
  await expect(rowOf(admin, name)).toContainText('Approver: waits for another admin');
  await signIn(bo);
  await expectSignedIn(bo);
  await bo.page.goto('/account');
  await expect(bo.page.getByText('Approver: waits for another admin')).toBeVisible();

  await cy.page.goto('/people');
  await expectClean(cy.page, 'people, waiting role');
  await cy.page.getByRole('button', { name: `Confirm ${name} as approver` }).click();
  await expect(cy.page.getByRole('region', { name: 'Waiting roles' })).toHaveCount(0);
  await expect(rowOf(cy, name)).toContainText('Approver');
  await expect(rowOf(cy, name)).not.toContainText('waits for another admin');
});
