import { approveButton, payment, rowIn, submit } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { addColleague, test, uniqueName } from '#e2e/support/people.ts';
import { expect, expectAccepted, fillForm, postsOf, review, stateOf } from '#e2e/support/withdrawing.ts';

// Without approval rules, every payment needs the approval of another person.

test.use({ paysAlone: false });

function accountOf({ accounts }: { accounts: ReadonlyMap<string, Account> }): Account {
  const account = accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  return account;
}

test('a payment is sent once another person has approved it with their passkey', async ({ admin, device, team }) => {
  test.setTimeout(120_000);
  const account = accountOf(team);
  const [olga, bo] = [uniqueName('Olga'), uniqueName('Bo')];
  const maker = await addColleague(admin, device, olga, ['Operator']);
  const approver = await addColleague(admin, device, bo, ['Approver']);
  const before = (await postsOf(account)).length;
  const fields = payment('0.0201');
  const path = await submit(maker.page, fields);
  await expect(stateOf(maker.page)).toContainText('Nothing has been sent.');
  await expect(maker.page.getByText(bo)).toBeVisible();

  const { page, passkeys } = approver;
  await page.reload();
  const attention = page.getByRole('row').filter({ hasText: /needs? your approval/ });
  await expect(attention).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByText(/needs? you/)).toBeVisible();
  await attention.getByRole('link', { name: 'Review' }).click();
  await expect(page).toHaveURL('/approvals');
  const row = rowIn(page, 'Needs you', fields);
  await expect(row).toContainText(olga);
  await expect(row).toContainText('First payment');
  await row.getByRole('link').first().click();
  await expect(page.getByText('First payment from here to this address.')).toBeVisible();

  await passkeys.setVerified(false);
  await approveButton(page).click();
  await expect(page.getByText('Cancelled. Nothing was approved.')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(before);
  await passkeys.setVerified(true);
  await approveButton(page).click();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(before + 1);

  await maker.page.reload();
  await expect(maker.page).toHaveURL(path);
  await expectAccepted(maker.page);
  const timeline = maker.page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText(`Prepared by ${olga}`);
  await expect(timeline).toContainText(`Approved by ${bo}`);
  await expect(timeline).toContainText('1 of 1, signed with a passkey');
  await expect(timeline).toContainText(`Sent by ${bo}`);
  await page.goto('/approvals');
  await expect(rowIn(page, 'Decided', fields)).toContainText(`Approved by ${bo}`);
});

test('what another system paid to the recipient meanwhile is shown, and confirmed before the payment is sent @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(120_000);
  const account = accountOf(team);
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const { page } = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const fields = payment('0.0203');
  const path = await submit(maker.page, fields);
  const id = await withdrawByApi(account, { ...fields, amount: '0.0204' });
  await page.goto(path);
  const paid = page
    .getByRole('listitem')
    .filter({ hasText: 'Paid outside this dashboard, and not seen by its maker: 0.0204' });
  await expect(paid.getByRole('link', { name: /^Open it/ })).toHaveAttribute('href', `/withdrawals/${id}`);
  await expect(approveButton(page)).toHaveAccessibleDescription('Confirm above to continue.');
  await expectClean(page, 'a payment whose recipient was paid outside');
  await page.getByLabel('This isn’t a duplicate. Approve it all the same.').check();
  await approveButton(page).click();
  await expectAccepted(page);
});

test('the form says which approvals a payment needs, as its review does, once it is filled in @deep', async ({
  admin: { page },
}) => {
  await page.goto('/withdrawals/new');
  const aside = page.getByRole('complementary', { name: 'Beside the form' });
  const needs = /Needs 1 approval: no approval rules are set yet\./;
  const fields = payment('0.0208');
  await fillForm(page, fields);
  await expect(aside).toContainText(needs);
  await page.getByLabel('Amount', { exact: true }).fill('0.0208e');
  await expect(aside).not.toContainText('approval:');
  await review(page, fields);
  await expect(page.getByText(needs)).toBeVisible();
});

test('payments without anything unusual are approved together with one signature @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(180_000);
  const account = accountOf(team);
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const approver = await addColleague(admin, device, uniqueName('Bo'), ['Approver']);
  const { page } = approver;
  const [first, second] = [payment('0.0206'), payment('0.0207')];
  for (const fields of [first, second]) {
    await page.goto(await submit(maker.page, fields));
    await approveButton(page).click();
    await expectAccepted(page);
  }
  // These pages would send requests while the server is stopped.
  for (const { page: open } of [admin, maker, approver]) await open.goto('about:blank');
  await team.passDay();
  const again = [
    { ...first, amount: '0.0216' },
    { ...second, amount: '0.0217' },
  ];
  for (const fields of again) await submit(maker.page, fields);
  const before = (await postsOf(account)).length;
  await page.goto('/approvals');
  for (const fields of again) {
    const row = rowIn(page, 'Needs you', fields);
    await row.getByRole('checkbox').check();
  }
  const together = page.getByRole('region', { name: 'Approve 2 payments' });
  await expect(together.getByRole('table', { name: 'Totals' })).toContainText('0.0433');
  await expectClean(page, 'payments to approve together');
  await together.getByRole('button', { name: 'Approve 2 payments' }).click();
  await expect(page.getByText('2 payments approved, and are being sent.')).toBeVisible();
  for (const fields of again) await expect(rowIn(page, 'Decided', fields)).toContainText('Accepted');
  expect(await postsOf(account)).toHaveLength(before + 2);
});
