import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import type { Account } from './sandbox.ts';
import { expect, postsOf } from './withdrawing.ts';

/** The request that the form says it will make, to the character. */
export async function previewOf(page: Page): Promise<string> {
  const beside = page.getByRole('complementary', { name: 'Beside the form' });
  return (await beside.getByRole('region', { name: 'Exactly what will be sent' }).locator('pre').textContent()) ?? '';
}

/** One attempt reached the service, and it is the one that was previewed. */
export async function expectSentAs(account: Account, preview: string) {
  const posts = await postsOf(account);
  expect(
    posts.map(({ path, idempotency_key: key, body }) => `POST ${path}\nIdempotency-Key: ${key}\n\n${body}`),
  ).toEqual([preview]);
}

/** axe finds nothing, and nothing is wider than the screen. */
export async function expectClean(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(found).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'the page is wider than the screen').toBeLessThanOrEqual(0);
}

/** How a page is looked at for axe: both themes, once narrow. */
export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 375, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;
