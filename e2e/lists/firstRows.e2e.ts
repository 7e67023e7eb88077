import type { Page } from 'playwright/test';
import { expect, test } from '#e2e/support/fixtures.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC } from '#e2e/support/withdrawing.ts';

test.use({ seed: { deposits: 60, assets: 7 } });

const SHEET = '[data-static-sheet]';

/** Holds back the app's own script until it is released. */
async function holdApp(page: Page): Promise<() => void> {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/assets\/react-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return go;
}

/** The positions of the heading, the table head and the first `count` rows. */
function lookAt(page: Page, count: number) {
  return page.evaluate((count) => {
    const rectOf = (element: Element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left, top, width, height].map((px) => px.toFixed(2)).join(' ');
    };
    const rows = [...document.querySelectorAll('.list-row')].slice(0, count);
    const cells = rows.flatMap((row) => [row, ...row.children]);
    const around = ['h1', '.list-head-row', '.list-head .cell'].flatMap((one) => [...document.querySelectorAll(one)]);
    return { rows: rows.map((row) => row.outerHTML), places: [...around, ...cells].map(rectOf) };
  }, count);
}

for (const [width, path, deep = ''] of [
  [1440, '/deposits'],
  [1200, '/deposits', ' @deep'],
  [1440, '/withdrawals'],
] as const) {
  test(`the first rows of ${path} are where the app renders them, ${width} px wide${deep}`, async ({
    page,
    account,
  }) => {
    const data = {
      0: { status: 'failed' },
      1: { status: '<b>held</b>' },
      2: { received_amount: '1'.repeat(60), asset: 'ETH' },
    };
    if (path === '/deposits') await account.fault({ path: '/v1/deposits', times: 1, patch: { data } });
    else await withdrawByApi(account, BTC);
    await page.setViewportSize({ width, height: 800 });
    const go = await holdApp(page);
    await page.goto(path, { waitUntil: 'commit' });
    const sheet = page.locator(SHEET);
    await expect(sheet.locator('.list-row').first()).toBeVisible();
    const count = await sheet.locator('.list-row').count();
    const early = await lookAt(page, count);
    // The early rows are not announced, and nothing in them takes the focus.
    await expect(page.getByRole('link')).toHaveCount(0);
    await expect(page.getByRole('button')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(page.locator(`${SHEET} :focus`)).toHaveCount(0);
    go();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(sheet).toHaveCount(0);
    expect(await lookAt(page, count)).toEqual(early);
  });
}

for (const [what, fault, deep = ''] of [
  ['a refusal', { status: 403, body: '{}' }, ' @deep'],
  ['a broken answer', { body: '{"data":[{"id":"dep_1"' }],
  ['a row without a time', { patch: { data: { 0: { created_at: 'soon' } } } }],
] as const) {
  test(`${what} draws no first rows${deep} @deep`, async ({ page, account, expectConsole }) => {
    expectConsole(/403/);
    await account.fault({ path: '/v1/deposits', times: 1, ...fault });
    const go = await holdApp(page);
    const answered = page.waitForResponse(/\/v1\/deposits/);
    await page.goto('/deposits', { waitUntil: 'commit' });
    await answered;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expect(page.locator(`${SHEET} .list-row`)).toHaveCount(0);
    go();
    await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();
  });
}

test('a list works without the script that draws its first rows @deep', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/);
  await page.route(/\/assets\/firstRows-.*\.js$/, (route) => route.abort());
  await page.goto('/deposits');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
});
