import type { Locator, Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { expectReadable } from '#e2e/support/readable.ts';
import { HELD } from '#e2e/support/sandbox.ts';

const rowOf = (page: Page, asset = ''): Locator =>
  page
    .getByRole('table', { name: 'Balances' })
    .getByRole('row')
    .filter({
      has: page.getByRole('rowheader', { name: asset, exact: true }),
    });

const SIXTY = '123456789012345678901234567890123456789012345678901234567890';

test.describe('of an account with seven assets', () => {
  test.use({ seed: { deposits: 30, assets: 7 } });

  test('every balance is shown as the service sends it, and adds up', async ({ page, account }) => {
    const { data } = await account.read<{ data: Record<string, string>[] }>('/v1/balances?limit=100');
    await page.goto('/balances');
    await expect(page.getByText(/^7 assets\. Balances can be/)).toBeVisible();
    for (const balance of data) {
      for (const [at, part] of ['available', 'pending', 'locked', 'total'].entries()) {
        const shown = await rowOf(page, balance['asset']).getByRole('cell').nth(at).innerText();
        // A zero has no decimals worth aligning.
        const sent = balance[part]?.replace(/^0\.0+$/, '0');
        expect(shown.replaceAll(/,|\s.*$/gu, '')).toBe(sent);
      }
    }
    await expect(page.getByText('Doesn’t add up')).toHaveCount(0);
  });

  test('two balances of one asset are both shown, with a notice @deep', async ({ page, account }) => {
    const { data } = await account.read<{ data: Record<string, string>[] }>('/v1/balances?limit=100');
    const asset = data[0]?.['asset'] ?? '';
    const parts = { available: '777', pending: '0', locked: '0', total: '777' };
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 1: { asset, ...parts } } } });
    await page.goto('/balances');
    await expect(page.getByText('More than one balance of an asset.')).toBeVisible();
    await expect(rowOf(page, asset)).toHaveCount(2);
    await expect(rowOf(page, asset).last()).toContainText('777');
  });

  test('decimal points are aligned, and each head ends over them @deep', async ({ page }) => {
    await page.goto('/balances');
    const table = page.getByRole('table', { name: 'Balances' });
    await expect(table).toBeVisible();
    for (const part of ['available', 'pending', 'locked', 'cash']) {
      const [head = 0, ...points] = await table
        .locator(`.${part} :is(.over-point, .n)`)
        .evaluateAll((parts) => parts.map((each) => each.getBoundingClientRect().right));
      expect(points).toHaveLength(7);
      for (const point of points) expect(Math.abs(point - head), part).toBeLessThan(3);
    }
  });

  test('a wrong total is flagged with the sum of its parts @deep', async ({ page, account }) => {
    const parts = { available: '1.000000000000000001', pending: '0', locked: '2' };
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: { ...parts, total: '3' } } } });
    await page.goto('/balances');
    await expect(page.getByText(/^BTC doesn’t add up\. The three parts make/)).toBeVisible();
    await expect(page.getByText('3.000000000000000001')).toBeVisible();
  });

  test('values that are not amounts are marked, and hostile text stays text @deep', async ({ page, account }) => {
    const first = { available: 1.5, pending: { $set: null }, locked: null, updated_at: 1_795_228_907_000 };
    const second = { asset: '<script>alert(1)</script>\u202Eevil', total: SIXTY };
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: first, 1: second } } });
    await page.goto('/balances');
    await expect(page.getByText('1.5 (a number, not a decimal string)')).toBeVisible();
    await expect(page.getByText('null, no amount')).toBeVisible();
    await expect(page.getByText('not in the response', { exact: true })).toBeVisible();
    await expect(page.getByText('1795228907000 (not a time)')).toBeVisible();
    await expect(page.getByText('<script>alert(1)</script>⟨U+202E⟩evil').first()).toBeVisible();
    for (const width of [375, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(over).toBeLessThanOrEqual(0);
    }
  });

  test('a snapshot shows its age by the service’s clock @deep', async ({ page, account }) => {
    await account.advance(-30 * 86_400);
    // Older than anything in the account's year: no other snapshot says the same.
    const longAgo = Math.floor(Date.now() / 1000) - 30 * 86_400 - 500 * 86_400 - 60;
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: { updated_at: longAgo } } } });
    await page.goto('/balances');
    await expect(page.getByRole('cell', { name: '500 days ago' })).toBeVisible();
  });

  test('a refresh that fails keeps the rows and says since when they are stale @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await page.goto('/balances');
    await expect(rowOf(page, 'ETH')).toBeVisible();
    await account.fault({ path: '/v1/balances', times: 3, status: 500 });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText(/^Not updated since \d\d:\d\d:\d\d/)).toBeVisible();
    await expect(rowOf(page, 'ETH')).toBeVisible();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(/^Not updated since/)).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('a first read that fails shows code and request id, and Retry reads again @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await account.fault({ path: '/v1/balances', times: 3, status: 500 });
    await page.goto('/balances');
    await expect(page.getByRole('heading', { name: 'Couldn’t load balances' })).toBeVisible();
    await expect(page.getByText(/^req_/)).toBeVisible();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(rowOf(page, 'ETH')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('the page of an asset shows its parts, its months, and its latest movements @deep', async ({
    page,
    account,
  }) => {
    const { data } = await account.read<{ data: Record<string, string>[] }>('/v1/balances?limit=100');
    const asset = 'ETH';
    await account.deposit({ asset, chain: 'ethereum', amount: '1.000000000000000001', status: 'pending' });
    const to = data.find((balance) => balance['asset'] !== asset)?.['asset'] ?? '';
    await account.swap({ from: asset, from_amount: '0.001', to, to_amount: '0.002' });
    await page.goto(`/balances/${asset}`);
    const parts = page.getByRole('region', { name: `Balance of ${asset}` });
    await expect(parts.getByRole('row', { name: /^Total/ })).toContainText('Matches the ledger');
    const months = page.getByRole('table', { name: 'Months' });
    await expect(months.getByRole('columnheader', { name: 'Swaps' })).toBeVisible();
    // The widest amounts are not covered.
    await expectReadable(page, months);
    await expect(months.getByRole('row').nth(1)).toContainText('−0.001');
    const latest = page.getByRole('region', { name: 'Latest movements' }).getByRole('listitem');
    await expect(latest.filter({ hasText: /Swapped for (another asset|[A-Z]+)/ })).toContainText('−0.001');
    await expectClean(page, 'one asset', [375]);
    // On a narrow window an amount does not break after every digit.
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 375, height: 900 });
    const total = await parts
      .getByRole('row', { name: /^Total/ })
      .locator('.cash')
      .boundingBox();
    expect(total?.height).toBeLessThan(70);
    if (wide) await page.setViewportSize(wide);

    // The latest months, each of which begins with the closing of the one before.
    await months.getByRole('row').nth(1).getByRole('link').last().click();
    await expect(page).toHaveURL(new RegExp(`/ledger\\?asset=${asset}&created_after=`));
    await page.goBack();
    await parts
      .getByRole('row', { name: /^Pending/ })
      .getByRole('link', { name: /^\d+ deposits?$/ })
      .click();
    await expect(page).toHaveURL(`/deposits?asset=${asset}&status=pending`);
  });

  test('an amount of sixty digits overlaps nothing @deep', async ({ page, account }) => {
    const amount = '12345678901234567890123456789012345678901234567890123.78';
    const { id } = await account.deposit({ asset: 'USDT', chain: 'tron', amount, status: 'pending' });
    await page.goto('/balances/USDT');
    const parts = page.getByRole('table', { name: 'Balance of USDT' });
    await expect(parts.getByRole('row', { name: /^Total/ })).toContainText(/Adds up|Matches the ledger/);
    await expectReadable(page, parts, [375, 1024, 1280, 1440, 1920]);
    await expectReadable(page, page.getByRole('table', { name: 'Months' }));
    await page.goto(`/deposits/${id}`);
    for (const line of await page.getByRole('region', { name: 'Amounts' }).locator('dl > div').all()) {
      const [label, value] = await line.evaluate((each) =>
        ['dt', '.amt'].map((part) => {
          const range = document.createRange();
          range.selectNodeContents(each.querySelector(part) ?? each);
          return range.getBoundingClientRect().toJSON() as DOMRect;
        }),
      );
      expect(label?.right).toBeLessThanOrEqual(value?.left ?? 0);
    }
  });

  test('an asset has a page; the page of an asset never held says so @deep', async ({ page, expectConsole }) => {
    expectConsole(/404/);
    await page.goto('/balances');
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await page.getByRole('link', { name: 'ETH' }).click();
    await expect(page).toHaveURL('/balances/ETH');
    await expect(page).toHaveTitle('ETH balance · Countinghouse');
    await expect(page.getByRole('table', { name: 'Months' })).toBeVisible();
    // The server reads the lists once for everyone.
    expect([...asked].filter((path) => path.startsWith('/v1/'))).toEqual(['/v1/balances/ETH']);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.goto('/balances/NEVER');
    await expect(page.getByRole('heading', { name: 'This account has never held NEVER' })).toBeVisible();
  });
});

test.describe('of an account with a long ledger', () => {
  test.use({ seed: { deposits: 150, assets: 1 } });

  test('a deposit of today changes no closing of an earlier month, whichever of balance and ledger is reloaded first @deep', async ({
    page,
    account,
  }) => {
    await page.clock.install();
    await page.goto('/balances/BTC');
    const rows = page.getByRole('table', { name: 'Months' }).getByRole('row');
    const row = rows.nth(2);
    const figure = page.locator('h1 + p');
    await expect(row).toBeVisible();
    const [now, before, total] = [await rows.nth(1).innerText(), await row.innerText(), await figure.innerText()];
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '5' });
    await account.advance(3);
    // Balances are read again before several pages of the ledger are.
    await page.clock.runFor(80_000);
    await expect(figure).not.toHaveText(total);
    await expect(rows.nth(1)).not.toHaveText(now, { useInnerText: true });
    expect(await row.innerText()).toBe(before);
  });
});

test.describe('of an account with one asset', () => {
  test.use({ seed: { deposits: 1, assets: 1 } });

  test('loading shows no placeholder that later moves the page @deep', async ({ page, account }) => {
    await account.fault({ path: '/v1/balances', ...HELD });
    await page.goto('/balances');
    const heightOf = () =>
      page.getByRole('main').evaluate((main) => main.querySelector('.page-body')?.scrollHeight ?? 0);
    const loading = page.getByText('Loading balances…');
    await expect(loading).toBeVisible();
    const [before, top] = [await heightOf(), (await loading.boundingBox())?.y];
    await account.clearFaults();
    const line = page.getByText(/^1 asset\. Balances can be a few/);
    await expect(line).toBeVisible();
    expect(Math.abs(((await line.boundingBox())?.y ?? 0) - (top ?? 0))).toBeLessThanOrEqual(1);
    expect(before).toBeLessThan(await heightOf());
  });
});

test.describe('of an account whose payments cannot be loaded', () => {
  test.use({ seed: { deposits: 5, assets: 1 } });

  test('the page says so instead of "none", and an impossible total has no history @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    for (const path of ['/v1/deposits', '/v1/withdrawals']) await account.fault({ path, status: 500, times: 99 });
    await page.goto('/balances/BTC');
    const latest = page.getByRole('region', { name: 'Latest movements' });
    await expect(latest).toContainText('Couldn’t load deposits.');
    await expect(latest).toContainText('Couldn’t load withdrawals.');
    await expect(latest).not.toContainText('No movements yet');
    await expect(page.getByRole('region', { name: 'Months' })).toBeVisible();
    await account.fault({ path: '/v1/balances', patch: { total: '99' }, times: 99 });
    await page.reload();
    await expect(page.getByText('Doesn’t add up')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Months' })).toHaveCount(0);
  });
});

test('an account that never held anything gets a text that says so @deep', async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { name: 'No balances yet' })).toBeVisible();
});

test.describe('of an account with 120 assets', () => {
  test.use({ seed: { deposits: 240, assets: 120 } });

  test(
    'all pages of them are read, and one is found by its code @deep',
    { tag: '@forwarded' },
    async ({ page, account }) => {
      await page.goto('/balances');
      await expect(page.getByText('120 assets', { exact: true })).toBeVisible();
      await expect(page.getByRole('table', { name: 'Balances' }).getByRole('row')).toHaveCount(121);
      const { data } = await account.read<{ data: { asset: string }[] }>('/v1/balances?limit=100');
      const wanted = data.at(-1)?.asset ?? '';
      await page.getByLabel('Find an asset').fill(wanted.toLowerCase());
      await expect(page.getByRole('link', { name: wanted, exact: true })).toBeVisible();
    },
  );
});
