import type { Page } from 'playwright/test';
import { openBookWith } from '#e2e/support/recipients.ts';
import {
  BTC,
  ETH,
  bytesOf,
  expect,
  expectAccepted,
  fillForm,
  postsOf,
  review,
  sendButton,
  test,
} from '#e2e/support/withdrawing.ts';

async function openNewWithdrawal(page: Page) {
  await page.goto('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await expect(page.getByLabel('Amount', { exact: true })).toBeVisible();
}

function address(page: Page) {
  return page.getByLabel('Destination address', { exact: true });
}

test('a draft shows its time, and Start over empties the form @deep', async ({ page, account }) => {
  await page.clock.setFixedTime('2026-11-25T16:24:40Z');
  await openNewWithdrawal(page);
  await fillForm(page, ETH);
  await expect(page.getByText('Continuing your draft')).toHaveCount(0);
  await page.clock.setFixedTime('2026-11-25T20:10:00Z');
  await openNewWithdrawal(page);
  await expect(page.getByText('Continuing your draft of 16:24')).toBeVisible();
  await expect(address(page)).toHaveValue(ETH.address);
  await page.clock.setFixedTime('2026-11-26T08:00:00Z');
  await page.reload();
  await expect(page.getByText('Continuing your draft of 25 Nov 16:24')).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Continuing your draft')).toHaveCount(0);
  for (const label of ['Asset', 'Chain', 'Amount', 'Destination address'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
  await page.reload();
  await expect(address(page)).toHaveValue('');
  await review(page, BTC);
  await sendButton(page).click();
  await expectAccepted(page);
  expect((await postsOf(account)).map(({ body }) => body)).toEqual([bytesOf(BTC)]);
});

test('Withdraw beside a recipient neither shows another draft nor leaves one @deep', async ({ page }) => {
  await openBookWith(page, 'Acme');
  await openNewWithdrawal(page);
  await fillForm(page, BTC);
  await page.goto('/recipients');
  await page.getByRole('link', { name: 'New withdrawal to Acme' }).click();
  await expect(address(page)).toHaveValue(ETH.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
  await page.reload();
  await expect(address(page)).toHaveValue(ETH.address);
  await expect(page.getByText('Continuing your draft')).toHaveCount(0);
  await openNewWithdrawal(page);
  await expect(address(page)).toHaveValue('');
  await expect(page.getByText('Continuing your draft')).toHaveCount(0);
});
