import { chooseApprovals, payment, saveRules, submit } from '#e2e/support/approving.ts';
import { addColleague, type Device, rowOf, test } from '#e2e/support/people.ts';
import { expect, expectAccepted, postsOf, stateOf } from '#e2e/support/withdrawing.ts';

// Ada prepares; Bo, Cy and Di approve.

test.use({ ownTeamOf: 'two-approvers' });

async function block(admin: Device, name: string) {
  const { page } = admin;
  await page.goto('/people');
  await page.getByRole('button', { name: `Manage ${name}` }).click();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('button', { name: `Block ${name}` }).click();
  await expect(rowOf(admin, name)).toContainText('Blocked');
}

test('a payment is sent only with the approvals that the rules require at that moment @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(240_000);
  const account = team.accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  const bo = await addColleague(admin, device, 'Bo', ['Approver']);
  const cy = await addColleague(admin, device, 'Cy', ['Approver']);
  const di = await addColleague(admin, device, 'Di', ['Approver']);
  const approve = async ({ page }: Device, path: string, name: string) => {
    await page.goto(path);
    await page.getByRole('button', { name, exact: true }).click();
  };

  // The rules become stricter after the payment was prepared.
  await chooseApprovals(admin.page, '1 approval');
  await saveRules(admin.page);
  await expect(admin.page.getByRole('region', { name: 'In force' })).toContainText('needs 1 approval');
  const raised = await submit(admin.page, payment('0.0241'));
  await chooseApprovals(admin.page, '2 approvals');
  await saveRules(admin.page);
  await expect(admin.page.getByRole('region', { name: 'In force' })).toContainText('needs 2 approvals');
  await approve(bo, raised, 'Approve and send');
  await expect(bo.page.getByText(/^Approved, but not sent\. ?It needs 2 approvals now: /)).toBeVisible();
  expect(await postsOf(account)).toHaveLength(0);
  await approve(cy, raised, 'Approve and send');
  await expectAccepted(cy.page);

  // Two approve, one after the other.
  const both = await submit(admin.page, payment('0.0242'));
  await approve(bo, both, 'Approve (1 of 2)');
  await expect(stateOf(bo.page)).toContainText('Waiting for approval');
  expect(await postsOf(account)).toHaveLength(1);
  await approve(cy, both, 'Approve and send');
  await expectAccepted(cy.page);
  expect(await postsOf(account)).toHaveLength(2);

  // One of them is blocked before it is sent.
  const lost = await submit(admin.page, payment('0.0243'));
  await approve(bo, lost, 'Approve (1 of 2)');
  await expect(stateOf(bo.page)).toContainText('Waiting for approval');
  // This page loses its session.
  await bo.page.close();
  await block(admin, 'Bo');
  await approve(cy, lost, 'Approve (1 of 2)');
  await expect(stateOf(cy.page)).toContainText('Waiting for approval');
  await admin.page.goto(lost);
  await expect(admin.page.getByText('Can approve it')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(2);
  await approve(di, lost, 'Approve and send');
  await expectAccepted(di.page);
  expect(await postsOf(account)).toHaveLength(3);
});
