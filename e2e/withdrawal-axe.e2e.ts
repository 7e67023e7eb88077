import { expectClean } from './axe.ts';
import {
  banner,
  expect,
  expectAccepted,
  fillForm,
  openReview,
  review,
  sendAndLose,
  sendButton,
  test,
} from './withdrawing.ts';

test.setTimeout(90_000);

test('form, review, acceptance and the second-send step are clean', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expectClean(page, 'the form with faults');
  await fillForm(page);
  await expect(page.getByText('Well formed for Bitcoin')).toBeVisible();
  await expectClean(page, 'the form with notes');
  await review(page);
  await expectClean(page, 'review');
  await sendButton(page).click();
  await expectAccepted(page);
  await expectClean(page, 'an accepted operation');
  await openReview(page);
  await sendButton(page).click();
  await expect(page.getByText('A withdrawal to this destination was made a short while ago.')).toBeVisible();
  await expectClean(page, 'the second-send step');
});

test('an unconfirmed operation and its banner are clean', async ({ page, account, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await sendAndLose(page, account);
  await expectClean(page, 'an unconfirmed operation');
  await page.goto('/withdrawals/new');
  await expect(banner(page)).toBeVisible();
  await expectClean(page, 'the form below the banner');
});
