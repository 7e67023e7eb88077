import type { Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { listen } from '#e2e/support/heard.ts';

const CHUNK = '**/assets/OperationsPage-*.js';

/** Counts loads of the app from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

test('a sign-in page of a company’s proxy does not end the session, and a reload recovers @deep', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/403/);
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  const signIn = { contentType: 'text/html', body: '<h1>Sign in to Example Inc.</h1>' };
  await page.route('/v1/**', (route) =>
    route.fulfill({ status: 302, headers: { Location: 'https://login.example/' } }),
  );
  await page.getByRole('link', { name: 'Deposits', exact: true }).click();
  await expect(page.getByText('The response redirects to another page, such as a sign-in page')).toBeVisible();
  await page.unroute('/v1/**');
  await page.route('/v1/**', (route) => route.fulfill({ status: 403, ...signIn }));
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('A web page came back in place of the provider’s response.')).toBeVisible();
  await expect(page.getByText('Example Inc.')).toHaveCount(0);
  await page.unroute('/v1/**');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByText('No deposits yet')).toBeVisible();
});

test('an unknown URL has a page that says so @deep', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { level: 1, name: 'We can’t find this page' })).toBeVisible();
});

test('a page that can’t be loaded offline says so, and names no new version @deep', async ({
  page,
  context,
  expectConsole,
}) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED|MissingChunk/);
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  // The banner loads after the page; offline, its failure would be reported too.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Operations' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Couldn’t load this page' })).toBeVisible();
  await expect(page.getByRole('main').getByText('You’re offline.')).toBeVisible();
});

test.describe('after a deploy', () => {
  test('a missing chunk causes one reload, at the requested page @deep', async ({ page, expectConsole }) => {
    expectConsole(/404/);
    const loads = countLoads(page);
    await page.goto('/balances');
    // Missing in this build: only the reloaded app has it.
    await page.route(CHUNK, (route) => (loads() === 1 ? route.fulfill({ status: 404 }) : route.continue()));
    await page.getByRole('link', { name: 'Operations' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Operations' })).toBeVisible();
    await expect(page).toHaveURL('/operations');
    expect(loads()).toBe(2);
  });

  test('a chunk that stays missing, or is HTML, ends on an error page without a loop @deep', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/MIME type|MissingChunk|module script/);
    const loads = countLoads(page);
    await page.goto('/balances');
    await page.route(CHUNK, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.getByRole('link', { name: 'Operations' }).click();
    await expect(page.getByRole('heading', { name: 'Couldn’t load this page' })).toBeVisible();
    expect(loads()).toBe(2);
    await expect(page.getByRole('link', { name: 'Balances', exact: true })).toBeVisible();
  });
});

test('storage that throws does not keep the app from loading @deep', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
  });
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await inAccountMenu(page, 'Dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a theme other than the system’s applies before the app is loaded @deep', async ({ page, expectConsole }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/balances');
  await inAccountMenu(page, 'Dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const dark = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  expectConsole(/ERR_FAILED/);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', dark);
});

test('theme, zone and the name of the account are remembered @deep', async ({ page }) => {
  await page.goto('/balances');
  await inAccountMenu(page, 'Dark');
  await inAccountMenu(page, 'Local');
  await inAccountMenu(page, 'Account details');
  await page.getByLabel('Account name').fill('Northmill Supply');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeFocused();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: /^Account menu/ })).not.toContainText('UTC');
  await expect(page.getByText('Northmill Supply').filter({ visible: true })).toHaveCount(1);
  // Three lines at the top of a phone, the first one uncut.
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto('/deposits');
  const brand = page.getByRole('link', { name: 'Countinghouse, home' }).filter({ visible: true });
  await expect.poll(async () => (await brand.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
  await expect(page.getByText('Northmill Supply').filter({ visible: true })).toBeInViewport({ ratio: 1 });
});

test('every page can be reached by keyboard alone', async ({ page }) => {
  await page.goto('/balances');
  // It appears with the balances.
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeFocused();
});

test('a narrow window has the same keys, and its page keeps working @deep', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  for (const [key, name] of [
    ['/', 'Search'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog', { name })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name })).toBeHidden();
  }
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
});

test('a narrow window has the same pages behind a menu @deep', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/balances');
  await expect(page.getByText('Sandbox · no real money').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Deposits' })).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Deposits' }).click();
  await expect(page).toHaveURL('/deposits');
  await expect(page.getByRole('link', { name: 'Balances' })).toBeHidden();
});

for (const [look, viewport] of [
  ['at 400 % zoom', { width: 320, height: 256 }],
  ['on a phone held sideways @deep', { width: 667, height: 375 }],
] as const)
  test(`${look} the open menu shows its links, and Tab stays in it @deep`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/balances');
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    await menu.click();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect(links).toHaveText([
      ...[
        /^Home/,
        /^Balances/,
        /^Deposits/,
        /^Withdrawals/,
        /^Addresses/,
        /^Recipients/,
        /^Batches/,
        /^Standing payments/,
      ],
      ...[/^Month close/, /^Ledger/],
      /^My exports/,
      ...[/^Activity/, /^API log/, /^Operations/, /^Webhook replay/, /^New charge/, /^Simulator/],
    ]);
    const clear = (bar: Element) => bar.getBoundingClientRect().bottom;
    const top = await page.locator('.topbar').evaluate(clear);
    for (const link of await links.all()) {
      await page.keyboard.press('Tab');
      while (!(await page.locator('a.tab:focus').count())) await page.keyboard.press('Tab');
      await expect(link).toBeFocused();
      const box = await link.boundingBox();
      expect(box?.y ?? 0).toBeGreaterThanOrEqual(top);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    }
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeFocused();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main') ?? null)).toBeNull();
    await menu.focus();
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
    await expect(links.first()).toBeHidden();
  });

test.describe('without a connection', () => {
  test.use({ seed: { deposits: 5, assets: 1 } });

  test('a page that was not loaded yet says so, and loaded pages stay @deep', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to|MissingChunk|banner could not be loaded/);
    await page.goto('/deposits');
    await expect(rowAt(page, 0)).toBeVisible();
    // Wait for what loads after the rows.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Month close' }).click();
    await expect(page.getByText(/You’re offline\./)).toBeVisible();
    await page.getByRole('link', { name: 'Deposits', exact: true }).click();
    await expect(rowAt(page, 0)).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Month close' }).click();
    await page.getByRole('link', { name: 'Reload' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Month close' })).toBeVisible();
  });
});

test.describe('for everybody', () => {
  test.use({ seed: { deposits: 30, assets: 7 }, permissions: ['clipboard-read', 'clipboard-write'] });

  test('an amount is one word to a screen reader, and decimal points are aligned', async ({ page }) => {
    await page.goto('/balances');
    await expect(page.locator('main .amt').first()).toBeVisible();
    const parts = await page.locator('main .amt .n').evaluateAll((all) => all.map((n) => getComputedStyle(n).display));
    expect(new Set(parts)).toEqual(new Set(['inline']));
  });

  test('if a page may not write to the clipboard, a dialog still copies and keeps the focus @deep', async ({
    page,
    account,
  }) => {
    await page.goto('/balances');
    await page.evaluate(async () => {
      await navigator.clipboard.writeText('what was there before');
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    });
    await inAccountMenu(page, 'Account details');
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy sandbox ID' });
    await copy.click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(account.id);
    await expect(copy).toBeFocused();
  });

  test('forced colours still show what is selected, current and open @deep', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto('/deposits');
    const outlined = (selector: string) => expect(page.locator(selector).first()).toHaveCSS('outline-style', 'solid');
    await outlined('.tab[aria-current]');
    await page.keyboard.press('Control+k');
    await outlined('[role=option][aria-selected=true]');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await outlined('.account-menu [aria-pressed=true]');
    // A focused choice looks different from one that is only selected.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(page.locator('.account-menu [aria-pressed=true]:focus')).toHaveCSS('outline-style', 'dashed');
    await page.keyboard.press('Escape');
    await page.goto('/deposits?status=completed');
    await outlined('.filter.set .filter-main');
    await rowAt(page, 0).getByRole('link').first().click();
    await outlined('.list-row[aria-current]');
  });

  test('changes are announced: other rows, no row, search results, a field without a match @deep', async ({ page }) => {
    const said = await listen(page);
    const heard = (words: RegExp) =>
      expect.poll(async () => (await said()).find((text) => words.test(text)) ?? '').toMatch(words);
    await page.goto('/deposits');
    await expect(rowAt(page, 0)).toBeVisible();
    expect((await said()).join()).not.toMatch(/deposit/);
    await page.getByRole('button', { name: /^Status / }).click();
    await page.getByRole('button', { name: 'completed', exact: true }).click();
    await heard(/^\d+ deposits/);
    await page.getByRole('button', { name: /^Asset / }).click();
    await page.keyboard.type('none');
    await page.getByRole('button', { name: /^Use “none” exactly/ }).click();
    await heard(/^No deposits match/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).fill('eth');
    await heard(/^3 results/);
    await page.keyboard.press('Escape');
    await page.goto('/withdrawals/new');
    await page.getByLabel('Recipient', { exact: true }).fill('nobody of that name');
    await heard(/^No /);
  });

  test('a dialog is as high as its content, is announced, and returns the focus @deep', async ({ page }) => {
    await page.goto('/balances');
    await inAccountMenu(page, 'Account details');
    const dialog = page.getByRole('dialog', { name: 'Account details' });
    await expect(dialog).toHaveCSS('display', 'block');
    expect((await dialog.boundingBox())?.height).toBeLessThan(500);
    // A tooltip in the dialog is inside it, and Escape closes only the tooltip.
    await dialog.getByRole('button', { name: 'Copy account ID' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('tooltip')).toHaveText('Copy account ID');
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('tooltip')).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('status')).toHaveText('Copied');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeFocused();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeFocused();
  });

  test('moving the pointer from a control to its tooltip keeps the tooltip open @deep', async ({ page }) => {
    await page.goto('/deposits');
    await page.getByRole('button', { name: 'Export' }).hover();
    const tip = page.getByRole('tooltip');
    await expect(tip).toBeVisible();
    const [button, box] = [await page.getByRole('button', { name: 'Export' }).boundingBox(), await tip.boundingBox()];
    const x = (box?.x ?? 0) + 4;
    for (let y = (button?.y ?? 0) + (button?.height ?? 0) - 1; y < (box?.y ?? 0) + 4; y += 1)
      await page.mouse.move(x, y);
    await expect(tip).toBeVisible();
    // Escape closes only the tooltip, not the detail.
    await rowAt(page, 0).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Next deposit' }).hover();
    await expect(tip).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Deposit', exact: true })).toBeVisible();
  });
});

test('robots.txt excludes robots', async ({ visitor: page }) => {
  const answer = await page.request.get('/robots.txt');
  expect(answer.headers()['content-type']).toContain('text/plain');
  expect(await answer.text()).toBe('User-agent: *\nDisallow: /\n');
});

test('a read-only dashboard offers support agents no way to move money', { tag: '@read-only' }, async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByText('Read only').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'New withdrawal' })).toHaveCount(0);
});
