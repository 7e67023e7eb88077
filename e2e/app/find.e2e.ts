import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { listen } from '#e2e/support/heard.ts';
import { choose } from '#e2e/support/choose.ts';
import { openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { openBookWith } from '#e2e/support/recipients.ts';
import { HELD } from '#e2e/support/sandbox.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search payments, addresses, hashes' });
const options = (page: Page) => dialog(page).getByRole('option');
const group = (page: Page, name: string | RegExp) => dialog(page).getByRole('group', { name });
const openSearch = (page: Page) =>
  page.getByRole('button', { name: 'Search payments, addresses, hashes' }).filter({ visible: true }).click();

/** Pastes the text in one input event. */
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

  test('an exact id opens its page, whatever filter is set @deep', async ({ page, account }) => {
    const deposit = await idOf(account, '/v1/deposits?limit=1&order=asc');
    await page.goto('/deposits?status=failed&asset=XAU');
    await expect(page.getByRole('button', { name: 'Search payments, addresses, hashes' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await paste(page, `  "${deposit['id']}" `);
    await expect(options(page).first()).toContainText(`${deposit['id']}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/deposits/${deposit['id']}`);
    await expect(page.getByRole('region', { name: 'Deposit' })).toContainText(`${deposit['id']}`);

    // The search offers it again, by amount, asset, status and time.
    await page.keyboard.press('/');
    const recent = group(page, 'Recent').getByRole('option');
    await expect(recent).toHaveAttribute('aria-selected', 'true');
    await expect(recent).toContainText(`${deposit['asset']}`);
    await page.keyboard.press('ArrowDown');
    await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
  });

  test('an address or a hash is searched for in all lists, and the result says what was searched @deep', async ({
    page,
    account,
  }) => {
    const withdrawal = await idOf(account, '/v1/withdrawals?limit=1&status=completed');
    await page.goto('/balances');
    await openSearch(page);
    for (const name of ['address', 'tx_hash']) {
      const value = `${withdrawal[name]}`;
      await paste(page, value.startsWith('0x') ? value.toUpperCase().replace('0X', '0x') : value);
      // Other deposits may have the same address.
      const found = group(page, 'Payments').locator(`[role=option][href="/withdrawals/${withdrawal['id']}"]`);
      await expect(found).toContainText('Completed');
    }
    // A part of an id, and the shortened form of the rows.
    const id = `${withdrawal['id']}`;
    for (const part of [`${id.slice(0, 7)}…${id.slice(-4)}`, id.slice(-8), id.slice(0, 12), id.toLowerCase()]) {
      await paste(page, part);
      // Text that starts like an id is searched for at once.
      const search = dialog(page).getByRole('button', { name: 'Search all payments' });
      if (part === id.slice(-8)) await search.click();
      await expect(options(page)).toHaveCount(1);
      await expect(options(page)).toHaveAttribute('href', `/withdrawals/${id}`);
      await expect(options(page)).toHaveAttribute('aria-selected', 'true');
    }
    await paste(page, `0x${'f'.repeat(64)}`);
    await expect(
      dialog(page).getByText(/No match in all 150 deposits and \d+ withdrawals\. It may belong to another account/),
    ).toBeVisible();
    // This provider’s deposits have no hash: the search asks for other facts.
    await expect(dialog(page).getByText('deposits carry no transaction hash or address')).toBeVisible();
    await dialog(page).getByLabel('Amount').fill('12.5');
    await choose(dialog(page).getByLabel('Asset'), 'ETH');
    await dialog(page).getByLabel('Day').fill('yesterday');
    await dialog(page).getByRole('button', { name: 'Search', exact: true }).click();
    await expect(field(page)).toHaveValue('12.5 ETH yesterday');
    // An id needs no other facts.
    await paste(page, 'dep_doesNotExist');
    await expect(
      dialog(page)
        .getByText(/No match in all 150 deposits/)
        .first(),
    ).toBeVisible();
    await expect(dialog(page).getByText('deposits carry no transaction hash or address')).toBeHidden();
  });

  test('“I paid 0.5 ETH yesterday” is two actions from its row, whatever is loaded', async ({ page, account }) => {
    const now = Math.floor(Date.now() / 1000);
    const eth = { asset: 'ETH', chain: 'ethereum' };
    const { id: paid } = await account.deposit({ ...eth, amount: '0.512300000000000000', created_at: now - 86_400 });
    const { id: near } = await account.deposit({ ...eth, amount: '0.51', created_at: now - 86_400 });
    await account.deposit({ ...eth, amount: '0.5123', created_at: now - 300 * 86_400 });
    await page.goto('/balances');
    await expect(page.getByRole('rowheader', { name: 'ETH' })).toBeVisible();
    await page.keyboard.press('/');
    await paste(page, `I paid 0.5123 ETH yesterday`);
    const payments = group(page, /^Payments, 0.5123 ETH exactly/).getByRole('option');
    await expect(payments).toHaveCount(1);
    await expect(payments).toHaveAttribute('href', `/deposits/${paid}`);
    await expect(payments).toHaveAttribute('aria-selected', 'true');
    await expect(group(page, /^Within 1 %/).getByRole('option')).toHaveAttribute('href', `/deposits/${near}`);
    await expect(dialog(page).getByRole('group', { name: 'Searching for' })).toContainText('Yesterday');
    await expectClean(page, 'search, with results', [320, 1440]);
    // Not the given day.
    await dialog(page)
      .getByRole('button', { name: /^Created .*, remove$/ })
      .click();
    await expect(payments).toHaveCount(2);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/deposits/${paid}`);

    // A matching amount doesn’t count as finding the hash.
    await page.keyboard.press('/');
    await paste(page, `I paid 0.5123 ETH yesterday, hash 0x${'9b'.repeat(32)}`);
    await expect(payments).toHaveAttribute('href', `/deposits/${paid}`);
    await expect(
      dialog(page)
        .getByText(/^Matched by amount/)
        .first(),
    ).toBeVisible();
    // A bare query keeps its list until more is requested.
    await paste(page, '0.5123 eth withdrawals');
    await dialog(page).getByRole('button', { name: 'All deposits and withdrawals' }).click();
    await expect(field(page)).toHaveValue('0.5123 eth');
    await expect(payments).toHaveCount(2);
    await paste(page, '0.5123 usdt');
    await dialog(page).getByRole('button', { name: 'All assets' }).click();
    await expect(field(page)).toHaveValue('0.5123');
    await expect(group(page, 'Payments').getByRole('option')).toHaveCount(2);
    await paste(page, '0.51231 eth');
    await expect(
      dialog(page)
        .getByText(/No exact match in all \d+ deposits? and \d+ withdrawals? \(ETH\)\./)
        .first(),
    ).toBeVisible();
    await paste(page, '0.51231');
    await expect(
      dialog(page)
        .getByText(/No match in all 153 deposits and \d+ withdrawals\./)
        .first(),
    ).toBeVisible();
  });

  test('of two amounts in a text, the second is searched for instead of the first; with neither, the others of the day are listed @deep', async ({
    page,
    account,
  }) => {
    const usdt = { asset: 'USDT', chain: 'tron', created_at: Math.floor(Date.now() / 1000) - 400 * 86_400 };
    const { id } = await account.deposit({ ...usdt, amount: '777.77' });
    await page.goto('/balances');
    await expect(page.getByRole('rowheader', { name: 'ETH' })).toBeVisible();
    await page.keyboard.press('/');
    await paste(page, 'I sent 10 USDT and then 777.77 USDT');
    await dialog(page).getByRole('button', { name: 'Search 777.77 USDT instead' }).click();
    await expect(field(page)).toHaveValue('I sent and then 777.77 USDT');
    await expect(field(page)).toBeFocused();
    await expect(group(page, /^Payments, 777.77 USDT exactly/).getByRole('option')).toHaveAttribute(
      'href',
      `/deposits/${id}`,
    );
    await paste(page, `777.7 on ${new Date(usdt.created_at * 1000).toISOString().slice(0, 10)}`);
    await expect(group(page, /^Other amounts/).getByRole('option')).toHaveAttribute('href', `/deposits/${id}`);
    await expect(
      dialog(page)
        .getByText(/^No 777\.7 on .*\. The only deposit that day: 777\.77 USDT\.$/)
        .first(),
    ).toBeVisible();
  });

  test('the highlighted option stays highlighted, and opens, whatever is found later @deep', async ({
    page,
    account,
  }) => {
    const now = Math.floor(Date.now() / 1000);
    for (let n = 1; n <= 70; n += 1)
      await account.deposit({ asset: 'USDT', chain: 'tron', amount: '7.25', created_at: now - 200 * 86_400 - n * 60 });
    await page.goto('/deposits?order=asc&asset=USDT');
    await expect(rowAt(page, 0)).toBeVisible();
    const selected = dialog(page).locator('[role=option][aria-selected=true]');
    const searched = dialog(page).getByText(/^Searched \d+ deposits/);

    // Without a selection: the newest loaded ones, though newer ones are found.
    await account.fault({ path: '/v1/deposits', times: 2, ...HELD });
    await page.keyboard.press('Control+k');
    await paste(page, '7.25 USDT');
    await expect(selected).toHaveAttribute('href', /^\/deposits\/dep_/);
    const first = await selected.getAttribute('href');
    await account.deposit({ asset: 'USDT', chain: 'tron', amount: '7.25' });
    await account.clearFaults();
    await expect(searched).toBeVisible();
    await expect(options(page).filter({ hasText: '7.25' }).first()).not.toHaveAttribute('href', `${first}`);
    await expect(selected).toHaveAttribute('href', `${first}`);

    // A selected one stays, even beyond the last visible one.
    await account.fault({ path: '/v1/deposits', times: 2, ...HELD });
    await paste(page, '7.25');
    await expect(selected).toHaveAttribute('href', /^\/deposits\/dep_/);
    for (let n = 0; n < 20; n += 1) await page.keyboard.press('ArrowDown');
    const chosen = await selected.getAttribute('href');
    await account.clearFaults();
    await expect(searched).toBeVisible();
    await expect(selected).toHaveAttribute('href', `${chosen}`);
    await expect(group(page, /^Payments/).getByRole('option')).toHaveCount(26);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${chosen}`);
  });

  test('text typed before the search is loaded is searched for @deep', async ({ page, account }) => {
    const deposit = await idOf(account, '/v1/deposits?limit=1');
    let arrive = () => {};
    const asked = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/assets\/FindDialog-.*\.js$/, (route) => asked.then(() => route.continue()));
    await page.goto('/balances');
    await page.getByRole('link', { name: 'Countinghouse, home' }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('depo');
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toBeHidden();
    await expect(page.getByRole('link', { name: 'Countinghouse, home' })).toBeFocused();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`${deposit['id']?.slice(0, 12)}`);
    arrive();
    await expect(field(page)).toBeFocused();
    await page.keyboard.type(`${deposit['id']?.slice(12)}`);
    await expect(field(page)).toHaveValue(`${deposit['id']}`);
    await expect(options(page).first()).toContainText(`${deposit['id']}`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'Countinghouse, home' })).toBeFocused();
    await expect(page).toHaveURL('/balances');
  });

  test('the owner of an address comes first, and names and days are understood @deep', async ({ page }) => {
    await page.goto('/deposits/new-address');
    await page.getByLabel('Asset', { exact: true }).fill('ETH');
    await page.getByLabel('Chain', { exact: true }).fill('ethereum');
    await page.getByRole('button', { name: 'Create deposit address' }).click();
    await expect(page).toHaveURL(/\/operations\//);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const address = await page.locator('.chunks').first().textContent();
    await page.keyboard.press('Control+k');
    await paste(page, `${address}`);
    await expect(options(page).first()).toContainText('Yes, this is your deposit address.');
    await paste(page, `0x${'0'.repeat(39)}1`);
    await expect(dialog(page).getByText('Not one of the 1 deposit address created here.')).toBeVisible();

    await page.keyboard.press('Escape');
    await openBookWith(page, 'Acme Hosting');
    await page.keyboard.press('Control+k');
    await paste(page, 'acme');
    await expect(group(page, 'Recipients').getByRole('option')).toContainText('Acme Hosting');
    await paste(page, 'failed usdt withdrawals last month');
    await expect(options(page).first()).toHaveAttribute('href', /^\/withdrawals\?.*period=last-month/);
    await expect(options(page).first()).toContainText('Failed USDT withdrawals');
    await paste(page, 'acme');
    await group(page, 'Recipients').getByRole('option').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Acme Hosting' })).toBeVisible();
  });

  test('a search that fails says how far it came and goes on from there; it can be stopped @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    const said = await listen(page);
    await page.goto('/balances');
    await openSearch(page);
    await account.fault({ path: '/v1/deposits', patch: {} });
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await paste(page, 'no such thing anywhere');
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('heading', { name: 'The search stopped' })).toBeVisible();
    // One sentence, with how far it came. The page behind the dialog has it, too, but isn't announced.
    const stopped = expect.stringMatching(/^The search stopped\. \d+ payments were searched\.$/);
    await expect
      .poll(async () => [...new Set((await said()).filter((words) => words.includes('The search stopped')))])
      .toEqual([stopped]);
    await account.fault({ path: '/v1/deposits', ...HELD });
    await dialog(page).getByRole('button', { name: 'Retry' }).first().click();
    await dialog(page).getByRole('button', { name: 'Stop' }).click();
    // Announced and visible.
    await expect(dialog(page).getByText(/^Stopped after 100 deposits and /)).toHaveCount(2);
    await dialog(page).getByRole('button', { name: 'Search on' }).click();
    await expect(
      dialog(page)
        .getByText(/No match in all 150 deposits/)
        .first(),
    ).toBeVisible();
  });

  test('an asset leads to its lists and its balance @deep', async ({ page }) => {
    await page.goto('/balances');
    await expect(page.getByRole('rowheader', { name: 'ETH' })).toBeVisible();
    await page.keyboard.press('/');
    await paste(page, 'eth');
    await expect(group(page, 'Go to').getByRole('option')).toHaveText([
      /ETH deposits/,
      /ETH withdrawals/,
      /ETH balance/,
    ]);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/deposits?asset=ETH');
  });

  test('j, k, Enter and Escape go through a list and come back to the same row; ? lists the keys @deep', async ({
    page,
  }) => {
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
    const detail = page.getByRole('region', { name: 'Deposit' });
    const id = `${second}`.replace('/deposits/', '');
    await expect(detail).toContainText(id);
    await page.keyboard.press('j');
    // The URL changes before the page does.
    await expect(page).not.toHaveURL(`${second}`);
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
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

test('the chain in a text counts: a payment on another chain is offered as such, and other amounts of the day are listed @deep', async ({
  page,
  account,
}) => {
  await account.deposit({ asset: 'USDT', chain: 'polygon', amount: '99' });
  await account.deposit({ asset: 'USDT', chain: 'tron', amount: '12' });
  await page.goto('/balances');
  await openSearch(page);
  await paste(page, '99 USDT on Tron today');
  const terms = dialog(page).getByRole('group', { name: 'Searching for' });
  await expect(terms.getByRole('button')).toHaveText([/^Amount 99 USDT/, /^Chain Tron/, /^Created Today/]);
  const elsewhere = group(page, /Not on Tron\. One came on Polygon, same amount and day\./);
  await expect(elsewhere.getByRole('option')).toHaveText([/99.*Polygon/]);
  await expect(group(page, 'Payments')).toHaveCount(0);
  // The reply to the customer says it as well.
  await elsewhere.getByRole('option').click();
  await page.getByRole('button', { name: 'Reply' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(/reached us on Polygon, not on Tron/);
  await page.keyboard.press('Escape');
  await openSearch(page);
  await paste(page, '99 USDT on Tron today');
  // Without the chain it is found.
  await terms.getByRole('button', { name: /^Chain/ }).click();
  await expect(group(page, /^Payments/).getByRole('option')).toHaveText([/99.*Polygon/]);
  await paste(page, '98 USDT on Tron today');
  await expect(dialog(page)).toContainText('No 98 USDT on');
  await paste(page, '12.5 USDT today');
  await expect(group(page, /^Other amounts/).getByRole('option')).toHaveText([/12.*0\.5 less/, /99.*86\.5 more/]);
  await page.getByRole('option', { name: /0\.5 less/ }).click();
  await page.getByRole('button', { name: 'Reply' }).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(
    /credited\. You mentioned 12\.5 USDT; we received 12 USDT\./,
  );
});

test('a pasted address gets an answer even if none was created here, or if it has a typo @deep', async ({ page }) => {
  await page.goto('/balances');
  await openSearch(page);
  await paste(page, 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj');
  await expect(dialog(page)).toContainText('No deposit address was created here, so it can’t be told from here');
  await paste(page, 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdk');
  await expect(dialog(page)).toContainText('Looks like a Tron address, but it has a typo.');
});

test('two keys open a page, one clicks a control, and all can be switched off @deep', async ({ page }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await page.keyboard.press('g');
  await expect(page.getByText('Withdrawals').filter({ visible: true })).toHaveCount(2);
  await page.keyboard.press('d');
  // Press keys only once the new page has the focus.
  await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeFocused();
  await page.keyboard.press('f');
  const filter = page.getByRole('button', { name: /^Created/ });
  await expect(filter).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(filter).toBeFocused();
  await page.getByRole('button', { name: 'Export' }).hover();
  await expect(page.getByRole('tooltip')).toHaveText(/E$/);
  await page.keyboard.press('c');
  await page.keyboard.press('w');
  await expect(page).toHaveURL('/withdrawals/new');
  await page.goto('/deposits');
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: /Export/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).hover();
  for (const key of ['/', '?', 'e', 'f', 'j', 'g', 'b']) await page.keyboard.press(key);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(dialog(page)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(page).toHaveURL('/deposits');
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

test('twenty kinds of junk pasted into the search do no harm @deep', async ({ page, account, expectConsole }) => {
  // The service rejects an invalid id as a cursor.
  expectConsole(/400/);
  await page.goto('/balances');
  await expect(page.getByRole('button', { name: 'Search payments, addresses, hashes' })).toBeVisible();
  await page.keyboard.press('Control+k');
  for (const text of JUNK) {
    await paste(page, text);
    await expect(field(page)).toHaveValue(text.replaceAll(/[\r\n]/g, ''));
    for (const href of await options(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))) {
      expect(href).toMatch(/^\/(?![/\\])(?!(?:session|api|v1|sandbox)(?:[/?]|$))/);
    }
    await expect(dialog(page)).toBeVisible();
  }
  await paste(page, 'dep_/../../session');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/deposits/dep_%2F..%2F..%2Fsession');
  await expect(page.getByText(/^No deposit with this ID/).first()).toBeVisible();
  expect((await account.requests()).every(({ path }) => path.startsWith('/v1/'))).toBe(true);
});

test('look-alike asset codes are distinguishable, from the balances to the form @deep', async ({ page, account }) => {
  const fake = 'USD\u0422';
  const ibc = 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CE';
  for (const asset of ['VUSDC', 'vUSDC', fake, ibc])
    await account.deposit({ asset, chain: `chain-of-${asset.length}`, amount: '5.25' });
  await account.advance(10);
  await page.goto('/balances');
  const marked = `${fake}⟨U+0422⟩`;
  await expect(page.getByRole('link', { name: marked, exact: true }).first()).toBeVisible();

  await openSearch(page);
  await paste(page, '5.25 vUSDC');
  await expect(group(page, 'Go to').getByRole('option')).toHaveText([
    'vUSDC deposits',
    'vUSDC withdrawals',
    'vUSDC balance',
    'VUSDC deposits',
    'VUSDC withdrawals',
    'VUSDC balance',
  ]);
  await expect(group(page, /^Payments, 5.25 vUSDC or VUSDC exactly/).getByRole('option')).toHaveCount(2);
  await paste(page, `5 ${ibc}`);
  await group(page, 'Go to').getByRole('option', { name: 'balance' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ibc/273');

  await openSearch(page);
  await paste(page, '5 vUSDC');
  await group(page, 'Create').getByRole('option', { name: 'New withdrawal of 5 vUSDC', exact: true }).click();
  await expect(page.getByLabel('Asset', { exact: true })).toHaveValue('vUSDC');
  await page.getByLabel('Asset', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByText('You also hold “VUSDC”, another asset.')).toBeVisible();
  await page.getByLabel('Asset', { exact: true }).fill(fake);
  await page.keyboard.press('Tab');
  await expect(page.getByText('This code has characters that only look like others')).toBeVisible();
  await expectClean(page, 'a form with a code that is marked');
});
