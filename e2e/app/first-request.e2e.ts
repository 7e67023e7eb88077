import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 3, assets: 2 } });

test('the first requests leave before the app is loaded, and its queries use them @deep', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/404.*wd_none/);
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/v1/') || pathname === '/api/overview') reads.push(pathname + search);
  });
  for (const [path, first] of [
    ['/', ['/api/overview?zone=UTC&refresh=true']],
    ['/balances', ['/v1/balances?limit=100']],
    ['/deposits?order=asc', ['/v1/deposits?limit=50&order=asc']],
    ['/withdrawals/wd_none', ['/v1/withdrawals/wd_none', '/v1/withdrawals?limit=50']],
    ['/withdrawals/new', []],
  ] as const) {
    let letGo = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/assets/app-*.js', async (route) => {
      await asked;
      await route.continue();
    });
    // Don’t count requests of the previous page.
    await page.goto('about:blank');
    reads.length = 0;
    await page.goto(path, { waitUntil: 'commit' });
    await expect.poll(() => reads, path).toEqual(first);
    letGo();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'countinghouseEarly')?.length ?? 0), path).toBe(0);
    for (const url of first) expect(reads.filter((read) => read === url)).toHaveLength(1);
    await page.unrouteAll({ behavior: 'wait' });
  }
});
