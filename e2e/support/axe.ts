import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { expect, test } from './fixtures.ts';

/** Minimum width and height of a target, in CSS pixels. */
const TARGET = 24;

async function expectNothing(page: Page, where: string) {
  // Loading axe's half a megabyte costs as much as running it, so load it once per page. Not with AxeBuilder, which also
  // opens a blank page each time to support frames.
  const there = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(there && { axeSource: 'undefined' }) }).setLegacyMode();
  // WCAG 2.2's rule of 24 px targets is off by default in axe. No enabled rule needs preloaded style sheets.
  // Contrast checks take three times as long as all other rules: in the short run only the axe test files do them.
  const contrast = DEEP || test.info().file.endsWith('axe.e2e.ts');
  const rules = { 'target-size': { enabled: true }, 'color-contrast': { enabled: contrast } };
  const { violations } = await axe.options({ resultTypes: ['violations'], preload: false, rules }).analyze();
  const found: string[] = [];
  for (const { id, nodes } of violations)
    for (const { html, target } of nodes)
      if (id !== 'target-size' || (await isSmall(page, String(target[0])))) found.push(`${id}: ${html.slice(0, 160)}`);
  expect(found, where).toEqual([]);
}

/** By the element's own size: axe also reports targets half hidden by scrolling. */
async function isSmall(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  return box === null || box.width < TARGET || box.height < TARGET;
}

/** Checks what axe doesn't: nothing is wider than the screen, buttons have visible content, and there is one h1. */
async function expectPlain(page: Page, where: string) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(over, `${where}: wider than the screen by so many px`).toBeLessThanOrEqual(0);
  const blank = await page
    .locator('button:visible:not(:has(svg))')
    .evaluateAll((all) =>
      all.filter((button) => getComputedStyle(button).fontSize === '0px').map(({ textContent }) => textContent),
    );
  expect(blank, `${where}: buttons without a word or an icon`).toEqual([]);
  await expect(page.locator('h1:visible'), `${where}: headings of the first level`).toHaveCount(1);
}

const THEMES = ['dark', 'light'] as const;

/** Colours depend on the theme, layout on the width: dark with narrow and light with wide cover all four. */
function looksAt([narrow = 375, wide = narrow]: readonly number[]) {
  return THEMES.map((colorScheme, at) => ({ colorScheme, width: at === 0 ? narrow : wide }));
}

/**
 * Checks that axe finds nothing on the current page and that nothing is wider than the screen. The long run checks light
 * and dark; the short run picks one by `what`. Restores the page, but moves the mouse away, as a tooltip would be checked too.
 */
export async function expectClean(page: Page, what: string, widths: readonly number[] = [375, 1440]) {
  const before = page.viewportSize();
  await page.mouse.move(0, 0);
  for (const [at, { colorScheme, width }] of looksAt(widths).entries()) {
    await page.setViewportSize({ width, height: 900 });
    // Without transitions, because a colour in mid-transition isn't one of the design.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const where = `${what}, ${colorScheme}, ${width} px`;
    await expectPlain(page, where);
    if (DEEP || what.length % 2 === at) await expectNothing(page, where);
  }
  if (before) await page.setViewportSize(before);
}
