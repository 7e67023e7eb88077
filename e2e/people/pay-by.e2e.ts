import { approveButton, payment, rowIn, submitButton } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { addColleague, test, uniqueName } from '#e2e/support/people.ts';
import { addStanding, dayFromNow, due, goHome, openHome, setDay } from '#e2e/support/standingPayments.ts';
import { bytesOf, expect, expectAccepted, openReview, OPERATION, postsOf, stateOf } from '#e2e/support/withdrawing.ts';

// Without approval rules, every payment needs the approval of another person.
test.use({ paysAlone: false });

test('a pay-by date is shown to approvers, due first, and is no part of what is sent @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(180_000);
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const approver = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const [usual, urgent] = [payment('0.0301'), payment('0.0302')];
  const prepare = async (fields: typeof usual, payBy: string) => {
    await openReview(maker.page, fields);
    await maker.page.getByLabel('Pay by').fill(payBy);
    await submitButton(maker.page).click();
    await expect(maker.page).toHaveURL(OPERATION);
    await expect(stateOf(maker.page)).toContainText('Waiting for approval');
  };
  for (const { page } of [maker, approver]) await setDay(page);
  await prepare(usual, '');
  await prepare(urgent, dayFromNow(2));
  await expect(maker.page.getByText(/ \d{4}, in 2 days/)).toBeVisible();

  const { page } = approver;
  await openHome(page);
  const line = due(page).getByRole('row').filter({ hasText: '0.0302 ETH' });
  await expect(line).toContainText('waits for approval');
  await page.goto('/approvals');
  await expect(rowIn(page, 'Needs you', urgent)).toContainText('in 2 days');
  const rows = page.getByRole('table', { name: 'Needs you' }).locator('tbody tr');
  await expect(rows.first()).toContainText('0.0302 ETH');
  await expectClean(page, 'approvals with a pay-by date');

  await rowIn(page, 'Needs you', usual).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Set a date' }).click();
  await page.getByLabel('Pay by').fill(dayFromNow(1));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/ \d{4}, tomorrow/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change (pay by)' })).toBeFocused();
  await page.goto('/approvals');
  await expect(rows.first()).toContainText('0.0301 ETH');

  const account = team.accounts.get('main');
  const bodies = async () => (account === undefined ? [] : (await postsOf(account)).map(({ body }) => body));
  await rowIn(page, 'Needs you', urgent).getByRole('link').first().click();
  await approveButton(page).click();
  await expectAccepted(page);
  expect(await bodies()).toContain(bytesOf(urgent));
  await openHome(page);
  await expect(due(page)).toContainText('0.0301 ETH');
  await expect(due(page)).not.toContainText('0.0302 ETH');
});

test('a standing payment ends its reminder when it is submitted; viewers only see it @deep', async ({
  admin,
  device,
}) => {
  test.setTimeout(180_000);
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const viewer = await addColleague(admin, device, uniqueName('Di'));
  const name = uniqueName('Rent');
  for (const { page } of [maker, viewer]) await setDay(page);
  await addStanding(maker.page, name);

  await openHome(viewer.page);
  const seen = due(viewer.page).getByRole('row').filter({ hasText: name });
  const why = 'Only an operator can change standing payments.';
  await expect(seen.getByRole('button', { name: /^Skip this time/ })).toHaveAccessibleDescription(why);
  await expect(seen.getByRole('button', { name: /^Prepare/ })).toHaveAttribute('aria-disabled', 'true');
  await viewer.page.goto('/standing-payments');
  await expect(viewer.page.getByRole('button', { name: 'New standing payment' })).toHaveAccessibleDescription(why);
  await expect(viewer.page.getByRole('button', { name: `Edit ${name}` })).toHaveCount(0);

  const { page } = maker;
  await openHome(page);
  await due(page).getByRole('row').filter({ hasText: name }).getByRole('link', { name: 'Prepare' }).click();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByLabel('Pay by')).toHaveValue(dayFromNow());
  await submitButton(page).click();
  await expect(stateOf(page)).toContainText('Waiting for approval');
  await expect(page.getByText(/ \d{4}, today/)).toBeVisible();
  await goHome(page);
  await expect(due(page)).not.toContainText(name);
  // Now it is due for those who approve it.
  await expect(due(page)).toContainText('waits for approval');
  const path = await due(page).getByRole('link', { name: 'Open' }).getAttribute('href');
  await viewer.page.goto(path ?? '');
  await expect(viewer.page.getByRole('button', { name: 'Change (pay by)' })).toHaveAccessibleDescription(
    'Only an operator or an approver can set a pay-by date.',
  );
});
