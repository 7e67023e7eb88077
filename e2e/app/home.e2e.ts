import type { Locator, Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { choose } from '#e2e/support/choose.ts';
import { tableOf } from '#e2e/support/depositList.ts';
import { watchShifts } from '#e2e/support/shifts.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { expectReadable } from '#e2e/support/readable.ts';
import { type Account, HELD } from '#e2e/support/sandbox.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC, sendAndLose } from '#e2e/support/withdrawing.ts';

const DAY = 86_400;
const HOUR = 3600;

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const attention = (page: Page): Locator => part(page, 'Needs attention');
const waiting = (page: Page): Locator =>
  attention(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const checked = (page: Page): Locator => attention(page).getByRole('status').last();
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' }).click();
const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

/** Seeds a year in which some deposits of the last week failed. */
async function handleFailed(page: Page) {
  await expect(checked(page)).toContainText('Checked');
  const buttons = attention(page).getByRole('button', { name: /^Mark (all )?as handled/ });
  for (let left = await buttons.count(); left > 0; left -= 1) {
    await buttons.first().click();
    await expect(buttons).toHaveCount(left - 1);
  }
}

async function openHome(page: Page) {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
}

/** Moves the account to noon of its next day, so that no test runs across midnight. */
async function toNoon(account: Account): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await account.advance((Math.floor(now / DAY) + 1) * DAY + DAY / 2 - now);
}

/** Expects the list behind a link to have this many rows, all with these words. */
async function expectList(page: Page, count: number, words: RegExp) {
  const rows = tableOf(page).getByRole('row');
  await expect(rows).toHaveCount(count + 1);
  for (const row of (await rows.all()).slice(1)) await expect(row).toContainText(words);
}

test('an asset with many digits leaves every amount whole @deep', async ({ page, account }) => {
  const amount = '1234567890.123456789012345678';
  await account.deposit({ asset: 'SHIB', chain: 'ethereum', amount, status: 'completed' });
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '5.563191981281581820', status: 'pending' });
  await openHome(page);
  await expectReadable(page, page.getByRole('table', { name: 'Received', exact: true }));
  const balances = part(page, 'Balances');
  await expect(balances).toContainText('1,234,567,890.123456789012345678 SHIB');
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => balances.evaluate((place) => place.scrollWidth - place.clientWidth)).toBe(0);
    for (const figure of ['Pending', 'Locked'])
      await expect(balances.locator(`td[data-label="${figure}"]`).first()).toBeVisible();
  }
  const eth = part(page, 'Latest activity').getByRole('listitem').filter({ hasText: '5.563191981281581820' });
  expect(await eth.locator('.amt').evaluate((shown) => shown.getClientRects().length)).toBe(1);
});

test('the second click of a double click doesn’t hit the next payment @deep', async ({ page, account }) => {
  for (const status of ['failed', 'expired', 'rejected'])
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status });
  await openHome(page);
  await expect(waiting(page)).toHaveCount(3);
  await waiting(page).first().getByRole('button', { name: 'Mark as handled' }).hover();
  await page.mouse.down();
  await page.mouse.up();
  await expect(waiting(page)).toHaveCount(2);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.reload();
  await expect(checked(page)).toContainText('Checked');
  await expect(waiting(page)).toHaveCount(2);
});

test('failed deposits share one line: marked as handled at once, for colleagues too, and undone @deep', async ({
  page,
  account,
  colleague,
}) => {
  for (const amount of ['1', '2', '3'])
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount, status: 'failed' });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '4' });
  await openHome(page);
  const line = waiting(page).filter({ hasText: '3 deposits failed in 7 days' });
  await expect(waiting(page)).toHaveCount(1);
  await expect(line).toHaveCount(1);
  await line.getByRole('button', { name: 'Mark all as handled (3 deposits)' }).click();
  await expect(waiting(page)).toHaveCount(0);
  await expect(attention(page).getByText('3 deposits marked as handled.')).toBeVisible();
  const other = await colleague();
  await openHome(other);
  await expect(checked(other)).toHaveText(/^All clear\./);
  const undo = attention(page).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await undo.press('Enter');
  await expect(line).toHaveCount(1);
  await expect(undo).toHaveCount(0);
  await line.getByRole('link', { name: 'View' }).click();
  await expectList(page, 3, /Failed/);
});

test('an undo of more marks than the quota of a minute allows says how far it is @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/429/);
  for (let n = 0; n < 62; n += 1)
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status: 'failed' });
  await openHome(page);
  await waiting(page).getByRole('button', { name: 'Mark all as handled (62 deposits)' }).click();
  await attention(page).getByRole('button', { name: 'Undo' }).click();
  await expect(attention(page).getByText(/^59 of 62 undone\. Keep this page open\.$/)).toBeVisible({ timeout: 30_000 });
});

test('a line that arrives after the page was drawn waits for a click and moves nothing @deep', async ({
  page,
  account,
}) => {
  for (const status of ['failed', 'completed'])
    await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status });
  const moved = await watchShifts(page);
  await page.setViewportSize({ width: 640, height: 900 });
  await account.fault({ path: '/v1/deposits', times: 99, ...HELD });
  await openHome(page);
  await expect(part(page, 'Balances').getByRole('row', { name: 'BTC' })).toBeVisible();
  await account.clearFaults();
  await expect(checked(page)).toHaveText('1 needs attention. Show');
  await expect(part(page, 'Latest activity').getByRole('listitem')).toHaveCount(2);
  await expect(waiting(page)).toHaveCount(0);
  expect(await moved()).toBeLessThan(0.05);
  await attention(page).getByRole('button', { name: 'Show' }).click();
  await expect(waiting(page)).toHaveText([/Failed.*1\sBTC/]);
  await expect(attention(page)).toBeFocused();
});

test('late lines and failed checks are both shown @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status: 'failed' });
  await account.fault({ path: '/v1/deposits', times: 99, ...HELD });
  await account.fault({ path: '/v1/withdrawals', times: 99, status: 500 });
  await openHome(page);
  await expect(part(page, 'Balances').getByRole('row', { name: 'BTC' })).toBeVisible();
  await account.clearFaults();
  await account.fault({ path: '/v1/withdrawals', times: 99, status: 500 });
  await expect(attention(page).getByText('1 needs attention. Show')).toBeVisible();
  await expect(checked(page)).toContainText('Can’t check right now: withdrawals didn’t load');
  await account.clearFaults();
  await attention(page).getByRole('button', { name: 'Retry' }).click();
  await expect(checked(page)).toHaveText('1 needs attention. Show');
});

test('a possibly stuck payment isn’t counted as needing attention before the usual time is known @deep', async ({
  page,
  account,
}) => {
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status: 'failed' });
  await account.deposit({
    asset: 'BTC',
    chain: 'bitcoin',
    amount: '2',
    status: 'on_hold',
    created_at: ago(25 * HOUR),
  });
  // Longer than the page waits before it draws.
  await account.fault({ path: '/v1/deposits', times: 99, delay: 4000 });
  await account.fault({ path: '/v1/ledger-entries', times: 99, ...HELD });
  await openHome(page);
  await expect(checked(page)).toHaveText('1 needs attention. Show');
  await account.clearFaults();
  await expect(checked(page)).toHaveText('2 need attention. Show');
});

test('two tabs and a colleague cause only one reading at the provider @deep', async ({
  page,
  context,
  account,
  colleague,
}) => {
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1' });
  await openHome(page);
  await expect(part(page, 'Latest activity').getByRole('listitem')).toHaveCount(1);
  const readings = async () => (await account.requests()).filter(({ query }) => query.includes('limit=100')).length;
  const before = await readings();
  const other = await context.newPage();
  // Not a request for new payments: the page shows what the server has.
  for (const tab of [other, await colleague()]) {
    await tab.route('**/api/overview?*', (route) =>
      route.continue({ url: route.request().url().replace('&refresh=true', '') }),
    );
    await openHome(tab);
    await expect(part(tab, 'Latest activity').getByRole('listitem')).toHaveCount(1);
  }
  for (const tab of [page, other]) await tab.clock.install();
  for (const tab of [page, other]) await tab.clock.runFor(40_000);
  expect(await readings()).toBe(before);
});

test('a payment that a colleague took is shown as taken to others until it is handled @deep', async ({
  account,
  colleague,
}) => {
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1', status: 'failed' });
  const [ada, ben, nobody] = [await colleague('Ada'), await colleague('Ben'), await colleague()];
  for (const page of [ada, ben, nobody]) await openHome(page);
  await expect(waiting(nobody).getByRole('button', { name: 'Take this' })).toHaveAccessibleDescription(
    'Sign in with your name to take this',
  );
  await waiting(ada).getByRole('button', { name: 'Take this (1 BTC deposit)' }).click();
  await expect(waiting(ada)).toContainText('Ada (not verified) took this');
  await ben.reload();
  await expect(waiting(ben)).toContainText('Ada (not verified) took this');
  await waiting(ben).getByRole('button', { name: 'Mark as handled' }).click();
  await expect(waiting(ben)).toHaveCount(0);
  await attention(ben).getByRole('button', { name: 'Undo' }).click();
  await expect(waiting(ben)).toContainText('Ben (not verified) took this');
  await waiting(ben).getByRole('button', { name: 'Release' }).click();
  await expect(waiting(ben).getByRole('button', { name: 'Take this' })).toBeVisible();
});

test('payments since the last visit are counted, with a link to them @deep', async ({ page, account }) => {
  const btc = { asset: 'BTC', chain: 'bitcoin' };
  await account.deposit({ ...btc, amount: '1' });
  await openHome(page);
  const activity = part(page, 'Latest activity');
  await expect(activity.getByRole('listitem')).toHaveCount(1);
  await account.advance(3 * HOUR);
  await page.reload();
  await expect(activity).toContainText(/Nothing new since you were last here, /);
  await account.deposit({ ...btc, amount: '2' });
  await account.deposit({ ...btc, amount: '3' });
  await page.reload();
  await activity.getByRole('link', { name: '2 deposits' }).click();
  await expectList(page, 2, /BTC/);
});

test('a new account has three first steps that tick themselves off, until money comes @deep', async ({
  page,
  account,
}) => {
  await openHome(page);
  const steps = part(page, 'First steps').getByRole('listitem');
  await expect(steps).toHaveCount(3);
  await expect(steps.first().getByRole('link', { name: 'Create address' })).toBeVisible();
  await expect(attention(page)).toHaveCount(0);
  await steps.last().getByRole('link', { name: 'Open simulator' }).click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(steps.last()).toContainText('Done');
  await expectClean(page, 'home of a new account', [375]);
  await page.getByRole('link', { name: 'Month close' }).click();
  await expect(page.getByText(/^No payments, ledger entries or balances up to the end of /)).toBeVisible();
  await page.getByRole('link', { name: 'Home', exact: true }).click();

  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '3' });
  await refresh(page);
  await expect(checked(page)).toHaveText(
    /^All clear\. Checked .*: 0 deposits and 0 withdrawals in progress, 1 balance\.$/,
  );
  await expect(part(page, 'First steps')).toHaveCount(0);
});

test('sums received are exact per asset by the service’s clock, and each count links to its rows @deep', async ({
  page,
  account,
}) => {
  await toNoon(account);
  const eth = { asset: 'ETH', chain: 'ethereum' };
  await account.deposit({ ...eth, amount: '3.000000000000000001' });
  await account.deposit({ ...eth, amount: '10000000000000000000000' });
  const moving = await account.deposit({ ...eth, amount: '0.5', status: 'on_hold' });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.12' });
  await account.deposit({ ...eth, amount: '7', created_at: ago(DAY) });
  await account.deposit({ asset: 'LTC', chain: 'litecoin', amount: '2' });
  await account.deposit({ asset: 'LTC', chain: 'litecoin', amount: '3', status: 'confirmed' });
  await openHome(page);
  const flows = part(page, 'Received and sent');
  // By keyboard, the chart announces and shows the amount of each day.
  const chart = flows.getByRole('slider', { name: /received per day, .* to .*, most on .*: / });
  await chart.focus();
  await page.keyboard.press('Home');
  const first = await chart.getAttribute('aria-valuetext');
  await page.keyboard.press('End');
  await expect(chart).toHaveAttribute('aria-valuetext', /^\d+ \w+ 20\d\d: [1-9]/);
  await expect(chart).not.toHaveAttribute('aria-valuetext', first ?? '');
  await expect(chart).toContainText((await chart.getAttribute('aria-valuetext')) ?? '');
  await flows.getByRole('button', { name: 'Today' }).click();
  const line = (asset: string) => flows.getByRole('row', { name: asset });
  await expect(line('ETH')).toContainText('10,000,000,000,000,000,000,003.000000000000000001 ETH');
  await expect(line('ETH').getByRole('link', { name: '1 on_hold' })).toBeVisible();
  await expect(line('BTC')).toContainText(/1 deposit.*0\.12\sBTC/);
  // Each number is the row count of its list.
  await expect(line('LTC')).toContainText(/1 completed, 1 confirmed.*5\sLTC/);
  await expect(line('LTC').getByRole('link', { name: '1 confirmed' })).toHaveAttribute(
    'href',
    /status=confirmed&asset=LTC/,
  );
  await expect(part(page, 'Balances').getByRole('row', { name: 'BTC' })).toContainText('0.12');
  await expect(part(page, 'Latest activity').getByRole('listitem')).toHaveCount(7);
  await expect(checked(page)).toHaveText(/^All clear\. Checked .*: 1 deposit and /);

  await account.depositTo(moving.id, 'completed');
  await refresh(page);
  await expect(line('ETH')).toContainText('003.500000000000000001 ETH');
  await inAccountMenu(page, 'Hide amounts');
  await expect(page.getByRole('main')).not.toContainText('0.12');
  await line('ETH').getByRole('link', { name: '3 deposits' }).click();
  await expect(page).toHaveURL(/^[^?]*\/deposits\?status=completed&asset=ETH&created_after=\d+&created_before=\d+$/);
  await expectList(page, 3, /Completed/);
  await page.goBack();
  await expect(flows.getByRole('button', { name: 'Today' })).toHaveAttribute('aria-pressed', 'true');
  await flows.getByRole('button', { name: 'Sent' }).click();
  await page.reload();
  await expect(flows.getByRole('button', { name: 'Sent' })).toHaveAttribute('aria-pressed', 'true');
});

test.describe('with more deposits in a month than are loaded automatically', () => {
  test.use({ seed: { deposits: 30_000, assets: 7 } });

  test('the sum and the chart claim no more than what is loaded @deep', async ({ page }) => {
    await openHome(page);
    const flows = part(page, 'Received and sent');
    await expect(flows).toContainText(/received since .*, as far as loaded/);
    const [, day = ''] = /Loaded back to (.+?)\./.exec(await flows.innerText()) ?? [];
    await expect(flows).toContainText(`received since ${day}, as far as loaded`);
    await expect(flows.getByRole('slider')).toHaveCount(1);
    await expect(flows.getByRole('slider', { name: day })).toHaveCount(0);
    await expect(flows.getByRole('cell', { name: /at least \d+ deposits$/ }).first()).toBeVisible();
    await flows.getByRole('button', { name: 'Load more' }).click();
    await expect(flows).not.toContainText('as far as loaded');
  });
});

test.describe('with a year of deposits', () => {
  test.use({ seed: { deposits: 2000, assets: 7 } });

  test('a payment is stuck by the usual time of its kind, however long ago the last one came, and failed from when it failed @deep', async ({
    page,
    account,
  }) => {
    const stuck = await account.deposit({
      asset: 'BTC',
      chain: 'bitcoin',
      status: 'on_hold',
      amount: '0.7',
      created_at: ago(25 * HOUR),
    });
    // The usual duration needs the ledger: until it is loaded nothing is reported, and nothing waits for it.
    await account.fault({ path: '/v1/ledger-entries', times: 99, stall: true });
    await openHome(page);
    await expect(part(page, 'Balances').getByRole('row', { name: 'BTC' })).toBeVisible();
    await expect(checked(page)).toHaveText('Checking payments and balances…');
    await expect(waiting(page).filter({ hasText: 'Stuck' })).toHaveCount(0);
    await account.clearFaults();
    // Wait until the server gives up the stalled read.
    await account.advance(15);
    await page.reload();
    await handleFailed(page);
    const row = waiting(page).first();
    await expect(row).toContainText(/Stuck.*0\.7\sBTC.*has been on hold for 25 h \(their word: on_hold\)/);
    await expect(row).toContainText(/BTC deposits usually take 30 min\. This one has waited 25 h/);
    await expect(row.getByRole('link', { name: 'View deposit' })).toHaveAttribute('href', `/deposits/${stuck.id}`);
    // A quiet month: nothing new arrives, and the result is the same.
    await account.advance(20 * DAY);
    await refresh(page);
    await expect(row).toContainText(/BTC deposits usually take 30 min\. This one has waited 21 days/);
    await expect(waiting(page)).toHaveCount(1);

    // Then it fails: reported even for such an old payment.
    await account.depositTo(stuck.id, 'failed');
    await refresh(page);
    await expect(row).toContainText(/Failed.*0\.7\sBTC.*failed.*It isn’t credited to your balance/);
    await row.getByRole('button', { name: 'Mark as handled' }).click();
    await expect(waiting(page)).toHaveCount(0);
    await expect(checked(page)).toHaveText(/^All clear\./);
  });

  test('a busy account is checked by status, and an outage doesn’t count as a check @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    await openHome(page);
    await handleFailed(page);
    await expect(checked(page)).toHaveText(
      /^All clear\. Checked \d\d:\d\d UTC: \d+ deposits and \d+ withdrawals in progress, 7 balances\.$/,
    );
    const asked = (await account.requests()).map(({ path, query }) => `${path}${query}`);
    expect(asked).toContain('/v1/deposits?limit=100&status=pending&order=asc');
    expect(asked).toContain('/v1/withdrawals?limit=100&status=broadcasted&order=asc');
    await expectClean(page, 'home', [375]);

    await account.fault({ path: '/v1/deposits', times: 99, status: 500 });
    await page.reload();
    await expect(checked(page)).toHaveText(
      /^Can’t check right now: deposits didn’t load \(500 internal_error, \d\d:\d\d/,
    );
    await expect(attention(page)).toContainText(/request req_/);
    // The server keeps its last reading.
    await expect(part(page, 'Received and sent')).toContainText(/received since/);
    await account.clearFaults();
    await attention(page).getByRole('button', { name: 'Retry' }).click();
    await expect(checked(page)).toHaveText(/^All clear\./);
  });

  test('without a ledger, and while no deposit could be read yet, Home says so @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    await account.fault({ path: '/v1/ledger-entries', times: 99, status: 404, body: '<h1>Not Found</h1>' });
    await account.fault({ path: '/v1/deposits', times: 99, status: 500 });
    await openHome(page);
    await expect(part(page, 'Received and sent')).toContainText('Couldn’t load deposits.');
    await account.clearFaults();
    await account.fault({ path: '/v1/ledger-entries', times: 99, status: 404, body: '<h1>Not Found</h1>' });
    await attention(page).getByRole('button', { name: 'Retry' }).click();
    await expect(checked(page)).toContainText('The ledger didn’t load, so a payment counts as stuck after 1 h.');
  });

  test('a list that is not offered doesn’t affect the rest, and a wrong sum comes first @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    const parts = { available: '1.5', pending: '0.25', locked: '0', total: '2' };
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: parts } } });
    // Not in the contract: a plain 404 is enough to go on without it.
    await account.fault({ path: '/v1/withdrawals', times: 99, status: 404, body: '<h1>Not Found</h1>' });
    await account.fault({ path: '/v1/ledger-entries', times: 99, status: 404 });
    await openHome(page);
    await expect(waiting(page).first()).toContainText(
      /Check failed.*balance doesn’t add up.*make 1\.75, the total says 2\./,
    );
    await expect(checked(page)).toContainText('withdrawals sent from here');
    await part(page, 'Received and sent').getByRole('button', { name: 'Sent' }).click();
    await expectClean(page, 'home with a list that is not there');
    await waiting(page).first().getByRole('link', { name: 'View balance' }).click();
    await expect(page).toHaveURL(/\/balances\/\w+$/);
    await page.goto('/withdrawals');
    await expect(page.getByRole('alert')).toContainText('Couldn’t load withdrawals');
    await expect(page.getByText('Below are those sent from here')).toBeVisible();
  });

  test('nothing on the page moves while it loads, however late @deep', async ({ page, account }) => {
    const moved = await watchShifts(page);
    await page.setViewportSize({ width: 640, height: 900 });
    await openHome(page);
    await expect(
      part(page, 'Received and sent')
        .getByRole('link', { name: /deposits$/ })
        .first(),
    ).toBeVisible();
    expect(await moved()).toBeLessThan(0.05);
    await account.fault({ path: '/v1/deposits', times: 1, delay: 1000 });
    await page.goto('/deposits');
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
    await expect(page.getByText(/^At least \d+ deposits/).first()).toBeVisible();
    expect(await moved()).toBeLessThan(0.0002);
  });

  test('without a usual duration, the team sets when a payment counts as stuck @deep', async ({
    page,
    account,
    colleague,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    await account.fault({ path: '/v1/ledger-entries', times: 99, status: 404 });
    await account.deposit({
      asset: 'BTC',
      chain: 'bitcoin',
      status: 'on_hold',
      amount: '0.7',
      created_at: ago(3 * HOUR),
    });
    await openHome(page);
    await handleFailed(page);
    await expect(waiting(page)).toHaveText([/isn’t known yet/]);
    await attention(page).getByText('How we detect this').click();
    await choose(attention(page).getByLabel('Where the usual time isn’t known, flag after'), '4 hours');
    await expect(waiting(page)).toHaveCount(0);
    const other = await colleague();
    await openHome(other);
    await expect(checked(other)).toHaveText(/^All clear\./);
  });
});

test.describe('with funds', () => {
  test.use({ seed: { deposits: 0, assets: 7 } });

  test('a withdrawal that another system sent with the key is listed until it is marked, and again once it fails @deep', async ({
    page,
    account,
  }) => {
    // Later than the sign-in: older ones aren't news.
    await account.advance(HOUR);
    const id = await withdrawByApi(account, BTC);
    await openHome(page);
    const line = waiting(page).filter({ hasText: 'wasn’t sent from here' });
    await expect(line).toContainText(`${BTC.amount} BTC`);
    await expect(line).toContainText('If it isn’t one of yours, replace the key.');
    await expectClean(page, 'a withdrawal from outside');
    await line.getByRole('button', { name: /^Mark as handled/ }).click();
    await expect(waiting(page)).toHaveCount(0);
    await page.reload();
    await expect(checked(page)).toHaveText(/^All clear\./);
    await account.withdrawal(id, { status: 'failed' });
    await refresh(page);
    await expect(waiting(page)).toHaveCount(1);
    await expect(waiting(page)).toContainText('failed');
  });

  test('a withdrawal that an unconfirmed one may have made is not called another system’s @deep', async ({
    page,
    account,
  }) => {
    await account.advance(HOUR);
    await sendAndLose(page, account);
    await withdrawByApi(account, { ...BTC, amount: '0.0123' });
    await openHome(page);
    await expect(waiting(page).filter({ hasText: '0.0123' })).toContainText('wasn’t sent from here');
    await expect(waiting(page)).toHaveCount(2);
  });

  test('an unresolved payment comes first', async ({ page, account, expectConsole }) => {
    expectConsole(/Failed to load resource/);
    await sendAndLose(page, account);
    const operation = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const row = waiting(page).first();
    await expect(row).toContainText(/Unconfirmed.*0\.25\sBTC to/);
    await expect(row).toContainText(BTC.address.slice(0, 7));
    await expect(row.getByRole('link', { name: 'Resolve' })).toHaveAttribute('href', operation);
    await expect(checked(page)).toHaveText(/^Checked .*: 0 deposits and 1 withdrawal in progress, 7 balances/);
    await expectClean(page, 'home with an operation', [375]);
  });
});
