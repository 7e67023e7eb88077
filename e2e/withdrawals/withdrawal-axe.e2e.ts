import { expectClean } from '#e2e/support/axe.ts';
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
} from '#e2e/support/withdrawing.ts';

test.setTimeout(90_000);

test('form, review, acceptance and the second-send step are clean @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  for (const name of ['Destination address', 'Asset', 'Chain', 'Amount'])
    await expect(page.getByLabel(name, { exact: true })).toHaveAttribute('required', '');
  await expectClean(page, 'the form with faults');
  await fillForm(page);
  await expect(page.getByText('Valid Bitcoin address')).toBeVisible();
  await expectClean(page, 'the form with notes');
  await review(page);
  await expectClean(page, 'review');
  await sendButton(page).click();
  await expectAccepted(page);
  await expectClean(page, 'an accepted operation');
  await openReview(page);
  await expect(page.getByText(/^You sent 0\.25 BTC to bc1/)).toBeVisible();
  await expectClean(page, 'the second-send step');
});

test('an unconfirmed operation and its banner are clean, and no page is drawn before its banner @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  await expectClean(page, 'an unconfirmed operation');
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('#main h1')) return;
      observer.disconnect();
      Reflect.set(window, 'bannerFirst', document.querySelector('[aria-label="Not resolved"]') !== null);
    }).observe(document, { childList: true, subtree: true });
  });
  // The page stops waiting after a while, but here the clock is stopped.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/withdrawals/new');
  await expect(banner(page)).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'bannerFirst'))).toBe(true);
  await page.clock.resume();
  await expectClean(page, 'the form below the banner');
});
