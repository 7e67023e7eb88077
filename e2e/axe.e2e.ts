import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { rowAt } from './depositList.ts';
import { expect, test } from './fixtures.ts';

async function expectNothing(page: Page) {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [375, 1440]) {
    test.describe(`axe, ${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 }, seed: { deposits: 30, assets: 7 } });

      for (const path of width < 1000 ? ['/balances'] : ['/balances', '/balances/ETH', '/nowhere']) {
        test(`finds nothing on ${path}`, async ({ page }) => {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          if (path === '/balances') await expect(page.getByRole('heading', { level: 2, name: 'ETH' })).toBeVisible();
          await expectNothing(page);
        });
      }

      test('finds nothing on the sign-in page', async ({ visitor: page }) => {
        await page.goto('/sign-in');
        await expect(page.getByLabel('API key')).toBeVisible();
        await expectNothing(page);
      });

      test('finds nothing on filtered deposits with one of them open', async ({ page }) => {
        await page.goto('/deposits?status=completed');
        await expect(rowAt(page, 0)).toBeVisible();
        // On a narrow screen the open one takes the list's place.
        if (width < 1000) await expectNothing(page);
        await rowAt(page, 1).getByRole('link').first().click();
        await expect(page.getByRole('region', { name: 'Deposit' }).getByText('Raw JSON')).toBeVisible();
        await expectNothing(page);
      });
    });
  }
}
