import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { expect, test } from './fixtures.ts';

/** CSS pixels of a target, each way. */
const TARGET = 24;

async function expectNothing(page: Page, where: string) {
  // Reading axe's half a megabyte again costs as much as asking it. Its other mode also opens a blank page each time,
  // for the sake of frames that this app has not.
  const there = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(there && { axeSource: 'undefined' }) }).setLegacyMode();
  // Targets of 24 px are WCAG 2.2's, and left out unless asked for. No rule that is on reads the sheets of a preload.
  // To look for each text behind each other costs three times all the rest: the files of axe alone do it in the short run.
  const contrast = DEEP || test.info().file.endsWith('axe.e2e.ts');
  const rules = { 'target-size': { enabled: true }, 'color-contrast': { enabled: contrast } };
  const { violations } = await axe.options({ resultTypes: ['violations'], preload: false, rules }).analyze();
  const found: string[] = [];
  for (const { id, nodes } of violations)
    for (const { html, target } of nodes)
      if (id !== 'target-size' || (await isSmall(page, String(target[0])))) found.push(`${id}: ${html.slice(0, 160)}`);
  expect(found, where).toEqual([]);
}

/** In itself: axe also counts what is scrolled half below a head or a bar. */
async function isSmall(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  return box === null || box.width < TARGET || box.height < TARGET;
}

/** What axe does not look at: nothing is wider than the screen, a button shows what it does, one heading is the page's. */
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

/** Colours are of a theme and layouts of a width: dark and narrow, light and wide show both of each; one width is seen in both themes. */
function looksAt([narrow = 375, wide = narrow]: readonly number[]) {
  return THEMES.map((colorScheme, at) => ({ colorScheme, width: at === 0 ? narrow : wide }));
}

/**
 * axe finds nothing on the page as it stands, light and dark in the long run, else in one of the two by the name of what
 * is seen; and nothing is wider than the screen.
 * The page is as it was before, but for the mouse: a tip under it would belong to no part of the page.
 */
export async function expectClean(page: Page, what: string, widths: readonly number[] = [375, 1440]) {
  const before = page.viewportSize();
  await page.mouse.move(0, 0);
  for (const [at, { colorScheme, width }] of looksAt(widths).entries()) {
    await page.setViewportSize({ width, height: 900 });
    // A colour half way through a transition is none of the design's.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const where = `${what}, ${colorScheme}, ${width} px`;
    await expectPlain(page, where);
    if (DEEP || what.length % 2 === at) await expectNothing(page, where);
  }
  if (before) await page.setViewportSize(before);
}
