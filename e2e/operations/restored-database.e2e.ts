import { expectClean } from '#e2e/support/axe.ts';
import { addressNumber, batchState, faultOnPayment, RUN, sendBatch, suppliers } from '#e2e/support/batches.ts';
import { expect } from '#e2e/support/fixtures.ts';
import { test } from '#e2e/support/restarting.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';

test.use({ seed: { deposits: 0, assets: 7 } });
test.describe.configure({ mode: 'default', timeout: 120_000 });

/** The server's own mark isn't in the history of the database, as in one restored from an older copy. */
const SET_BACK = `update operations.marks set nonce = 'lost' where position = (select position from operations.journal)`;

test('what waited when the database was restored is closed together, except what the provider lists @deep', async ({
  page,
  context,
  account,
  dashboard,
  signIn,
  expectConsole,
}) => {
  expectConsole(/401|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource/);
  await faultOnPayment(account, { when: 'after', drop: true });
  await sendBatch(page, suppliers(4));
  await expect(batchState(page)).toContainText('Line 2 is unconfirmed', RUN);
  await account.clearFaults();
  await page.goto('about:blank');
  await dashboard.restart(SET_BACK);
  // In the lost part, the third one was sent.
  await withdrawByApi(account, { asset: 'ETH', chain: 'ethereum', amount: '0.03', address: addressNumber(2) });

  await signIn(context);
  await page.goto('/operations');
  await expect(page.getByText('The database was restored from an older copy.')).toBeVisible();
  await expect(page.getByText('3 payments waited to be sent when the database was restored.')).toBeVisible();
  await page.getByRole('button', { name: 'Close all 3…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close 3 payments manually' });
  await expect(dialog).toContainText('0.09 ETH on Ethereum');
  await expectClean(page, 'closing what waited at a restore', [375]);
  await dialog.getByLabel('Reason').fill('The provider has none of them, case 4711');
  await dialog.getByRole('button', { name: 'Close 3 payments' }).click();
  const result = page.getByRole('status').filter({ hasText: 'Closed 2 payments. 1 stays open:' });
  await expect(result.getByRole('link', { name: /^0\.03 ETH to / })).toBeVisible();
  await expect(result).toContainText('the provider lists a withdrawal that looks like it.');
  await expect(page.getByRole('button', { name: 'Close it…' })).toBeVisible();
  await expectClean(page, 'what stays open after a restore', [375]);
  await page.getByRole('button', { name: /^Needs action/ }).click();
  const row = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
  await expect(row.filter({ hasText: 'Unconfirmed' })).toHaveCount(2);
});
