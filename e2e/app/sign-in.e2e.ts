import type { Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

const FAILED_SIGN_IN = /Failed to load resource.*\/session/;

async function signInByForm(page: Page, key: string) {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test(
  'signing in shows which money this is, and a reload keeps it @deep',
  { tag: '@forwarded' },
  async ({ visitor: page, account }) => {
    await page.goto('/');
    await expect(page).toHaveTitle(/Sign in/);
    await signInByForm(page, account.key);
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    const money = page.getByText(/^(Sandbox · no real money|127\.0\.0\.1:\d+)/);
    await expect(money.filter({ visible: true })).toHaveCount(1);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await expect(page).toHaveURL('/');
  },
);

test('the sign-in page says whose money it gives access to @deep', async ({ visitor: page }) => {
  await page.goto('/sign-in');
  await expect(page.getByText('Sandbox · no real money')).toBeVisible();
});

test('the key never reaches the page: it is not in storage, cookies or HTML', async ({ page, account }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const reachable = await page.evaluate(() =>
    [
      document.cookie,
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      document.documentElement.outerHTML,
    ].join('\n'),
  );
  expect(reachable).not.toContain(account.key);
  expect(reachable).not.toContain('countinghouse-4');
});

test('a wrong key is reported as wrong', { tag: '@forwarded' }, async ({ visitor: page, expectConsole }) => {
  expectConsole(FAILED_SIGN_IN);
  await page.goto('/sign-in');
  await signInByForm(page, 'sk_wrong');
  await expect(page.getByText('This API key isn’t valid.')).toBeVisible();
  await expect(page.getByText('authentication_error')).toBeVisible();
  await expect(page.getByLabel('API key')).toBeFocused();
  await expect(page).toHaveURL('/sign-in');
});

test('an invisible character in a key is reported before sending, and removed @deep', async ({
  visitor: page,
  account,
}) => {
  await page.goto('/sign-in');
  await signInByForm(page, `${account.key}\u200B`);
  await expect(page.getByText('The API key has an invisible character at its end (U+200B).')).toBeVisible();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await expect(page.getByLabel('API key')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('a key that no header can carry is refused with the reason @deep', async ({ visitor: page }) => {
  await page.goto('/sign-in');
  await signInByForm(page, 'ключ с пробелом');
  await expect(page.getByText('no API key has')).toBeVisible();
});

test(
  'no service behind the gateway is told as such @deep',
  { tag: '@forwarded' },
  async ({ visitor: page, account, expectConsole }) => {
    expectConsole(FAILED_SIGN_IN);
    await account.fault({ path: '/v1/balances', times: 9, drop: true });
    await page.goto('/sign-in');
    await signInByForm(page, account.key);
    await expect(page.getByText('service_unreachable')).toBeVisible();
    await account.clearFaults();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL('/');
  },
);

test(
  'something that is not the payment service is told as such @deep',
  { tag: '@forwarded' },
  async ({ visitor: page, account, expectConsole }) => {
    expectConsole(FAILED_SIGN_IN);
    const portal = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome to the hotel</h1>' };
    await account.fault({ path: '/v1/balances', ...portal });
    await page.goto('/sign-in');
    await signInByForm(page, account.key);
    await expect(page.getByText('not_the_payment_service')).toBeVisible();
    await expect(page.getByText('Welcome to the hotel')).toBeHidden();
  },
);

test('one click opens the demo, and the page names the command of its team', async ({ visitor: page }) => {
  await page.goto('/sign-in');
  await expect(page.getByText('npm run demo:team')).toBeVisible();
  await page.getByRole('button', { name: 'Use the demo key' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('BTC').first()).toBeVisible();
});

test('a deep link survives signing in', { tag: '@forwarded' }, async ({ visitor: page, account }) => {
  await page.goto('/deposits?status=completed&asset=BTC');
  await expect(page).toHaveURL(/\/sign-in/);
  await signInByForm(page, account.key);
  await expect(page).toHaveURL('/deposits?status=completed&asset=BTC');
});

test('signing out ends the session in every tab', async ({ page, context }) => {
  await page.goto('/balances');
  const other = await context.newPage();
  await other.goto('/deposits');
  await expect(other.getByRole('link', { name: 'Balances' })).toBeVisible();
  await inAccountMenu(page, 'Sign out');
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeFocused();
  await expect(other).toHaveURL(/\/sign-in/);
  await other.goto('/balances');
  await expect(other).toHaveURL(/\/sign-in/);
});

test(
  'a revoked key leads to sign-in once, and another key back to the same URL @deep',
  { tag: '@forwarded' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/401/);
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5' });
    const next = await account.newKey();
    await page.goto('/balances');
    await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
    await account.revokeKey(account.key);
    await page.goto('/balances/BTC?x=1');
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(page.getByText('Sign in with another key to return to Balances.')).toBeVisible();
    await signInByForm(page, next);
    await expect(page).toHaveURL('/balances/BTC?x=1');
  },
);

test('two accounts in two browsers never meet @deep', async ({ page, browser, stranger, signIn, origin }) => {
  await stranger.deposit({ asset: 'LTC', chain: 'litecoin', amount: '42.5' });
  const context = await browser.newContext({ baseURL: origin });
  await signIn(context, stranger.key);
  const theirs = await context.newPage();
  await theirs.goto('/balances');
  await expect(theirs.getByText('LTC').first()).toBeVisible();
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(page.getByText('LTC')).toHaveCount(0);
  await context.close();
});

test('only requests made while somebody uses the page keep the session from becoming idle @deep', async ({ page }) => {
  await page.clock.install();
  await page.goto('/deposits');
  await expect(page.getByText('No deposits yet')).toBeVisible();
  const nextPoll = async () => {
    const request = page.waitForRequest(/\/v1\/deposits/);
    await page.clock.runFor(90_000);
    return (await request).headers()['person-active'];
  };
  expect(await nextPoll()).toBeUndefined();
  await page.mouse.move(100, 100);
  await page.keyboard.press('Shift');
  const polls = page.waitForRequest((request) => request.headers()['person-active'] === '1');
  await page.clock.runFor(50_000);
  await polls;
});
