import { approveButton, payment, submit } from '#e2e/support/approving.ts';
import { addColleague, test, uniqueName } from '#e2e/support/people.ts';
import { expect, stateOf } from '#e2e/support/withdrawing.ts';

// Two people decide about one payment at the same time. Without approval rules every payment needs one approval.

test.use({ paysAlone: false });

test('an approval after a rejection is refused, however long its page was open @deep', async ({ admin, device }) => {
  test.setTimeout(180_000);
  const cy = uniqueName('Cy');
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const approver = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const other = await addColleague(admin, device, cy, ['Approver']);
  const path = await submit(maker.page, payment('0.0231'));
  await approver.page.goto(path);
  await expect(approveButton(approver.page)).toBeEnabled();

  await other.page.goto(path);
  await other.page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = other.page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Paid by card.');
  await dialog.getByRole('button', { name: 'Reject payment' }).click();
  await expect(stateOf(other.page)).toContainText('It was rejected. Nothing was sent.');

  await approveButton(approver.page).click();
  await expect(approver.page.getByText('Not approved. It has ended already: nothing was sent.')).toBeVisible();
  await expect(stateOf(approver.page)).toContainText(`by ${cy}`);
  await expect(stateOf(approver.page)).toContainText('Paid by card.');
});
