import type { Locator, Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { expectReadable } from '#e2e/support/readable.ts';
import { tabTo } from '#e2e/support/keyboard.ts';
import {
  closedRows,
  closePeriod,
  download,
  LAST_MONTH,
  linesOf,
  monthStart,
  pathOf,
  sha256,
  sumOf,
} from '#e2e/support/monthClose.ts';
import { type Account, HELD } from '#e2e/support/sandbox.ts';
import { addByHand } from '#e2e/support/recipients.ts';
import { ETH, expectAccepted, fillForm, sendButton } from '#e2e/support/withdrawing.ts';

// The account has opening balances and whatever a test creates.
test.use({ seed: { deposits: 0, assets: 3 } });

const { from, to } = LAST_MONTH;
const DAY = 86_400;

const btc = (account: Account, amount: string, created_at: number, status?: string) =>
  account.deposit({ asset: 'BTC', chain: 'bitcoin', amount, created_at, ...(status && { status }) });
const isoDay = (unix: number) => new Date(unix * 1000).toISOString().slice(0, 10);
const ids = (file: string | undefined) => linesOf(file).map(([id]) => id);

/** Reloads the team's data without waiting for the next poll, as when the network is back. */
async function seeColleagues(page: Page) {
  // Not setOffline: requests in flight would fail.
  await page.evaluate(() => {
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
}

const found = (page: Page) => page.getByRole('region', { name: /^(Adjustments|Late for this)/ }).getByRole('listitem');

/** Deposits in the month's first and last second, two in the same second, and one in the first second after it. */
async function month(account: Account) {
  const inside = [
    await btc(account, '0.1', from),
    await btc(account, '0.00000001', from + 5 * DAY),
    await btc(account, '0.25', from + 9 * DAY),
    await btc(account, '0.25', from + 9 * DAY),
    await btc(account, '1', to - 1),
  ];
  const { id: next } = await btc(account, '7', to);
  return { inside: inside.map(({ id }) => id), next };
}

test('a closed month’s files are exact, match their hashes, and are the same bytes for a colleague', async ({
  page,
  account,
  colleague,
}) => {
  const { inside, next } = await month(account);
  // A swap is dated by the account's clock, so it is moved into the month and back.
  const back = from + 10 * DAY - Math.floor(Date.now() / 1000);
  await account.advance(back);
  const { id: swap } = await account.swap({ from: 'USDT', from_amount: '500', to: 'BTC', to_amount: '0.5' });
  await account.advance(-back);

  await page.goto('/month-close?created_after=abc&created_before=5');
  await expect(page.getByText('Ignored in the link: created_after=abc, created_before=5')).toBeVisible();
  await page.goto('/month-close');
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await expect(page.getByText('Ignored in the link')).toBeHidden();
  await sumOf(page, 'BTC').getByRole('button', { name: 'BTC' }).click();
  const sum = page.getByRole('table', { name: 'BTC' });
  await expect(sum.getByRole('row', { name: /^Deposits/ })).toContainText('5 deposits');
  await expect(sum.getByRole('row', { name: /^Swaps/ })).toContainText('+0.5 BTC');
  const swaps = page.getByRole('listitem').filter({ hasText: swap });
  await expect(swaps).toContainText('Swap: −500 USDT to +0.5 BTC, not on a chain');
  await expect(sum.getByRole('row', { name: /^Difference/ })).toContainText('0 BTC');
  await expect(sum.getByRole('link', { name: '5 deposits' })).toHaveAttribute(
    'href',
    `/deposits?asset=BTC&created_after=${from - 1}&created_before=${to}`,
  );
  await expectClean(page, 'a month');

  const { bytes, files } = await closePeriod(page);
  expect(ids(files['evidence/deposits.csv'])).toEqual(inside);
  expect(files['evidence/deposits.csv']).not.toContain(next);
  expect(ids(files['evidence/ledger.csv'])).toHaveLength(inside.length * 3 + 2);
  expect(files['evidence/ledger.csv']).toContain(swap);
  const totals = JSON.parse(files['evidence/control-totals.json'] ?? '');
  expect(totals).toMatchObject({ statement: 1, to_utc: new Date(to * 1000).toISOString().replace('.000', '') });
  for (const { name, sha256: hash, rows } of totals.files) {
    expect([name, sha256(files[name] ?? '')]).toEqual([name, hash]);
    if (name.endsWith('.csv')) expect(linesOf(files[name])).toHaveLength(rows);
  }
  expect(
    linesOf(files['evidence/summary.csv'])
      .find(([asset]) => asset === 'BTC')
      ?.slice(1, 9),
  ).toEqual(['12', '1.60000001', '0', '0', '0.5', '0', '0', '14.10000001']);
  // The list shows the start of the ZIP's hash.
  await expect(closedRows(page).first()).toContainText(sha256(bytes).slice(0, 12));

  const ben = await colleague('Ben');
  await ben.goto('/month-close');
  await expect(sumOf(ben, 'BTC')).toContainText('Agreed when closed');
  await expect(ben.getByRole('button', { name: 'Close period' })).toHaveCount(0);
  expect(Buffer.compare((await download(ben)).bytes, bytes)).toBe(0);
});

test('a deposit dated into a closed month is named, and is an adjustment of the next month only @deep', async ({
  page,
  account,
}) => {
  const { id: pending } = await btc(account, '0.5', from + DAY, 'under-review');
  await btc(account, '0.1', from + 2 * DAY);
  const many = '1234567.123456789012345678';
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: many, created_at: from + DAY });
  await page.goto('/month-close');
  await closePeriod(page);
  // After the close: a deposit dated 20 days before the month's end, and a status change of an earlier one.
  const { id: late } = await btc(account, '777', to - 20 * DAY);
  await account.depositTo(pending, 'completed');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(sumOf(page, 'BTC')).toContainText('+777 BTC');
  await expect(sumOf(page, 'BTC')).toContainText('Agreed when closed');
  await expectReadable(page, page.getByRole('table', { name: 'Sums by asset' }));
  await sumOf(page, 'BTC').getByRole('button', { name: 'BTC' }).click();
  await expect(page.getByRole('table', { name: 'BTC' }).getByRole('row', { name: /^Difference/ })).toContainText(
    '+777',
  );
  // The search for late rows runs automatically.
  const next = new Date(to * 1000).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  await expect(page.getByText(`1 late deposit, +777 BTC, goes into ${next}`)).toBeVisible();
  await sumOf(page, 'ETH').getByRole('button', { name: 'ETH' }).click();
  await page.getByRole('table', { name: 'ETH' }).getByRole('link', { name: '1 deposit' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('table', { name: 'ETH' })).toBeVisible();
  await expect(found(page)).toHaveCount(2);
  await expect(found(page).filter({ hasText: late })).toContainText('777 BTC');
  await expect(found(page).filter({ hasText: pending })).toContainText('now completed, was under-review');

  // The asset's page shows the same closing, and the late amount in the open month.
  await page.goto('/balances/BTC');
  const months = page.getByRole('table', { name: 'Months' }).getByRole('row');
  await expect(months.nth(1)).toContainText('+777');
  await expect(months.nth(2).getByRole('img', { name: 'closed' })).toBeVisible();
  await expect(months.nth(2).getByRole('cell').last()).toHaveText('12.6');

  await account.advance(40 * DAY);
  await page.goto(pathOf({ from: to, to: monthStart(1) }));
  await expect(sumOf(page, 'BTC')).toContainText('+777');
  await page.getByRole('button', { name: 'Close period' }).click();
  await expect(page.getByRole('dialog')).toContainText(late);
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const { files } = await closePeriod(page);
  const adjusted = linesOf(files['evidence/adjustments.csv']).filter(([list]) => list === 'deposits');
  expect(adjusted.map((line) => line.slice(1, 5))).toEqual([
    ['changed', pending, 'under-review', 'completed'],
    ['late', late, '', 'completed'],
  ]);
  expect(
    linesOf(files['evidence/summary.csv'])
      .find(([asset]) => asset === 'BTC')
      ?.slice(7, 9),
  ).toEqual(['777', '789.6']);

  await expect(page.getByRole('table', { name: 'BTC' })).toContainText('named in adjustments.csv of its ZIP');

  // The late deposit is in a statement now, so last month adds up again.
  await page.goto('/month-close');
  await expect(sumOf(page, 'BTC')).toContainText('Agreed when closed');
  await expect(page.getByRole('row', { name: /^Since then/ })).toContainText(
    /and \+777\sBTC added later to closed periods/,
  );
});

test('on paper a month has the sum of every asset @deep', async ({ page, account }) => {
  await btc(account, '0.1', from);
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '1.5', created_at: from });
  await page.goto('/month-close');
  await expect(page.getByRole('table', { name: 'BTC' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'ETH' })).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  for (const asset of ['BTC', 'ETH', 'USDT']) await expect(page.getByRole('table', { name: asset })).toBeVisible();
  await expect(page.getByRole('table', { name: 'ETH' }).getByRole('row', { name: /^Deposits/ })).toContainText('+1.5');
  await page.emulateMedia({ media: 'screen' });

  // A month that isn't over says when it can be closed.
  await page.goto(pathOf({ from: to, to: monthStart(1) }));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const month = new Date(monthStart(1) * 1000).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  await expect(page.getByRole('button', { name: 'Close period' })).toHaveAccessibleDescription(
    new RegExp(`^Closes on 1 ${month}`),
  );
});

test('the ZIP has each withdrawal’s recipient, purpose and sender; rates add values, and invalid ones are reported by line @deep', async ({
  account,
  colleague,
}) => {
  const mira = await colleague('Mira');
  await mira.goto('/recipients');
  await addByHand(mira, 'Acme Hosting');
  await expect(mira.getByRole('link', { name: 'Acme Hosting', exact: true })).toBeVisible();
  await mira.goto('/withdrawals/new');
  await fillForm(mira, ETH);
  await mira.getByLabel('Reference').fill('INV-7');
  await mira.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(mira).click();
  await expectAccepted(mira);
  const [sent] = await account.withdrawals();
  await account.withdrawal(String(sent?.['id']), { status: 'completed' });
  await btc(account, '0.1', to);
  await account.advance(40 * DAY);

  await mira.goto(pathOf({ from: to, to: monthStart(1) }));
  await mira.getByRole('button', { name: 'Close period' }).click();
  const dialog = mira.getByRole('dialog');
  const choose = (text: string) =>
    dialog
      .getByLabel('Rate file')
      .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') });
  const day = isoDay(Number(sent?.['created_at']));
  const head = 'day,asset,currency,rate,source';
  await choose(`${head}\n${day},ETH,EUR,"2000,5",ECB\n${day},BTC,USD,1,ECB\n`);
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Line 2: “2000,5” isn’t a positive number with a decimal point.',
    'Line 3: USD, but the first rate is in EUR.',
  ]);
  const close = dialog.getByRole('button', { name: /^Close \w/ });
  await expect(close).toBeDisabled();
  await choose(`${head}\n"${day},ETH`);
  await expect(dialog.getByRole('listitem')).toHaveText('A quotation mark isn’t closed.');
  await expectClean(mira, 'a close with faulty rates');
  await choose(`${head}\n${day},ETH,EUR,2000.5,ECB\n`);
  await expect(dialog.getByText('1 rate in EUR from rates.csv.')).toBeVisible();
  await expect(dialog.getByText('1 rate is missing. Rows without one have no value.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove rates' }).click();
  await expect(dialog.getByRole('button', { name: 'Add rates (optional)' })).toBeFocused();
  await choose(`${head}\n${day},ETH,EUR,2000.5,ECB\n`);
  await expect(dialog.getByText('1 rate in EUR from rates.csv.')).toBeVisible();
  await close.click();
  await expect(closedRows(mira)).toHaveCount(1);

  const { files } = await download(mira);
  expect(files['withdrawals.csv']).toContain(',Acme Hosting,INV-7,,Mira (not verified)\r\n');
  expect(files['journal.csv']).toMatch(
    /,Withdrawal,Acme Hosting,INV-7,ETH,,1\.4992,0\.0008,178\.5,-3000\.75,EUR,2000\.5,ECB,wd_/,
  );
  expect(files['evidence/operations.jsonl']).toContain('"state":"succeeded"');

  // The statement is self-contained.
  await mira.goto('about:blank');
  await mira.setContent(files['statement.html'] ?? '');
  await expect(mira.getByRole('heading', { level: 1 })).toContainText('Statement 1: ');
  await expect(mira.getByRole('row', { name: /^ETH/ })).toContainText('Agrees with the balance');
  await expect(mira.getByText('Mira (not verified)', { exact: true })).toBeVisible();
});

test('movements are columns with the difference always in sight, and cards only on phones @deep', async ({
  page,
  account,
}) => {
  await btc(account, '0.1', from);
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '1234.123456789012345678', created_at: from });
  await page.setViewportSize({ width: 760, height: 800 });
  await page.goto('/month-close');
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await expect(page.getByText(/^As of \d\d:\d\d UTC$/)).toBeVisible();
  const table = page.getByRole('table', { name: 'Sums by asset' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Asset',
    'Check',
    'Opening',
    'Deposits',
    'Withdrawals',
    'Fees',
    'Other',
    'Closing',
    'Difference',
  ]);
  await expect(table.getByRole('columnheader', { name: 'Difference' })).toBeInViewport({ ratio: 1 });
  const scroller = page.getByRole('region', { name: 'Movements' });
  await scroller.evaluate((element) => element.scrollTo({ left: 200 }));
  await expect(table.getByRole('columnheader', { name: 'Difference' })).toBeInViewport({ ratio: 1 });
  await expectClean(page, 'a month whose movements scroll');
  // Decimals after the eighth go below the others before anything has to be scrolled.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(sumOf(page, 'ETH').getByRole('cell').nth(2)).toHaveText(/1,234\.123456789012345678/);
  await expectReadable(page, table);
  expect(await scroller.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 690, height: 800 });
  await expect(table.getByRole('columnheader', { name: 'Opening' })).not.toBeInViewport();
  await expect(sumOf(page, 'BTC').getByRole('cell').last()).toBeInViewport();
});

test('on a phone there is no gap for the progress of a load, and nothing moves when it comes @deep', async ({
  page,
  account,
}) => {
  await btc(account, '0.1', from);
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto('/month-close');
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const note = page.getByText(/^Periods and times on this page/);
  const period = await page.getByRole('button', { name: /^Period/ }).boundingBox();
  const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0;
  expect((await top(note)) - (period?.y ?? 0) - (period?.height ?? 0)).toBeLessThan(32);
  const table = page.getByRole('table', { name: 'Sums by asset' });
  const before = await top(table);
  await account.fault({ path: '/v1/ledger-entries', ...HELD });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await expect(note).toBeHidden();
  expect(await top(table)).toBe(before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(note).toBeVisible();
});

test.describe('a screen in another time zone', () => {
  test.use({ timezoneId: 'America/Los_Angeles' });

  test('closes the months of UTC all the same, and says so @deep', async ({ page, account }) => {
    await btc(account, '0.1', from);
    await page.goto('/month-close');
    await inAccountMenu(page, 'Local');
    await expect(page.getByText(/^Periods and times on this page are in UTC/)).toBeVisible();
    await expect(sumOf(page, 'BTC')).toContainText('+0.1');
    const { files } = await closePeriod(page);
    expect(JSON.parse(files['evidence/control-totals.json'] ?? '')).toMatchObject({
      from_utc: new Date(from * 1000).toISOString().replace('.000', ''),
      to_utc: new Date(to * 1000).toISOString().replace('.000', ''),
      period: expect.stringMatching(/, UTC$/),
    });
    await page.getByRole('button', { name: /^Period/ }).click();
    await expect(page.getByRole('group', { name: 'Months, UTC' })).toBeVisible();
    await expect(page.getByText('Full days in UTC, both included.')).toBeVisible();
  });
});

test('if the tab is closed while the server reads the month, the reading continues and is shown when the person returns @deep', async ({
  page,
  account,
}) => {
  await btc(account, '0.1', from);
  await page.goto('/balances');
  const before = (await account.requests()).length;
  await account.fault({ path: '/v1/withdrawals', delay: 4_000, times: 1 });
  const another = await page.context().newPage();
  await another.goto('/month-close');
  await expect(another.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await another.close();
  await page.goto('/month-close');
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const reads = (await account.requests()).slice(before).filter(({ path }) => path === '/v1/ledger-entries');
  expect(reads).toHaveLength(1);
});

test('an open sum stays open when the rows found explain its difference @deep', async ({ page, account }) => {
  await btc(account, '0.1', from);
  await page.goto('/month-close');
  await closePeriod(page);
  await account.deposit({ asset: 'USDT', chain: 'tron', amount: '15', created_at: from + DAY });
  await account.advance(40 * DAY);
  await page.goto(pathOf({ from: to, to: monthStart(1) }));
  await expect(found(page)).toHaveCount(1);
  await expect(sumOf(page, 'USDT')).toContainText('Agrees');
  await expect(page.getByRole('table', { name: 'USDT' })).toBeVisible();
});

test('a month is read to its end although the checkpoint’s row is gone and its cursor refused @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/400/);
  await btc(account, '0.1', to - 1);
  await page.goto('/month-close');
  await closePeriod(page);
  const inNext = [await btc(account, '1', to), await btc(account, '1', to + 5), await btc(account, '1', to + 5)];
  await account.advance(40 * DAY);
  const error = {
    type: 'invalid_request_error',
    code: 'invalid_cursor',
    message: 'No such cursor.',
    request_id: 'req_1',
  };
  await account.fault({ path: '/v1/deposits', times: 1, status: 400, body: JSON.stringify({ error }) });
  await page.goto(pathOf({ from: to, to: monthStart(1) }));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const asked = (await account.requests()).filter(({ path }) => path === '/v1/deposits').slice(-2);
  expect(asked.map(({ status, query }) => [status, query.includes('starting_after=')])).toEqual([
    [400, true],
    [200, false],
  ]);
  const { files } = await closePeriod(page);
  expect(ids(files['evidence/deposits.csv'])).toEqual(inNext.map(({ id }) => id));
});

test('a month on screen is loaded again when a colleague closes the one before @deep', async ({
  page,
  account,
  colleague,
}) => {
  await btc(account, '0.1', from - 2 * DAY);
  const ben = await colleague('Ben');
  await ben.goto(pathOf({ from: monthStart(-2), to: from }));
  await expect(sumOf(ben, 'BTC')).toContainText('Agrees');
  // Ben's month is loaded already; the next one isn't yet.
  const { id: late } = await btc(account, '5', from - DAY);
  await page.goto(pathOf(LAST_MONTH));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const { files: before } = await closePeriod(ben);
  expect(before['evidence/deposits.csv']).not.toContain(late);
  await seeColleagues(page);
  await expect(closedRows(page)).toHaveCount(1);
  const { files } = await closePeriod(page);
  expect(files['evidence/adjustments.csv']).toContain(late);
  expect(linesOf(files['evidence/summary.csv']).find(([asset]) => asset === 'BTC')).toContain('5');
});

test('a month whose reload was stopped after a colleague closed the one before can’t be closed @deep', async ({
  page,
  account,
  colleague,
}) => {
  await btc(account, '0.1', from - 2 * DAY);
  const ben = await colleague('Ben');
  await ben.goto(pathOf({ from: monthStart(-2), to: from }));
  await expect(sumOf(ben, 'BTC')).toContainText('Agrees');
  await page.goto(pathOf(LAST_MONTH));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await closePeriod(ben);
  await account.fault({ path: '/v1/ledger-entries', times: 1, status: 403 });
  await seeColleagues(page);
  await expect(page.getByText('Couldn’t finish')).toBeVisible();
  const close = page.getByRole('button', { name: 'Close period' });
  await expect(close).toBeDisabled();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(close).toBeEnabled();
});

test('a dialog to close a month that a colleague closes meanwhile says who did, and saves nothing @deep', async ({
  page,
  account,
  colleague,
}) => {
  await btc(account, '0.1', from);
  const ben = await colleague('Ben');
  await ben.goto('/month-close');
  await page.goto('/month-close');
  await page.getByRole('button', { name: 'Close period' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 deposit,');
  const { bytes } = await closePeriod(ben);
  await seeColleagues(page);
  const month = new Date(from * 1000).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
  const told = page.getByRole('dialog', { name: `Ben (not verified) closed ${month} in the meantime` });
  await expect(told).toContainText('Nothing was saved from here. Everyone gets the same file.');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expectClean(page, 'a month that a colleague closed meanwhile');
  await told.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('button', { name: 'Download ZIP' })).toBeFocused();
  await expect(sumOf(page, 'BTC')).toContainText('Agreed when closed');
  expect(Buffer.compare((await download(page)).bytes, bytes)).toBe(0);
});

test('a close that was never sent can be made with other rates @deep', async ({ page, account, expectConsole }) => {
  // The page may be loading code ahead when the device goes offline.
  expectConsole(/ERR_INTERNET_DISCONNECTED/);
  await btc(account, '0.1', from);
  await page.goto('/month-close');
  await page.getByRole('button', { name: 'Close period' }).click();
  const dialog = page.getByRole('dialog');
  const chooseRate = (rate: string) => {
    const text = `day,asset,currency,rate,source\n${isoDay(from)},BTC,EUR,${rate},ECB\n`;
    const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') };
    return dialog.getByLabel('Rate file').setInputFiles(file);
  };
  await chooseRate('80000');
  await expect(dialog.getByText('1 rate in EUR from rates.csv.')).toBeVisible();
  const close = dialog.getByRole('button', { name: /^Close \w/ });
  await page.context().setOffline(true);
  await close.click();
  await expect(dialog.getByText('This device is offline.')).toBeVisible();
  await page.context().setOffline(false);
  await chooseRate('90000');
  await close.click();
  await expect(closedRows(page)).toHaveCount(1);
  expect((await download(page)).files['journal.csv']).toContain(',9000,EUR,90000,ECB,');
});

test('a dialog to close a month whose month before a colleague closes asks to check the sums again @deep', async ({
  page,
  account,
  colleague,
}) => {
  await btc(account, '0.1', from - DAY);
  const ben = await colleague('Ben');
  await ben.goto(pathOf({ from: monthStart(-2), to: from }));
  await page.goto('/month-close');
  await page.getByRole('button', { name: 'Close period' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await closePeriod(ben);
  await seeColleagues(page);
  await expect(page.getByRole('dialog')).toContainText('Check them before you close the period.');
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await closePeriod(page);
});

test('two colleagues close at once: one succeeds, and the other sees who @deep', async ({
  page,
  account,
  colleague,
  expectConsole,
}) => {
  expectConsole(/409/);
  await btc(account, '0.1', from);
  const ben = await colleague('Ben');
  for (const who of [page, ben]) {
    await who.goto('/month-close');
    await who.getByRole('button', { name: 'Close period' }).click();
    await expect(who.getByRole('dialog')).toContainText('1 deposit,');
  }
  const good = (who: Page) =>
    who
      .getByRole('dialog')
      .getByRole('button', { name: /^Close \w/ })
      .click();
  await good(ben);
  await expect(closedRows(ben)).toHaveCount(1);
  await good(page);
  await expect(closedRows(page)).toHaveCount(1);
  await expect(closedRows(page)).toContainText('by Ben');
  await expect(page.getByRole('dialog', { name: /^Ben \(not verified\) closed/ })).toBeVisible();
});

test('without a ledger, a month has deposits and withdrawals, and the page says what is missing @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/404/);
  await btc(account, '0.1', from);
  // A 404 page of a proxy doesn't prove that the provider has no ledger, so the month can't be closed.
  await account.fault({ path: '/v1/ledger-entries', status: 404, body: '<h1>404 Not Found</h1>' });
  await page.goto('/month-close');
  await expect(page.getByRole('alert')).toContainText('couldn’t be loaded');
  await expect(page.getByRole('button', { name: 'Close period' })).toBeDisabled();
  await account.fault({ path: '/v1/ledger-entries', times: 99, status: 404 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('This provider offers no ledger.')).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Totals by asset and status' }).getByRole('row', { name: /BTC/ }),
  ).toContainText('0.1');
  await expectClean(page, 'a month without a ledger');
  const { files } = await closePeriod(page);
  expect(files['evidence/ledger.csv']).toBeUndefined();
  expect(linesOf(files['evidence/summary.csv'])).toEqual([['deposits', 'BTC', 'completed', '1', '0.1', '0']]);
});

test('a period can be chosen and closed by keyboard alone @deep', async ({ page, account }) => {
  await btc(account, '0.1', from);
  await page.goto(pathOf({ from, to: from + DAY }));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }));
    await page.keyboard.press('Enter');
  };
  await press(/^Period/);
  await press('Last month');
  await expect(page).toHaveURL(pathOf({ from, to }));
  await expect(page.getByRole('button', { name: /^Period/ })).toBeFocused();
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await press('Close period');
  await press(/^Close (?!period)\w/);
  await expect(closedRows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Download ZIP' })).toBeFocused();
});
