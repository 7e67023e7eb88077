import { DEEP } from '#src/tests/depth.ts';
import { allDeposits, rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

const WIDTHS = DEEP ? [320, 375, 640, 768, 1024, 1440, 1920] : [320, 640, 1920];

test.use({ seed: { deposits: 30, assets: 7 } });

test('no page scrolls sideways from 320 to 1920 px', async ({ page, account, context }) => {
  const [first] = await allDeposits(account);
  for (const path of [
    '/',
    '/balances',
    '/balances/ETH',
    '/deposits',
    `/deposits/${first?.id}`,
    '/withdrawals',
    '/sign-in',
  ]) {
    if (path === '/sign-in') await context.clearCookies();
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path.startsWith('/deposits')) await expect(rowAt(page, 0)).toBeAttached();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(over, { message: `${path} at ${width} px` }).toBeLessThanOrEqual(0);
    }
  }
});
