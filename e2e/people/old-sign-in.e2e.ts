import { approveButton, payment, submit } from '#e2e/support/approving.ts';
import { addColleague, test, uniqueName } from '#e2e/support/people.ts';
import { expect, expectAccepted, stateOf } from '#e2e/support/withdrawing.ts';

// Without approval rules every payment needs one approval.

test.use({ paysAlone: false });

test('an approver whose sign-in is too old signs in again and returns to the payment @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(180_000);
  const { page, expectConsole } = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const path = await submit(admin.page, payment('0.0244'));
  const late = await submit(admin.page, payment('0.0245'));
  // These pages would send requests while the server is stopped.
  for (const open of [admin.page, page]) await open.goto('about:blank');
  await team.ageSignIns({ lapsed: late.replace('/operations/', '') });
  expectConsole(/403/);
  await page.goto(path);
  await approveButton(page).click();
  await expect(page.getByText('You signed in more than 4 hours ago. Sign in again to approve.')).toBeVisible();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(path);
  await approveButton(page).click();
  await expectAccepted(page);

  // The other payment was not approved in time.
  await page.goto(late);
  await expect(stateOf(page)).toContainText('It expired before it was approved and sent. Nothing was sent.');
  await expect(approveButton(page)).toHaveCount(0);
});
