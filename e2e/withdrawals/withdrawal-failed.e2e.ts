import { listen } from '#e2e/support/heard.ts';
import { BTC, expect, expectAccepted, review, sendButton, stateOf, test } from '#e2e/support/withdrawing.ts';

test('an accepted withdrawal that then failed is red everywhere until someone has handled it @deep', async ({
  page,
  account,
}) => {
  await page.goto('/withdrawals/new');
  await page.getByLabel('Reference').fill('INV-7');
  await review(page);
  await sendButton(page).click();
  await expectAccepted(page);
  const operation = page.url();
  const [withdrawal] = await account.withdrawals();
  await account.withdrawal(String(withdrawal?.['id']), { status: 'failed' });
  // The page polls the payment by itself.
  await expect(stateOf(page)).toContainText('Failed. 0.25 BTC is available again.');
  await expect(stateOf(page)).not.toContainText('Accepted by the provider');

  await page.getByRole('link', { name: 'All operations' }).click();
  const row = page.getByRole('table', { name: 'Operations' }).getByRole('row').nth(1);
  await expect(row).toContainText(/Failed.*0\.25/);
  await expect(row).not.toContainText('Accepted by the provider');

  await page.getByRole('link', { name: 'Home', exact: true }).click();
  const attention = page.getByRole('table', { name: 'Needs attention' });
  await expect(attention.getByRole('row').nth(1)).toContainText(/Failed.*0\.25\sBTC to .* failed.*is available again/);
  const flows = page.getByRole('region', { name: 'Received and sent' });
  await flows.getByRole('button', { name: 'Sent' }).click();
  await expect(flows.getByRole('row', { name: 'BTC' })).toContainText(/none.*1 failed/);

  await attention.getByRole('link', { name: /failed$/ }).click();
  const panel = page.getByRole('region', { name: 'Withdrawal' });
  await expect(panel).toContainText('Failed. 0.25 BTC is available again.');
  await expect(panel.getByRole('link', { name: 'Send again' })).toBeVisible();
  await page.getByRole('link', { name: 'Case file' }).click();
  await expect(page.getByRole('region', { name: 'Recorded here' })).toContainText('Failed.');

  const said = await listen(page);
  await page.goto(operation);
  await stateOf(page).getByRole('button', { name: 'Mark as handled (0.25 BTC withdrawal)' }).click();
  await expect(stateOf(page)).toContainText(/Handled.*just now/);
  await expect(stateOf(page).getByRole('button', { name: 'Reopen (0.25 BTC withdrawal)' })).toBeFocused();
  expect(await said()).toContain('0.25 BTC withdrawal marked as handled');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('All clear.');
  await expect(attention).toHaveCount(0);

  await page.goto(operation);
  await expect(page.getByText('INV-7').first()).toBeVisible();
  await stateOf(page).getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByRole('textbox', { name: 'Reference' })).toHaveValue('INV-7');
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(BTC.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.25');
  await expect(page.getByText(/^Last payment .* ago: 0\.25\sBTC, failed\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'recorded here: failed' })).toBeVisible();
});
