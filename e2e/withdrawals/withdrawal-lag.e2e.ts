import { BTC, expect, expectAccepted, expectLedger, sendNew, stateOf, test } from '#e2e/support/withdrawing.ts';

test('a withdrawal is shown as accepted even if neither list nor balance has it yet @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/404/);
  await account.fault({ method: 'GET', path: '/v1/withdrawals/wd_', status: 404, times: 9 });
  await account.fault({ method: 'GET', path: '/v1/withdrawals', patch: { data: [] }, times: 99 });
  await sendNew(page);
  await expectAccepted(page);
  await expect(stateOf(page)).toContainText('may take a moment');
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Evidence', { exact: true }).click();
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('absence is not proof.');
  await expectAccepted(page);

  await page.getByRole('link', { name: 'View withdrawal' }).click();
  await expect(page.getByText('it may take a moment')).toBeVisible();
  await page.getByRole('link', { name: 'View operation' }).click();
  await expectAccepted(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${BTC.amount} BTC`);
  await expectLedger(account, 1);
});

test('a response with missing fields is read by id before they count @deep', async ({ page, account }) => {
  await account.fault({
    method: 'POST',
    path: '/v1/withdrawals',
    patch: { asset: null, chain: null, amount: null, address: null },
  });
  await sendNew(page);
  await expectAccepted(page);
  await expect(page.getByText('Matches what you sent ✓')).toBeVisible();
  await expectLedger(account, 1);
});
