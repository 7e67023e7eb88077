import type { Page } from 'playwright/test';
import { openDeposits, rowAt } from './depositList.ts';
import { expect, test } from './fixtures.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Find' });
const field = (page: Page) => page.getByLabel('Find an id, asset, key, address or hash');
const places = (page: Page) => dialog(page).getByRole('list', { name: 'Where it leads' }).getByRole('link');

/** As a person pastes: all at once. */
async function paste(page: Page, text: string) {
  await field(page).fill(text);
}

async function idOf(account: { read: <T>(path: string) => Promise<T> }, path: string): Promise<Record<string, string>> {
  const { data } = await account.read<{ data: Record<string, string>[] }>(path);
  const last = data.at(-1);
  if (!last) throw new Error(`${path} is empty`);
  return last;
}

test.describe('of an account with 150 deposits', () => {
  test.use({ seed: { deposits: 150, assets: 7 } });

  test('an exact id goes where the answer is, whatever filter is set', async ({ page, account }) => {
    const deposit = await idOf(account, '/v1/deposits?limit=1&order=asc');
    await page.goto('/deposits?status=failed&asset=XAU');
    await expect(page.getByRole('button', { name: 'Search payments, addresses, hashes' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await paste(page, `  "${deposit['id']}" `);
    await expect(places(page).first()).toContainText(`${deposit['id']}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/deposits/${deposit['id']}`);
    await expect(page.getByRole('region', { name: 'Deposit' })).toContainText(`${deposit['id']}`);

    // It is offered again, by the keyboard alone.
    await page.keyboard.press('/');
    await expect(places(page).first()).toContainText('opened before');
    await page.keyboard.press('ArrowDown');
    await expect(places(page).first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  });

  test('an address or a hash is looked for in all lists, and the end is honest', async ({ page, account }) => {
    const withdrawal = await idOf(account, '/v1/withdrawals?limit=1&status=completed');
    await page.goto('/balances');
    await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).click();
    for (const value of ['address', 'tx_hash']) {
      await paste(
        page,
        `${withdrawal[value]}`.toUpperCase().startsWith('0X')
          ? `${withdrawal[value]}`.toUpperCase()
          : `${withdrawal[value]}`,
      );
      await dialog(page).getByRole('button', { name: 'Search all deposits and withdrawals' }).click();
      await expect(dialog(page).getByRole('link', { name: `${withdrawal['id']}` })).toBeVisible();
      await expect(dialog(page).getByText(`withdrawal, in its ${value}`).first()).toBeVisible();
    }
    await paste(page, '0xffffffffffffffffffffffffffffffffffffffff');
    await dialog(page).getByRole('button', { name: 'Search all deposits and withdrawals' }).click();
    await expect(dialog(page).getByText(/150 deposits, .* all there are/)).toBeVisible();
    await expect(
      dialog(page).getByText(/No match in all \d+ withdrawals and 150 deposits\. It may belong to another account/),
    ).toBeVisible();
  });

  test('an amount is found by its value: among what is loaded, and by a search to a plain end', async ({
    page,
    account,
  }) => {
    const day = Math.floor(Date.now() / 1000) - 300 * 86_400;
    const eth = { asset: 'ETH', chain: 'ethereum', amount: '0.512300000000000000' };
    const { id: old } = await account.deposit({ ...eth, created_at: day });
    await page.goto('/balances');
    await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).click();
    await paste(page, '0.5123 eth');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('link', { name: old })).toBeVisible();
    await expect(dialog(page).getByText('deposit, in its received_amount · ETH, completed')).toBeVisible();
    await paste(page, '0.51231');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByText(/No match in all \d+ withdrawals and 151 deposits\./)).toBeVisible();
    await paste(page, '.5');
    await expect(dialog(page).getByRole('button', { name: 'Search all deposits and withdrawals' })).toBeVisible();
    await page.keyboard.press('Escape');

    const { id: fresh } = await account.deposit(eth);
    await openDeposits(page);
    await expect(rowAt(page, 0).getByRole('link').first()).toHaveAttribute('href', `/deposits/${fresh}`);
    await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).click();
    await paste(page, '0.5123');
    await expect(places(page).first()).toContainText(fresh);
  });

  test('a search that fails says how far it came and goes on from there; it can be cancelled @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    await page.goto('/balances');
    await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).click();
    await account.fault({ path: '/v1/deposits', patch: {} });
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await paste(page, 'no such thing anywhere');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('heading', { name: 'The search stopped' })).toBeVisible();
    await expect(dialog(page).getByText(/100 deposits/)).toBeVisible();
    await account.fault({ path: '/v1/deposits', delay: 20_000 });
    await dialog(page).getByRole('button', { name: 'Retry' }).first().click();
    await dialog(page).getByRole('button', { name: 'Cancel search' }).click();
    await dialog(page).getByRole('button', { name: 'Read on' }).click();
    await expect(dialog(page).getByText(/150 deposits, .* all there are/)).toBeVisible();
  });

  test('an asset leads to its balance and its lists @deep', async ({ page }) => {
    await page.goto('/balances');
    await expect(page.getByRole('heading', { name: 'ETH' })).toBeVisible();
    await page.keyboard.press('/');
    await paste(page, 'eth');
    await expect(places(page)).toHaveText([/ETH.*balance/, /ETH.*deposits/, /ETH.*withdrawals/]);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/balances/ETH');
  });

  test('j, k, Enter and Escape go through a list and come back to the same row; ? lists the keys', async ({ page }) => {
    await openDeposits(page);
    await expect(rowAt(page, 0)).toBeVisible();
    const link = (at: number) => rowAt(page, at).getByRole('link').first();
    await page.keyboard.press('j');
    await expect(link(0)).toBeFocused();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect(link(2)).toBeFocused();
    await page.keyboard.press('Enter');
    const second = await link(2).getAttribute('href');
    await expect(page.getByRole('region', { name: 'Deposit' })).toBeVisible();
    await expect(page).toHaveURL(`${second}`);
    await page.keyboard.press('j');
    // The address changes before the page does.
    const detail = page.getByRole('region', { name: 'Deposit' });
    const id = `${second}`.replace('/deposits/', '');
    await expect(detail).not.toContainText(id);
    await page.keyboard.press('k');
    await expect(detail).toContainText(id);
    await expect(page).toHaveURL(`${second}`);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL('/deposits');
    await expect(link(2)).toBeFocused();
    for (let n = 0; n < 45; n += 1) await page.keyboard.press('j');
    await expect(link(47)).toBeFocused();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

const JUNK = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '../../session',
  'dep_/../../session',
  'dep_%2e%2e',
  'wd_\u202E1234',
  '\u0000\u0001\u0002',
  '🦄🦄🦄🦄',
  'x'.repeat(2000),
  "'; drop table deposits; --",
  '{{constructor.constructor("alert(1)")()}}',
  'https://example.org/dep_1',
  'dep_1 dep_2 dep_3',
  '   ',
  '%00%ff%',
  '＝cmd|calc',
  'NaN',
  '__proto__',
  'req_\u200B',
  '-1e999',
];

test('twenty kinds of junk pasted into Find lead nowhere bad @deep', async ({ page, account, expectConsole }) => {
  // An id that is none is no cursor either.
  expectConsole(/400/);
  await page.goto('/balances');
  await expect(page.getByRole('button', { name: 'Search payments, addresses, hashes' })).toBeVisible();
  await page.keyboard.press('Control+k');
  for (const text of JUNK) {
    await paste(page, text);
    await expect(field(page)).toHaveValue(text.replaceAll(/[\r\n]/g, ''));
    for (const href of await places(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))) {
      expect(href).toMatch(/^\/(?:deposits|withdrawals|operations|requests|ledger|webhook-deliveries|balances)/);
    }
    await expect(dialog(page)).toBeVisible();
  }
  await paste(page, 'dep_/../../session');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits/dep_%2F..%2F..%2Fsession');
  await expect(page.getByText('no proof that it does not exist').first()).toBeVisible();
  expect((await account.requests()).every(({ path }) => path.startsWith('/v1/'))).toBe(true);
});
