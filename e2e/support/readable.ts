import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';

/** Checks at each window width that no amount cell is covered or cut off; in a table that scrolls, once it is scrolled to. */
export async function expectReadable(page: Page, table: Locator, widths = [375, 1024, 1280, 1366, 1440]) {
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => table.evaluate(unreadable), { message: `at ${width} px` }).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

function unreadable(table: Element): string[] {
  const place = table.parentElement?.getBoundingClientRect();
  const scrolls = table.parentElement !== null && getComputedStyle(table.parentElement).overflowX === 'auto';
  if (!scrolls && table.getBoundingClientRect().width > (place?.width ?? 0) + 1) return ['wider than its place'];
  return [...table.querySelectorAll('tbody td:has(.amt)')].flatMap((cell) => {
    if (!cell.checkVisibility()) return [];
    cell.scrollIntoView({ block: 'center', inline: 'center' });
    const covered = [...cell.querySelectorAll('.amt')]
      .flatMap((amount) => [...amount.getClientRects()])
      .some(({ left, right, top, bottom }) => {
        if (left === right) return false;
        const isOutside = left < (place?.left ?? 0) - 1 || right > (place?.right ?? 0) + 1;
        const over = [left + 1, right - 1].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
        return isOutside || over.some((each) => !cell.contains(each));
      });
    return covered ? [cell.textContent] : [];
  });
}
