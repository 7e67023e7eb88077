import { approveButton, chooseApprovals, saveRules, submit } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { addColleague, type Device, rowOf, test, uniqueName } from '#e2e/support/people.ts';
import { BTC, expect, expectAccepted, openReview, OPERATION, sendButton, stateOf } from '#e2e/support/withdrawing.ts';

test.describe.configure({ mode: 'serial' });
// Needs its own people: these tests depend on who can approve, and other files add approvers.
test.use({ paysAlone: false, ownTeamOf: 'policy' });

const inForce = ({ page }: Device) => page.getByRole('region', { name: 'In force' });
const waiting = ({ page }: Device) => page.getByRole('region', { name: 'Waiting change' });

test('an admin is guided to the rules, chooses to work alone, and pays at once @deep', async ({ admin }) => {
  const { page } = admin;
  await expect(page.getByText('Every payment needs 1 approval until an admin chooses')).toBeVisible();
  await page.getByRole('link', { name: 'Choose who approves payments' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Approval rules' })).toBeVisible();
  await expectClean(page, 'approval rules, first choice');
  await page.getByLabel('I work alone').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Sign and save' }).click();
  await expect(inForce(admin)).toContainText('No payment needs approval.');
  await openReview(page, { ...BTC, amount: '0.0201' });
  await sendButton(page).click();
  await expect(page).toHaveURL(OPERATION);
  await expectAccepted(page);
});

test('rules that too few people could meet can’t be saved @deep', async ({ admin }) => {
  await chooseApprovals(admin.page, '1 approval');
  await expect(admin.page.getByRole('button', { name: 'Sign and save' })).toHaveAccessibleDescription(
    /Nobody can approve payments now\. Give 1 more person the role approver first\./,
  );
});

test('rules without a change can’t be saved, and nothing says when they take effect @deep', async ({ admin }) => {
  const { page } = admin;
  await page.goto('/policy');
  await page.getByRole('button', { name: 'Change rules' }).click();
  const save = page.getByRole('button', { name: 'Sign and save' });
  await expect(save).toHaveAccessibleDescription('Change a rule first.');
  await expect(page.getByText('When it counts:')).toHaveCount(0);
  await page.getByLabel('Wait for approvals').click();
  await page.getByRole('option', { name: '24 hours', exact: true }).click();
  await expect(page.getByText('When it counts:')).toBeVisible();
  await expect(save).toBeEnabled();
});

test('stricter rules apply at once; looser ones wait for a second admin and don’t apply to payments already prepared @deep', async ({
  admin,
  device,
}) => {
  test.setTimeout(240_000);
  const approver = uniqueName('Bo');
  const bo = await addColleague(admin, device, approver, ['Approver']);
  const name = uniqueName('Cy');
  const cy = await addColleague(admin, device, name, ['Admin']);
  await chooseApprovals(admin.page, '1 approval');
  await expect(admin.page.getByText('at once, because it is stricter')).toBeVisible();
  await expectClean(admin.page, 'approval rules, editor');
  await saveRules(admin.page);
  await expect(inForce(admin)).toContainText('Every payment needs 1 approval.');
  // An admin can undo their own change for ten minutes.
  await admin.page
    .getByRole('button', { name: /^Use version \d+ again$/ })
    .first()
    .click();
  await expect(admin.page.getByText('at once if you sign by')).toBeVisible();
  await admin.page.getByRole('button', { name: 'Cancel' }).click();
  const earlier = await submit(admin.page, {
    ...BTC,
    amount: '0.0202',
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  });

  await admin.page.goto('/policy');
  await admin.page.getByRole('button', { name: 'Change rules' }).click();
  await admin.page.getByLabel('Add limits for an asset').click();
  await admin.page.getByRole('option', { name: 'BTC' }).click();
  await saveRules(admin.page);
  await expect(admin.page.getByText('Enter an amount.').first()).toBeVisible();
  await admin.page.getByLabel('One payment, up to').fill('0.5');
  await expect(admin.page.getByLabel('24 hours, up to')).toHaveValue('2.5');
  await expect(admin.page.getByText(`once another admin has confirmed it: ${name}.`)).toBeVisible();
  await saveRules(admin.page);
  await expect(waiting(admin)).toContainText(`${name} can confirm it`);
  await expect(waiting(admin)).toContainText('New: up to 0.5 BTC a payment');
  await expect(inForce(admin)).toContainText('Every payment needs 1 approval.');
  await expect(admin.page.getByRole('button', { name: 'Confirm change' })).toHaveAccessibleDescription(
    /You proposed it/,
  );

  await cy.page.goto('/policy');
  await expectClean(cy.page, 'approval rules, waiting change');
  await cy.page.getByRole('button', { name: 'Confirm change' }).click();
  await expect(waiting(cy)).toHaveCount(0);
  await expect(inForce(cy)).toContainText('Up to 0.5 BTC a payment, 2.5 BTC and 20 payments in 24 hours: no approval.');
  await expect(inForce(cy)).toContainText(`confirmed by ${name}`);

  // The payment prepared earlier still needs its approval; a new one doesn’t.
  await admin.page.goto(earlier);
  await expect(stateOf(admin.page)).toContainText('Waiting for approval');
  await bo.page.goto(earlier);
  await expect(bo.page.getByText('The approval rules have changed since it was prepared.')).toBeVisible();
  await approveButton(bo.page).click();
  await expectAccepted(bo.page);
  await openReview(admin.page, { ...BTC, amount: '0.0203', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' });
  await sendButton(admin.page).click();
  await expectAccepted(admin.page);

  // Without an approver the other assets can’t be paid, which Home says.
  await admin.page.goto('/people');
  await admin.page.getByRole('button', { name: `Manage ${approver}` }).click();
  bo.expectConsole(/401/);
  await admin.page.getByRole('button', { name: 'Block…' }).click();
  await admin.page.getByRole('button', { name: `Block ${approver}` }).click();
  await expect(rowOf(admin, approver)).toContainText('Blocked');
  await admin.page.goto('/');
  await expect(admin.page.getByText('Too few people can approve payments.')).toBeVisible();
  await expectClean(admin.page, 'Home with too few approvers');
  await admin.page.getByRole('link', { name: 'Give 1 more person the role approver' }).click();
  await expect(admin.page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
});

test('an approver stops a change, and a viewer can’t @deep', async ({ admin, device }) => {
  const bo = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const di = await addColleague(admin, device, uniqueName('Di'));
  await admin.page.goto('/policy');
  await admin.page.getByRole('button', { name: 'Change rules' }).click();
  await admin.page.getByLabel('One payment, up to').fill('5');
  await saveRules(admin.page);
  await expect(waiting(admin)).toBeVisible();

  await di.page.goto('/policy');
  for (const name of ['Confirm change', 'Stop change'])
    await expect(di.page.getByRole('button', { name })).toHaveAccessibleDescription(/^Only an? .* can /);
  await bo.page.goto('/policy');
  await bo.page.getByRole('button', { name: 'Stop change' }).click();
  await expect(waiting(bo)).toHaveCount(0);
  await expect(inForce(bo)).toContainText('Up to 0.5 BTC a payment');
  await expect(bo.page.getByRole('table', { name: 'Versions' }).getByRole('row').nth(1)).toContainText('Stopped');
});
