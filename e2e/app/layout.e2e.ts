import { DEEP } from '#src/tests/depth.ts';
import { allDeposits, rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { addByHand } from '#e2e/support/recipients.ts';

const WIDTHS = DEEP ? [320, 375, 640, 768, 1024, 1440, 1920] : [320, 640, 1920];

test.use({ seed: { deposits: 30, assets: 7 } });

test('no page scrolls sideways from 320 to 1920 px @deep', async ({ page, account, context }) => {
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
    if (path === '/sign-in') {
      // Leave the previous page first, which would make requests without its session.
      await page.goto('about:blank');
      await context.clearCookies();
    }
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

test('a page that is longer than the window scrolls in one place: the window itself doesn’t @deep', async ({
  page,
}) => {
  await page.goto('/simulator');
  await expect(page.getByRole('heading', { name: 'Ledger totals' })).toBeAttached();
  const isLonger = await page.locator('.page-body').evaluate((body) => body.scrollHeight > body.clientHeight);
  expect(isLonger).toBe(true);
  const below = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  await expect.poll(below).toBe(0);
});

test('in the search, an amount near the one looked for stays on one line on a phone @deep', async ({
  page,
  account,
}) => {
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '0.499360783568616039' });
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/deposits');
  await expect(rowAt(page, 0)).toBeAttached();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('0.5 ETH');
  const near = page.getByRole('option', { name: /0\.000639216431383961 less/ });
  await expect(near).toBeVisible();
  expect((await near.locator('.amt').boundingBox())?.height).toBeLessThan(30);
});

test('popovers of the list’s bar are inside the window, with words on their buttons @deep', async ({ page }) => {
  await page.goto('/deposits?status=completed');
  await expect(rowAt(page, 0)).toBeAttached();
  for (const width of DEEP ? [320, 375, 897, 1000, 1098, 1280] : [320, 1098]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of [/^Views/, /^Columns/, /^Status/]) {
      await page.getByRole('search').getByRole('button', { name }).click();
      const opened = page.locator('.filter-pop');
      // The bar may not have adapted to the new width yet.
      const outside = () =>
        opened.evaluate((box, end) => {
          const { left, right } = box.getBoundingClientRect();
          return Math.max(0, -left, right - end);
        }, width);
      await expect.poll(outside, { message: `${name} at ${width} px` }).toBe(0);
      if (`${name}`.includes('Views'))
        await expect(opened.getByRole('button', { name: 'Save view' })).not.toHaveCSS('font-size', '0px');
      await page.keyboard.press('Escape');
      await expect(opened).toHaveCount(0);
    }
  }
});

test('a code of 64 characters, as on Cosmos, breaks no page @deep', async ({ page, account }) => {
  const code = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E';
  await account.deposit({ asset: code, chain: 'cosmos', amount: '100' });
  const outside = () =>
    page.evaluate((end) => {
      const texts = [...document.querySelectorAll('main :is(h2, p, a, dd), [role=dialog] *')];
      const ends = texts.filter((each) => each.textContent !== '').map((each) => each.getBoundingClientRect().right);
      return Math.max(document.documentElement.scrollWidth, ...ends) - end;
    }, page.viewportSize()?.width ?? 0);
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/balances/${encodeURIComponent(code)}`);
    await expect(page.getByRole('link', { name: `${code} deposits` })).toBeVisible();
    await expect.poll(outside).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'New withdrawal' }).click();
    await expect(page.getByRole('heading', { name: `${code} balance` })).toBeVisible();
    await expect.poll(outside).toBeLessThanOrEqual(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill(code);
    const label = page.getByRole('dialog').getByText('Asset', { exact: true });
    await expect.poll(async () => (await label.boundingBox())?.height).toBeLessThan(30);
    await expect.poll(outside).toBeLessThanOrEqual(0);
  }
});

test('wider text spacing (WCAG 1.4.12) overflows neither the search button nor an id @deep', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/deposits');
  await expect(rowAt(page, 0)).toBeVisible();
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }',
    );
    document.adoptedStyleSheets = [sheet];
  });
  // The head of cards is hidden, and Tab reaches nothing in it.
  await expect(page.locator('.list-head button')).toHaveCount(0);
  const cut = (all: Element[]) =>
    all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.outerHTML);
  expect(await page.locator('.c-id, .c-cash').evaluateAll(cut)).toEqual([]);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  expect(await page.locator('.find-open').evaluateAll(cut)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
});

test('on paper, the title and the content below it begin at the same edge @deep', async ({ page }) => {
  await page.goto('/recipients');
  await addByHand(page, 'Acme');
  const name = page.getByRole('link', { name: 'Acme', exact: true });
  await expect(name).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  // The second width is that of A4.
  for (const width of [1280, 794]) {
    await page.setViewportSize({ width, height: 1123 });
    const edges = [page.getByRole('heading', { level: 1 }), name].map(async (each) => (await each.boundingBox())?.x);
    const [title, row] = await Promise.all(edges);
    expect(row).toBe(title);
  }
});
