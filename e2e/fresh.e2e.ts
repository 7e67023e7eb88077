import { openDeposits, rowAt, rowOf, scrollTo } from './depositList.ts';
import { expect, test } from './fixtures.ts';

/** Longer than the list waits between two looks at its first page. */
const NEXT_LOOK = 22_000;
const BTC = { asset: 'BTC', chain: 'bitcoin', amount: '0.015' };

test.use({ seed: { deposits: 60, assets: 3 } });

test('new deposits are announced, no row moves, and they are shown when asked for', async ({ page, account }) => {
  await page.clock.install();
  await openDeposits(page);
  await scrollTo(page, 8);
  const row = rowAt(page, 12);
  await expect(row).toBeInViewport();
  const before = { box: await row.boundingBox(), text: await row.innerText() };
  await account.deposit(BTC);
  const { id } = await account.deposit({ ...BTC, amount: '0.016' });
  await page.clock.runFor(NEXT_LOOK);
  const news = page.getByRole('button', { name: '2 new deposits' });
  await expect(news).toBeVisible();
  expect({ box: await row.boundingBox(), text: await row.innerText() }).toEqual(before);
  await news.click();
  await expect(rowOf(page, id)).toBeInViewport();
  await expect(rowOf(page, id)).toHaveAttribute('aria-rowindex', '2');
  await expect(news).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('"Read again" at the top of the list shows what is new at once', async ({ page, account }) => {
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  const { id } = await account.deposit(BTC);
  await page.getByRole('button', { name: 'Read again' }).click();
  await expect(rowOf(page, id)).toBeVisible();
});

test('a refresh that fails keeps the rows and says since when they are stale', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/500/);
  await openDeposits(page);
  await expect(rowAt(page, 3)).toBeVisible();
  await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
  await page.getByRole('button', { name: 'Read again' }).click();
  const stale = page.getByRole('status').filter({ hasText: /^Stale since \d\d:\d\d:\d\d/ });
  await expect(stale).toBeVisible();
  await expect(rowAt(page, 3)).toBeVisible();
  await stale.getByRole('button', { name: 'Read again' }).click();
  await expect(stale).toHaveCount(0);
  await expect(page.getByText('No newer deposits.')).toBeVisible();
});

test('a key revoked behind an open list leads to sign-in once, stops reading, and comes back to the same URL', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/401/);
  const next = await account.newKey();
  await page.clock.install();
  await openDeposits(page, '?asset=BTC&order=asc');
  await expect(rowAt(page, 0)).toBeVisible();
  await account.revokeKey(account.key);
  let refused = 0;
  page.on('response', (response) => {
    if (response.url().includes('/v1/')) refused += 1;
  });
  await page.clock.runFor(NEXT_LOOK);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByText('The session has ended.')).toHaveCount(1);
  const until = refused;
  await page.clock.runFor(5 * 60_000);
  expect(refused).toBe(until);
  await page.getByLabel('API key').fill(next);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/deposits?asset=BTC&order=asc');
  await expect(rowAt(page, 0)).toBeVisible();
});
