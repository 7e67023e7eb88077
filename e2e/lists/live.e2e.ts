import type { Locator, Page } from 'playwright/test';
import { openDeposits, rowAt, rowOf, scrollTo, tableOf } from '#e2e/support/depositList.ts';
import { expect, setHidden, test } from '#e2e/support/fixtures.ts';
import { listen } from '#e2e/support/heard.ts';
import type { Account } from '#e2e/support/sandbox.ts';

/** Longer than the list's polling interval. */
const NEXT_LOOK = 22_000;
const BTC = { asset: 'BTC', chain: 'bitcoin', amount: '0.015' };
/** Seconds after which a pending deposit of BTC is completed. */
const SETTLED = 1_900;

/** Records which rows (aria-rowindex) get how many animated cells from now on, as an animation may end before a test checks. */
const recordMotion = (page: Page) =>
  tableOf(page).evaluateHandle((table) => {
    const rows = new Map<string, number>();
    const look = (): void => {
      for (const row of table.querySelectorAll('[role=row][aria-rowindex]')) {
        const cells = [...row.querySelectorAll('[role=cell]')];
        const count = cells.filter((cell) => getComputedStyle(cell).animationName !== 'none').length;
        if (count > 0) rows.set(String(row.getAttribute('aria-rowindex')), count);
      }
    };
    new MutationObserver(look).observe(table, { subtree: true, childList: true, attributes: true });
    return rows;
  });

test.use({ seed: { deposits: 60, assets: 3 } });

/** The line above the rows that says how current they are. */
const lineOf = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true });

/** The texts of a row's animated cells. */
const movingCells = (row: Locator) =>
  row
    .getByRole('cell')
    .evaluateAll((cells) =>
      cells.flatMap((cell) => (getComputedStyle(cell).animationName === 'none' ? [] : [cell.textContent])),
    );

test('with reduced motion nothing moves @deep', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openDeposits(page);
  await rowAt(page, 0).getByRole('link').click();
  await expect(page.locator('.list-detail')).toHaveCSS('animation-duration', /^0m?s$/);
});

test('new deposits wait for a click, and a changed one is updated in its place', async ({ page, account }) => {
  await account.deposit({ ...BTC, status: 'pending' });
  await page.clock.install();
  await openDeposits(page);
  await expect(lineOf(page, 'Live · up to date')).toBeVisible();
  const top = rowAt(page, 0);
  await expect(top).toContainText('Pending');
  await top.getByRole('link').click();
  const detail = page.getByRole('region', { name: 'Deposit', exact: true });
  await expect(detail.getByText('Pending', { exact: true })).toBeVisible();
  expect(await movingCells(top)).toEqual([]);
  const topBefore = await top.boundingBox();
  await account.advance(SETTLED);
  await page.clock.runFor(NEXT_LOOK);
  await expect(top).toContainText('Completed');
  expect(await top.boundingBox()).toEqual(topBefore);
  expect(await movingCells(top)).toEqual(['Completed']);
  await expect(detail.getByText('Completed', { exact: true }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status').filter({ hasText: /^\d+ deposits? changed$/ })).toHaveCount(1);

  await scrollTo(page, 8);
  const row = rowAt(page, 12);
  await expect(row).toBeInViewport();
  const before = { box: await row.boundingBox(), text: await row.innerText() };
  await account.deposit(BTC);
  const { id } = await account.deposit({ ...BTC, amount: '0.016' });
  await page.clock.runFor(NEXT_LOOK);
  const news = page.getByRole('button', { name: 'Show 2 new deposits' });
  await expect(news).toBeVisible();
  expect({ box: await row.boundingBox(), text: await row.innerText() }).toEqual(before);
  const moved = await recordMotion(page);
  await news.click();
  await expect(rowOf(page, id)).toBeInViewport();
  await expect(rowOf(page, id)).toHaveAttribute('aria-rowindex', '2');
  const cells = await rowOf(page, id).getByRole('cell').count();
  await expect
    .poll(() => moved.evaluate((rows) => [...rows]))
    .toEqual([
      ['2', cells],
      ['3', cells],
    ]);
  await expect(news).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  // At the top of the list, a refresh shows new rows at once.
  const another = await account.deposit({ ...BTC, amount: '0.017' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(rowOf(page, another.id)).toBeVisible();
});

/** The cursors that the list sent, oldest first. */
async function cursorsOf(account: Account): Promise<string[]> {
  const reads = (await account.requests()).filter(({ path }) => path === '/v1/deposits');
  return reads.flatMap(({ query }) => new URLSearchParams(query).get('starting_after') ?? []);
}

test('a row in sight further down follows the service until it has settled @deep', async ({ page, account }) => {
  const old = Math.floor(Date.now() / 1000) - 2 * 86_400;
  const { id } = await account.deposit({ ...BTC, status: 'pending', created_at: old });
  await Promise.all(Array.from({ length: 60 }, () => account.deposit(BTC)));
  await page.clock.install();
  await openDeposits(page);
  for (const at of [18, 36, 54]) await scrollTo(page, at);
  await expect(rowOf(page, id)).toBeInViewport();
  await expect(rowOf(page, id)).toContainText('Pending');
  const before = await rowOf(page, id).boundingBox();
  const [cursor = ''] = await cursorsOf(account);
  await account.advance(SETTLED);
  await expect(async () => {
    await page.clock.runFor(20_000);
    await expect(rowOf(page, id)).toContainText('Completed', { timeout: 500 });
  }).toPass();
  expect(await rowOf(page, id).boundingBox()).toEqual(before);
  const sent = await cursorsOf(account);
  expect(sent.at(-1)).toBe(cursor);
  // Everything in sight has settled, so nothing is polled any more.
  await page.clock.runFor(10 * 60_000);
  expect(await cursorsOf(account)).toEqual(sent);
});

test('with a status filter the list shows its time, and how many rows have left it @deep', async ({
  page,
  account,
}) => {
  const { id } = await account.deposit({ ...BTC, status: 'pending' });
  await account.deposit({ ...BTC, status: 'on_hold' });
  await page.clock.install();
  await openDeposits(page, '?status=pending');
  await expect(lineOf(page, /^Updated just now$/)).toBeVisible();
  await expect(lineOf(page, /^Live/)).toHaveCount(0);
  await account.advance(SETTLED);
  await page.clock.runFor(NEXT_LOOK);
  const left = page.getByRole('button', { name: /^Show \d+ no longer in this filter$/ });
  await expect(left).toBeVisible();
  await expect(rowOf(page, id)).toContainText('Pending');
  await page.clock.runFor(60_000);
  await expect(lineOf(page, /^Updated .* ago\. Statuses may have changed$/)).toBeVisible();
  await left.click();
  await expect(page.getByText('No deposits match')).toBeVisible();
  await expect(left).toHaveCount(0);
});

test('a failed poll keeps the rows and says since when they are stale @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/500/);
  const said = await listen(page);
  await page.clock.install();
  await openDeposits(page);
  await expect(rowAt(page, 3)).toBeVisible();
  await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
  const stale = page.getByText(/^Not updated since \d\d:\d\d:\d\d/);
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(stale).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(rowAt(page, 3)).toBeVisible();
  await page.clock.runFor(9_000);
  expect((await said()).filter((text) => text.startsWith('Not updated'))).toHaveLength(1);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(stale).toHaveCount(0);
  await expect(lineOf(page, 'Live · up to date')).toBeVisible();
});

test('a key revoked while tabs are open leads to sign-in once, stops all reads, and returns to the same URLs', async ({
  page,
  context,
  account,
  expectConsole,
}) => {
  expectConsole(/401/);
  const next = await account.newKey();
  await page.clock.install();
  const other = await context.newPage();
  await openDeposits(page, '?asset=BTC&order=asc');
  await other.goto('/balances');
  await expect(rowAt(page, 0)).toBeVisible();
  await expect(other.getByRole('button', { name: 'Refresh' })).toBeVisible();
  await account.revokeKey(account.key);
  await page.clock.runFor(NEXT_LOOK);
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/sign-in\?next=/);
    await expect(tab.getByText('The provider no longer accepts this API key.')).toHaveCount(1);
    await expect(tab.getByRole('button', { name: 'Sign in', exact: true })).toHaveCount(1);
  }
  const refused = (await account.requests()).length;
  await page.clock.runFor(5 * 60_000);
  expect(await account.requests()).toHaveLength(refused);
  await page.getByLabel('API key').fill(next);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/deposits?asset=BTC&order=asc');
  await expect(rowAt(page, 0)).toBeVisible();
  await expect(other).toHaveURL('/balances');
  await expect(other.getByRole('button', { name: 'Refresh' })).toBeVisible();
});

test('hidden tabs read nothing, and a tab refreshes once when it is shown @deep', async ({ page, context }) => {
  await page.clock.install();
  const tabs = [page, await context.newPage(), await context.newPage()];
  const reads: string[] = [];
  for (const tab of tabs)
    tab.on('request', (request) => {
      if (request.url().includes('/v1/')) reads.push(`${new URL(tab.url()).pathname}: ${request.url()}`);
    });
  const [, second = page, third = page] = tabs;
  for (const [tab, path] of [
    [page, '/deposits'],
    [second, '/balances'],
    [third, '/withdrawals'],
  ] as const) {
    await tab.goto(path);
    await expect(tab.getByRole('button', { name: 'Refresh' })).toBeVisible();
    // A list is ready a moment after its first rows, and then reads further pages.
    if (path !== '/balances') await expect(tab.getByRole('group', { name: 'Totals' })).toBeVisible();
    // A page that was hidden while loading would read the rest when it can.
    await tab.waitForLoadState('networkidle');
  }
  for (const tab of tabs) await setHidden(tab, true);
  // Let running requests end.
  const readsInFiveSeconds = async () => {
    const before = reads.length;
    await page.clock.runFor(5_000);
    return reads.length - before;
  };
  await expect.poll(readsInFiveSeconds, { intervals: [500] }).toBe(0);
  const readsWhileShown = [...reads];
  await page.clock.runFor(10 * 60_000);
  expect(reads).toEqual(readsWhileShown);
  // A list that wasn't refreshed for so long is not called live.
  await expect(lineOf(page, /^Updated 10 min ago/)).toBeVisible();
  await setHidden(page, false);
  await page.clock.runFor(5_000);
  await expect.poll(() => reads.slice(readsWhileShown.length)).toEqual([expect.stringMatching(/^\/deposits: /)]);
  await expect(lineOf(page, 'Live · up to date')).toBeVisible();
});
