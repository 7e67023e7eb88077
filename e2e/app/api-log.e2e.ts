import type { Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { BTC, expect, expectAccepted, postsOf, resend, sendAndLose, test } from '#e2e/support/withdrawing.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const rows = (page: Page) => page.locator('.list-place tbody tr');
const rowOf = (page: Page, text: string) => rows(page).filter({ hasText: text });
const panelOf = (page: Page) => page.getByRole('region', { name: 'Request', exact: true });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens the log by the navigation link, because a reload would empty it. */
async function openRequests(page: Page) {
  await page.getByRole('link', { name: 'API log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'API log' })).toBeVisible();
}

/** Makes this tab read the session again, as after a sign-in in another tab: one more call in the log. */
const callFromElsewhere = (page: Page) => page.evaluate(() => new BroadcastChannel('session').postMessage('signed-in'));

test('a read that was tried again is one call; opened by keyboard, it is copied as cURL without its key @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/502/);
  const html = '<h1>Bad gateway</h1><script>document.title = "run"</script>';
  await account.fault({ path: '/v1/balances/BTC', times: 1, status: 502, body: html });
  await page.goto('/balances/BTC');
  // Visible once the second attempt was answered. Leaving the page earlier would cancel it.
  await expect(page.getByRole('region', { name: 'Balance of BTC' })).toBeVisible();
  await openRequests(page);
  await expect(rowOf(page, '/v1/balances/BTC')).toContainText('200');
  await expect(rowOf(page, '/v1/balances/BTC')).toContainText('2 attempts');

  await rowOf(page, '2 attempts').getByRole('link').focus();
  await page.keyboard.press('Enter');
  const seen = (await account.requests()).filter(({ path, attempt }) => path === '/v1/balances/BTC' && attempt);
  for (const request of seen)
    await expect(panelOf(page).getByText(String(request['request_id'])).first()).toBeVisible();
  await expect(panelOf(page).getByRole('region', { name: 'Response', exact: true })).toContainText(
    '"object": "balance"',
  );

  await panelOf(page).getByRole('button', { name: 'Copy as cURL' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => clipboard(page)).toContain('curl');
  expect(await clipboard(page)).toBe(
    `curl --globoff --include --header "x-api-key: $API_KEY" --header 'Accept: application/json' --url "$BASE_URL"'/v1/balances/BTC'`,
  );

  // Escape goes back to the row; the search finds the call by a failed attempt.
  await page.keyboard.press('Escape');
  await expect(rowOf(page, '2 attempts').getByRole('link')).toBeFocused();
  await page.getByRole('button', { name: 'Result any' }).click();
  await page.getByRole('button', { name: '5xx' }).click();
  await expect(page).toHaveURL('/api-log?outcome=5xx');
  await expect(rows(page)).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL('/api-log');
  await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(1);
});

test('the log of a withdrawal sent twice under one key has this page’s requests, without bodies @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  await resend(page, account);
  await expectAccepted(page);

  await openRequests(page);
  await page.getByRole('button', { name: 'Kind all calls' }).click();
  await expect(page).toHaveURL('/api-log?operations=only');
  const post = (await postsOf(account)).at(-1);
  const key = String(post?.idempotency_key);
  // Recorded, checked once automatically, sent again.
  await expect(rowOf(page, 'PUT')).toHaveCount(1);
  await expect(rowOf(page, '/send')).toHaveCount(1);
  await rowOf(page, '/send').getByRole('link').click();
  await expect(panelOf(page).getByText(key, { exact: true })).toBeVisible();
  await expect(panelOf(page).getByText('A call to the gateway itself')).toBeVisible();
  await expect(panelOf(page).getByRole('button', { name: 'Copy as cURL' })).toHaveCount(0);

  await panelOf(page).getByRole('button', { name: 'Copy for support' }).click();
  await expect.poll(() => clipboard(page)).toContain('Countinghouse: 1 call');
  expect(await clipboard(page)).toContain(key);
  for (const secret of [account.key, BTC.address, BTC.amount]) expect(await clipboard(page)).not.toContain(secret);
  await panelOf(page).getByRole('link', { name: 'View operation' }).click();
  await expect(page).toHaveURL(new RegExp(`/operations/${key}$`));
});

test('new calls move no row; a button adds them @deep', async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('rowheader', { name: 'BTC' })).toBeVisible();
  await openRequests(page);
  const before = await rows(page).count();
  await callFromElsewhere(page);
  // The page's reads of the operations may come in between.
  const newer = page.getByRole('button', { name: /newer calls?$/ });
  await expect(newer).toBeVisible();
  await expect(rows(page)).toHaveCount(before);
  await expect(rowOf(page, '/session')).toHaveCount(0);
  await newer.click();
  await expect(rowOf(page, '/session')).toHaveCount(1);
  expect(await rows(page).count()).toBeGreaterThan(before);
  // The gateway's own calls have no bodies and no command.
  await rowOf(page, '/session').getByRole('link').click();
  await expect(panelOf(page).getByText('A call to the gateway itself')).toBeVisible();
  await expect(panelOf(page).getByRole('button', { name: 'Copy as cURL' })).toHaveCount(0);
});

test('successful reads are one row; a reload starts an empty log, and nothing is stored @deep', async ({
  page,
  account,
}) => {
  await page.goto('/balances/BTC');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await openRequests(page);
  const bar = page.getByRole('button', { name: /newer calls?$/ });
  const newer = async () => {
    await callFromElsewhere(page);
    return Number(/\d+/.exec((await bar.textContent()) ?? '')?.[0] ?? 0);
  };
  await expect.poll(newer, { intervals: [1], timeout: 25_000 }).toBeGreaterThan(5);
  await bar.click();
  const fold = page.getByRole('button', { name: /^GET \/session ×\d+$/ });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  const folded = await rows(page).count();
  // The page's own calls are among the new ones.
  const calls = Number((await fold.textContent())?.split('×')[1]);
  await fold.click();
  await expect(rows(page)).toHaveCount(folded + calls);
  const link = rowOf(page, '/session').getByRole('link').first();
  const path = await link.getAttribute('href');
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(panelOf(page)).toBeVisible();
  await expect(page.locator('tr.open')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.locator(`a[href="${path}"]`)).toBeFocused();

  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'API log' })).toBeVisible();
  await expect(rowOf(page, '/v1/balances/BTC')).toHaveCount(0);
  const stored = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  for (const secret of [account.key, '/v1/balances', 'x-api-key']) expect(stored).not.toContain(secret);
});

test('the log ends with the session @deep', async ({ page, account }) => {
  await page.goto('/balances/BTC');
  await expect(page.getByRole('heading', { level: 1, name: 'BTC' })).toBeVisible();
  await openRequests(page);
  await expect(rowOf(page, '/v1/balances/BTC')).toBeVisible();
  await inAccountMenu(page, 'Sign out');
  await page.getByLabel('API key').fill(account.key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await openRequests(page);
  await expect(rowOf(page, '/v1/balances/BTC')).toHaveCount(0);
  await page.goto('/api-log/999');
  await expect(panelOf(page).getByText('Not in this tab’s log')).toBeVisible();
});

test('hostile paths, headers and bodies are text, and the layout holds @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/418/);
  const asset = `<img src=x>'; touch x #\u202E${'W'.repeat(150)}`;
  const body = JSON.stringify({ error: { code: '\u202Edoc', message: `<b>${'m'.repeat(100_000)}</b>`, type: 7 } });
  await account.fault({ path: '/v1/balances/', times: 3, status: 418, body });
  await page.goto(`/balances/${encodeURIComponent(asset)}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await openRequests(page);
  await rowOf(page, '418').getByRole('link').click();
  await expect(panelOf(page).getByText('⟨U+202E⟩doc', { exact: true })).toBeVisible();
  await expect(panelOf(page).getByText('The first 65,536 of')).toBeVisible();
  await panelOf(page).getByRole('button', { name: 'Copy as cURL' }).click();
  await expect.poll(() => clipboard(page)).toContain(`%3Cimg%20src%3Dx%3E'\\''%3B%20touch%20x%20%23%E2%80%AE`);
  for (const width of [320, 375, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(over, { message: `at ${width} px` }).toBeLessThanOrEqual(0);
  }
});

test('axe finds nothing on the log and on a call @deep', async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('rowheader', { name: 'BTC' })).toBeVisible();
  await openRequests(page);
  await expectClean(page, 'the log', [375]);
  await rows(page).getByRole('link').first().click();
  await expect(panelOf(page).getByRole('region', { name: 'Response', exact: true })).toBeVisible();
  await expectClean(page, 'a call');
});
