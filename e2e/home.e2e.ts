import type { Locator, Page } from 'playwright/test';
import { inAccountMenu } from './accountMenu.ts';
import { expectClean } from './axe.ts';
import { tableOf } from './depositList.ts';
import { expect, test } from './fixtures.ts';
import type { Account } from './sandbox.ts';
import { BTC, sendAndLose } from './withdrawing.ts';

const DAY = 86_400;

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const verdict = (page: Page): Locator => page.getByRole('main').getByRole('status').first();
const readAgain = (page: Page) => page.getByRole('button', { name: 'Read again' }).first().click();

async function openHome(page: Page) {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'What needs attention' })).toBeVisible();
}

/** Moves the account to noon of its next day, so that no test runs across midnight. */
async function toNoon(account: Account): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await account.advance((Math.floor(now / DAY) + 1) * DAY + DAY / 2 - now);
}

/** The list that a line leads to has so many rows, all with these words. */
async function expectList(page: Page, count: number, words: RegExp) {
  const rows = tableOf(page).getByRole('row');
  await expect(rows).toHaveCount(count + 1);
  for (const row of (await rows.all()).slice(1)) await expect(row).toContainText(words);
}

test('today by the service’s clock: exact per asset and status, each line leading to its rows', async ({
  page,
  account,
}) => {
  await toNoon(account);
  await openHome(page);
  // Read to the end, and nothing there: only then is silence said.
  await expect(verdict(page)).toHaveText('Nothing needs attention.');
  await expect(part(page, 'Today')).toContainText('No deposit was created today.');
  await expect(part(page, 'Today')).toContainText('No withdrawal was created today.');

  const eth = { asset: 'ETH', chain: 'ethereum' };
  await account.deposit({ ...eth, amount: '3.000000000000000001' });
  await account.deposit({ ...eth, amount: '10000000000000000000000' });
  const moving = await account.deposit({ ...eth, amount: '0.5', status: 'on_hold' });
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.12' });
  await account.deposit({ ...eth, amount: '7', created_at: Math.floor(Date.now() / 1000) - DAY });
  await readAgain(page);
  const today = part(page, 'Today').getByRole('table', { name: 'deposits of today' });
  const line = (name: string) => today.getByRole('row').filter({ has: page.getByRole('link', { name }) });
  await expect(line('2 ETH deposits, completed')).toContainText(
    '10,000,000,000,000,000,000,003.000000000000000001 ETH',
  );
  await expect(line('1 ETH deposit, on_hold')).toContainText('0.5 ETH');
  await expect(line('1 BTC deposit, completed')).toContainText('0.12 BTC');
  await expect(today.getByRole('link', { name: '3 deposits' })).toBeVisible();
  await expect(verdict(page)).toHaveText('Nothing was found. Not known in full: deposits.');

  await account.depositTo(moving.id, 'completed');
  await readAgain(page);
  await expect(line('3 ETH deposits, completed')).toContainText('003.500000000000000001 ETH');
  await inAccountMenu(page, 'Hide amounts');
  await expect(page.getByRole('main')).not.toContainText('0.12');
  await line('3 ETH deposits, completed').getByRole('link').click();
  await expect(page).toHaveURL(/^[^?]*\/deposits\?status=completed&asset=ETH&created_after=\d+&created_before=\d+$/);
  await expectList(page, 3, /Completed/);

  await account.advance(DAY);
  await openHome(page);
  await expect(part(page, 'Today')).toContainText('No deposit was created today.');
});

test.describe('with a year of deposits', () => {
  test.use({ seed: { deposits: 2000, assets: 7 } });

  test('what sits long stands there with how long, until it has moved on', async ({ page, account }) => {
    const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY;
    const held = { asset: 'BTC', chain: 'bitcoin', status: 'on_hold' };
    const stuck = await account.deposit({ ...held, amount: '0.7', created_at: daysAgo(4) });
    const ancient = await account.deposit({ ...held, amount: '0.3', created_at: daysAgo(200) });
    await openHome(page);
    const sitting = part(page, 'Sitting longer than usual');
    const rows = sitting.getByRole('table', { name: 'deposits that sit long' }).getByRole('row');
    // Older than all that is read for today: asked for by its status.
    await expect(rows.nth(1)).toContainText(/this one 200 days/);
    const row = rows.nth(2);
    await expect(row).toContainText(/on_hold.*bitcoin.*Others within .*, this one 4 days.*0\.7\sBTC/);
    await expect(row.getByRole('link')).toHaveAttribute('href', `/deposits/${stuck.id}`);
    await expect(verdict(page)).toHaveText(/2 deposits sit long/);
    await sitting.getByText('How this is judged').click();
    const statuses = sitting.getByRole('table', { name: 'Statuses read' }).getByRole('row');
    await expect(statuses.filter({ hasText: 'on_hold' })).toContainText('passed through: 0 of the');
    await expect(statuses.filter({ hasText: 'Completed' }).first()).toContainText('an end');

    await sitting.getByRole('link', { name: 'All deposits with status on_hold, oldest first' }).click();
    await expect(page).toHaveURL('/deposits?status=on_hold&order=asc');
    await expectList(page, 2, /on_hold/);

    for (const { id } of [stuck, ancient]) await account.depositTo(id, 'completed');
    await page.getByRole('link', { name: 'Home' }).click();
    await readAgain(page);
    await expect(sitting).toContainText(/None of the \d+ deposits read sits longer than the others did/);
  });

  test('one part that fails takes no other with it, and is read again on its own', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    const parts = { available: '1.5', pending: '0.25', locked: '0', total: '2' };
    await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: parts } } });
    await account.fault({ path: '/v1/withdrawals', times: 99, status: 404 });
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await openHome(page);
    const sitting = part(page, 'Sitting longer than usual');
    await expect(sitting.getByRole('heading', { name: 'The deposits could not be read' })).toBeVisible();
    await expect(sitting).toContainText('internal_error');
    await expect(sitting).toContainText('This service does not list withdrawals (it answered 404)');
    await expect(part(page, 'Today')).toContainText('This service does not list withdrawals.');
    await expect(verdict(page)).toHaveText('1 balance does not add up. Not known in full: deposits and withdrawals.');
    await sitting.getByRole('button', { name: 'Retry' }).click();
    await expect(sitting).toContainText(/None of the \d+ deposits read/);
    await expect(verdict(page)).toHaveText('1 balance does not add up. Not known in full: withdrawals.');
    await expectClean(page, 'home with a part that is not there');

    const broken = part(page, 'Balances that do not add up').getByRole('row').nth(1);
    await expect(broken.getByRole('cell')).toHaveText(['1.5', '0.25', '0', '2', '1.75']);
    await broken.getByRole('link').click();
    await expect(page).toHaveURL(/\/balances\/\w+$/);
  });

  test('reading stops at a bound, says so, and goes on when asked @deep', async ({ page, account }) => {
    // By an earlier clock more than the bound is younger than a month.
    await account.advance(-200 * DAY);
    await openHome(page);
    const sitting = part(page, 'Sitting longer than usual');
    await expect(sitting).toContainText(/Read 1,000 deposits since .* UTC; there are more/);
    await expect(verdict(page)).toHaveText(/Not known in full: deposits\./);
    const reads = async () =>
      (await account.requests()).filter(({ path, query }) => path === '/v1/deposits' && !query.includes('status='));
    expect((await reads()).length).toBe(10);
    await sitting.getByRole('button', { name: 'Read on' }).click();
    await expect(sitting.getByRole('button', { name: 'Read on' })).toHaveCount(0);
    await expect(sitting).toContainText(/None of the 1,\d\d\d deposits read/);
    // No page was read twice.
    const cursors = (await reads()).map(({ query }) => new URLSearchParams(query).get('starting_after'));
    expect(new Set(cursors).size).toBe(cursors.length);
  });
});

test.describe('with funds', () => {
  test.use({ seed: { deposits: 0, assets: 7 } });

  test('an operation nobody has settled is the first thing there', async ({ page, account, expectConsole }) => {
    expectConsole(/Failed to load resource/);
    await sendAndLose(page, account);
    const operation = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Home' }).click();
    const row = part(page, 'Operations not resolved').getByRole('row').nth(1);
    await expect(row).toContainText(/Withdrawal.*Unconfirmed.*0\.25\sBTC/);
    await expect(row).toContainText(BTC.address.slice(0, 7));
    await expect(row.getByRole('link', { name: 'Withdrawal' })).toHaveAttribute('href', operation);
    await expect(verdict(page)).toHaveText(/^1 operation is not resolved/);
    // The service committed it, whatever this browser knows.
    await expect(part(page, 'Today').getByRole('link', { name: '1 BTC withdrawal, pending' })).toBeVisible();
    await expectClean(page, 'home with an operation', [375]);
  });
});
