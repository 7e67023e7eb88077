import type { Page } from 'playwright/test';
import {
  banner,
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  sendAndLose,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const REASON = 'Support said on the telephone that it was never carried out, case 4711';

function closeButton(page: Page) {
  return page.getByRole('button', { name: 'Close manually' });
}

/** Pays the same destination again, confirming that it is another withdrawal. */
async function payAgain(page: Page) {
  await openReview(page);
  await page.getByLabel('This isn’t a duplicate. Send it too.').check();
  await sendButton(page).click();
  await expectAccepted(page);
}

test('closing manually, by keyboard, requires a reason, and the outcome stays unproven @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  const operation = page.url();
  await closeButton(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Close this operation manually' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Close operation' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/Say why it is closed/);
  await page.keyboard.press('Escape');
  await expect(closeButton(page)).toBeFocused();
  await expect(stateOf(page)).toContainText('Unconfirmed');

  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type(REASON);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(stateOf(page)).toContainText('Closed manually, outcome not proven here');
  await expect(stateOf(page)).toContainText(REASON);
  await expect(page.getByRole('button', { name: /Resend|Check now|Close manually/ })).toHaveCount(0);
  // The focus stays among the actions, not at the top of the page.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Start again' })).toBeFocused();
  await page.getByRole('link', { name: 'Balances' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);

  await payAgain(page);
  const earlier = page.getByRole('region', { name: 'Earlier payments shown at review' });
  await expect(earlier.getByRole('link').first()).toHaveAttribute('href', new URL(operation).pathname);
  // Support was wrong: the first was executed, which is why closing proves nothing.
  await expectLedger(account, 2);
});
