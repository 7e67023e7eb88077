import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import {
  banner,
  expect,
  expectAccepted,
  fillForm,
  openReview,
  review,
  sendAndLose,
  sendButton,
  sendNew,
  test,
} from './withdrawing.ts';

async function expectClean(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'the page is wider than the screen').toBeLessThanOrEqual(0);
}

for (const [where, colorScheme, width] of [
  ['light', 'light', 1280],
  ['dark', 'dark', 1280],
  ['light on a phone', 'light', 375],
  ['dark on a phone', 'dark', 375],
] as const) {
  test.describe(where, () => {
    test.use({ colorScheme, viewport: { width, height: 800 } });
    test.setTimeout(60_000);

    test(`form and review are clean: ${where}`, async ({ page }) => {
      await page.goto('/withdrawals/new');
      await page.getByRole('button', { name: 'Review withdrawal' }).click();
      await expect(page.getByLabel('Amount', { exact: true })).toHaveAttribute('aria-invalid', 'true');
      await expectClean(page);
      await fillForm(page);
      await expect(page.getByText('Well formed for Bitcoin')).toBeVisible();
      await expectClean(page);
      await review(page);
      await expectClean(page);
    });

    test(`an unconfirmed operation and its banner are clean: ${where}`, async ({ page, account, expectConsole }) => {
      expectConsole(/Failed to load resource/);
      await sendAndLose(page, account);
      await expectClean(page);
      await page.goto('/withdrawals/new');
      await expect(banner(page)).toBeVisible();
      await expectClean(page);
    });

    test(`an accepted operation and the second-send step are clean: ${where}`, async ({ page }) => {
      await sendNew(page);
      await expectAccepted(page);
      await expectClean(page);
      await openReview(page);
      await sendButton(page).click();
      await expect(page.getByText('This destination was paid a short while ago.')).toBeVisible();
      await expectClean(page);
    });
  });
}
