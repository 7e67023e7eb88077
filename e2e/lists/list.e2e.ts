import {
  allDeposits,
  cursorsSent,
  idsOf,
  listReads,
  openDeposits,
  PAGE,
  rowAt,
  scrollThrough,
  scrollTo,
} from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.describe('of an account with 180 deposits', () => {
  test.use({ seed: { deposits: 180, assets: 7 } });

  test(
    'paging reaches the end: every deposit once, in the order of the service',
    { tag: '@forwarded' },
    async ({ page, account }) => {
      const all = idsOf(await allDeposits(account));
      await openDeposits(page);
      expect(await scrollThrough(page, all.length)).toEqual(all);
      await expect(page.getByText(`End of list · ${all.length} deposits`)).toBeVisible();
      const cursors = await cursorsSent(account);
      expect(new Set(cursors).size).toBe(cursors.length);
    },
  );

  test('a first page that fails says so with its request id, and Retry reads it', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await page.goto('/deposits');
    const alert = page.getByRole('alert');
    await expect(alert.getByRole('heading', { name: 'Couldn’t load deposits' })).toBeVisible();
    const last = (await listReads(account)).at(-1);
    await expect(alert.getByText(String(last?.request['request_id']))).toBeVisible();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(rowAt(page, 0)).toBeVisible();
    await expect(alert).toHaveCount(0);
  });

  test('a next page that fails leaves the rows; Retry fetches that page and no other @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    const before = (await listReads(account)).length;
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await scrollTo(page, 10);
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t load more.' });
    await expect(alert).toBeAttached();
    await expect(rowAt(page, 12)).toBeVisible();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(alert).toHaveCount(0);
    await rowAt(page, PAGE - 1).scrollIntoViewIfNeeded();
    // Three failed attempts and the retry. The alert disappears when the retry begins, not when it has ended.
    await expect.poll(async () => (await listReads(account)).length - before).toBeGreaterThanOrEqual(4);
    const reads = (await listReads(account)).slice(before);
    const [first] = reads;
    expect(first?.query.get('starting_after')).not.toBeNull();
    expect(reads.slice(0, 4).map(({ query }) => query.toString())).toEqual(
      Array.from({ length: 4 }, () => first?.query.toString()),
    );
    expect(reads.filter(({ query }) => !query.has('starting_after'))).toEqual([]);
  });

  test('Back from another page restores the rows and the scroll position without reading them again @deep', async ({
    page,
    account,
  }) => {
    const all = await allDeposits(account);
    await openDeposits(page);
    const at = (await scrollThrough(page, 71)).length + 2;
    await expect(rowAt(page, at)).toBeInViewport();
    await expect.poll(() => cursorsSent(account)).toHaveLength(2);
    const cursors = await cursorsSent(account);
    await page.getByRole('link', { name: 'Balances' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
    await page.goBack();
    await expect(rowAt(page, at)).toBeInViewport();
    await expect(rowAt(page, at).getByRole('link').first()).toHaveAttribute('href', `/deposits/${all[at]?.id}`);
    expect(await cursorsSent(account)).toEqual(cursors);
  });

  test(
    'a 429 is waited out as Retry-After says, and the page says so @deep',
    { tag: '@forwarded' },
    async ({ page, account, expectConsole }) => {
      expectConsole(/429/);
      await page.clock.install();
      await account.fault({ path: '/v1/deposits', status: 429, headers: { 'Retry-After': '20' } });
      await page.goto('/deposits');
      await expect.poll(async () => (await listReads(account)).length).toBe(1);
      await expect(page.getByText(/^The provider asks us to slow down; next try in \d+ s$/)).toBeVisible();
      await page.clock.runFor(15_000);
      expect(await listReads(account)).toHaveLength(1);
      await page.clock.runFor(6000);
      await expect(rowAt(page, 0)).toBeVisible();
    },
  );

  test(
    'an answer that stalls after its headers runs into the time-out @deep',
    { tag: '@forwarded' },
    async ({ page, account }) => {
      await page.clock.install();
      await account.fault({ path: '/v1/deposits', stall: true, cutAt: 20 });
      await page.goto('/deposits');
      await expect.poll(async () => (await listReads(account)).length).toBe(1);
      await page.clock.runFor(31_000);
      await page.clock.runFor(2000);
      await expect(rowAt(page, 0)).toBeVisible();
    },
  );
});

test('an account without deposits gets a text that says so, and how to get them @deep', async ({ page }) => {
  await page.goto('/deposits');
  await expect(page.getByRole('heading', { name: 'No deposits yet' })).toBeVisible();
  await expect(page.getByText('Create a deposit address and share it')).toBeVisible();
});
