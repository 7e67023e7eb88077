import { tabTo } from '#e2e/support/keyboard.ts';
import { BTC, expect, expectAccepted, expectLedger, postsOf, sendButton, test } from '#e2e/support/withdrawing.ts';

test('a withdrawal from the navigation to the ledger by keyboard alone', async ({ page, account }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Withdrawals' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'New withdrawal' }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Recipient' })).toBeFocused();
  for (const [label, text] of [
    ['Destination address', BTC.address],
    ['Asset', BTC.asset],
    ['Amount', BTC.amount],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  // The only chain of the asset.
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue(BTC.chain);
  await tabTo(page, page.getByRole('button', { name: 'Review withdrawal' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeFocused();
  await tabTo(page, sendButton(page));
  // Enter on a disabled button does nothing.
  await expect(sendButton(page)).toBeEnabled();
  await page.keyboard.press('Enter');
  await expectAccepted(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: 'View withdrawal' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/withdrawals\/wd_/);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});
