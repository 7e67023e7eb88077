import type { Locator, Page } from 'playwright/test';

/** Presses Tab until the target has the focus. */
export async function tabTo(page: Page, target: Locator) {
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let steps = 0; steps < 60; steps += 1) {
    if (await isFocused()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach it.');
}
