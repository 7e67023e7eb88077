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
  test,
} from './withdrawing.ts';

test.setTimeout(90_000);

/** What a theme or the width of the screen can break; everything else is the same in all four. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];
const OF_LAYOUT = ['target-size', 'scrollable-region-focusable', 'heading-order', 'region', 'aria-hidden-focus'];

/** The page as it stands: all rules once, then again, dark and on a phone, what that can break. */
async function expectClean(page: Page, what: string) {
  await expectNothing(page, what);
  await look(page, 1280, 'dark');
  await expectNothing(page, `${what}, dark`, OF_COLOUR);
  await look(page, 375, 'dark');
  await expectNothing(page, `${what}, dark, on a phone`, OF_COLOUR);
  await look(page, 375, 'light');
  await expectNothing(page, `${what}, on a phone`, [...OF_COLOUR, ...OF_LAYOUT]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${what} is wider than a phone`).toBeLessThanOrEqual(0);
  await look(page, 1280, 'light');
}

/** Without motion: a colour half-way between two themes is nobody's. */
async function look(page: Page, width: number, colorScheme: 'light' | 'dark') {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
}

async function expectNothing(page: Page, what: string, rules?: string[]) {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]),
    what,
  ).toEqual([]);
}

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
