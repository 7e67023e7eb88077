import { openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { exportedFile } from '#e2e/support/exporting.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

const WIDTHS = [320, 375, 768, 1024, 1280, 1920];
const SIXTY = '123456789012345678901234567890123456.123456789012345678901234';
const LONG = `${'W'.repeat(50_000)}\u0000${'m'.repeat(50_000)}`;

test.use({ seed: { deposits: 12, assets: 3 } });

test('responses that the contract leaves open, and worse, are shown as received', async ({ page, account }) => {
  const data = {
    0: { status: 'compliance_review', note: 'kept', nested: { deep: [1, null] } },
    1: { status: { $set: null }, chain: null, asset: null, received_amount: { $set: null }, created_at: null },
    2: { received_amount: 1.5, created_at: 1_795_228_907_000 },
    3: { received_amount: SIXTY, created_at: 99_999_999_999 },
    4: { status: '<script>document.title = "run"</script>', chain: '<img src=x onerror=alert(1)>', created_at: -5 },
    5: { id: 'dep_\u202Exuoy-evig-tsal', status: '\u202Edetelpmoc', asset: '\u200BBTC\u0000', received_amount: '1e-8' },
    6: { status: LONG, chain: LONG, asset: LONG, received_amount: LONG, extra: LONG },
    7: { received_amount: `0.${'0'.repeat(35)}1`, asset: '🪙' },
    8: { received_amount: `${'9'.repeat(80)}.25`, asset: 'usd-coin (bridged)' },
  };
  await account.fault({ path: '/v1/deposits', times: 99, patch: { data } });
  await openDeposits(page);
  await expect(rowAt(page, 0).getByText('compliance_review')).toBeVisible();
  await expect(rowAt(page, 1).getByText('no status')).toBeVisible();
  await expect(rowAt(page, 1).getByText('null, no amount')).toBeVisible();
  await expect(rowAt(page, 1).getByText('no time in the response')).toBeVisible();
  await expect(rowAt(page, 2)).toContainText('1.5 (a number, not a decimal string)');
  await expect(rowAt(page, 2)).toContainText('1795228907000 (not a time)');
  await expect(rowAt(page, 3)).toContainText(
    '123,456,789,012,345,678,901,234,567,890,123,456.123456789012345678901234',
  );
  await expect(rowAt(page, 3)).toContainText('99999999999 (not a time)');
  await expect(rowAt(page, 4)).toContainText('<script>document.title');
  await expect(rowAt(page, 4)).toContainText('-5 (not a time)');
  await expect(rowAt(page, 5)).toContainText('⟨U+202E⟩detelpmoc');
  await expect(rowAt(page, 5)).toContainText('1e-8 (not a decimal string)');
  // With so many digits a narrow list drops the ids.
  await page.setViewportSize({ width: 1920, height: 800 });
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByLabel('ID', { exact: true }).check();
  await page.keyboard.press('Escape');
  await rowAt(page, 5).getByText('dep_⟨U+202E⟩').hover();
  await expect(page.getByRole('tooltip')).toHaveText('dep_⟨U+202E⟩xuoy-evig-tsal');
  await expect(rowAt(page, 7)).toContainText(`0.${'0'.repeat(35)}1`);
  const longest = rowAt(page, 8).getByRole('cell').last();
  await expect(longest).toContainText('999.25\u00a0usd-coin (b…');
  expect(await longest.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  await expect(page).toHaveTitle(/^Deposits/);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => sideways(page), { message: `at ${width} px` }).toBeLessThanOrEqual(0);
  }
});

for (const language of ['C', 'en-US@posix']) {
  test(`a browser whose language is ${language} shows amounts @deep`, async ({ page }) => {
    await page.addInitScript((stated) => {
      Object.defineProperty(Navigator.prototype, 'language', { get: () => stated });
    }, language);
    for (const [path, heading] of [
      ['/', 'Home'],
      ['/balances', 'Balances'],
      ['/deposits', 'Deposits'],
    ] as const) {
      await page.goto(path);
      expect(await page.evaluate(() => navigator.language)).toBe(language);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(
        page
          .getByRole('main')
          .getByText(/\d\.\d/)
          .first(),
      ).toBeVisible();
      await expect(page.getByText('This page stopped working')).toHaveCount(0);
    }
  });
}

function sideways(page: Parameters<typeof rowAt>[0]): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

test('the panel shows all of a hostile deposit on demand, and the layout holds @deep', async ({ page, account }) => {
  const hostile = { status: '<script>alert(1)</script>', chain: LONG, received_amount: SIXTY, '<b>field</b>': LONG };
  await account.fault({ path: '/v1/deposits', times: 99, patch: { data: { 0: hostile } } });
  await openDeposits(page);
  await rowAt(page, 0).getByRole('link').first().click();
  const panel = page.getByRole('region', { name: 'Deposit' });
  await expect(panel.getByText('<script>alert(1)</script>').first()).toBeVisible();
  await expect(panel.getByText('<b>field</b>', { exact: true })).toBeVisible();
  const all = panel.getByRole('button', { name: 'Show all 100,001 characters' }).first();
  await expect(all).toHaveAttribute('aria-expanded', 'false');
  await all.click();
  await expect(panel.getByText('␀').first()).toBeAttached();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => sideways(page), { message: `at ${width} px` }).toBeLessThanOrEqual(0);
  }
});

test('numbers that no double can represent keep their digits, in a row, in a field, in the raw JSON and in an export', async ({
  page,
  account,
}) => {
  const digits = ['0.10000000000000000001', '12345678901234567890', '-1e400', '12.50'];
  const [amount = '', serial = '', factor = '', price = ''] = digits;
  const item = `{"id":"dep_exact","object":"deposit","status":"completed","asset":"BTC","chain":"bitcoin",
    "received_amount":${amount},"serial":${serial},"factor":${factor},"price":${price},"created_at":1795228907}`;
  const body = `{"object":"list","data":[${item}],"has_more":false,"next_cursor":null}`;
  await account.fault({ path: '/v1/deposits', times: 99, body });
  await openDeposits(page);
  await expect(rowAt(page, 0)).toContainText(`${amount} (a number, not a decimal string)`);
  await rowAt(page, 0).getByRole('link').first().click();
  const panel = page.getByRole('region', { name: 'Deposit' });
  for (const number of digits.slice(1)) await expect(panel.getByText(number, { exact: true })).toBeVisible();
  await panel.getByText('Raw JSON').click();
  for (const number of digits) await expect(panel.locator('details').last()).toContainText(`: ${number}`);
  const { text: file } = await exportedFile(page, { format: 'JSON Lines' });
  for (const number of digits) expect(file).toContain(`:${number},`);
});

test('an incomplete or hostile error is shown in words, with the status @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/418|400/);
  const json = { 'Content-Type': 'application/json' };
  const error = { code: '<script>', message: `\u202Eevil ${'x'.repeat(100_000)}` };
  await account.fault({ path: '/v1/deposits', status: 400, headers: json, body: JSON.stringify({ error }) });
  await page.goto('/deposits');
  const alert = page.getByRole('alert');
  await expect(alert.getByText('<script>', { exact: true })).toBeVisible();
  await expect(alert.getByText('⟨U+202E⟩evil')).toBeVisible();
  await expect(alert.getByRole('button', { name: /^Show all 100,00\d characters/ })).toBeVisible();
  expect(await sideways(page)).toBeLessThanOrEqual(0);
  await account.fault({ path: '/v1/deposits', status: 418, headers: json, body: '{}' });
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert.getByText('418')).toBeVisible();
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(rowAt(page, 0)).toBeVisible();
});

test('HTML instead of the list is reported as not from the service and never rendered @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/50\d/);
  const portal = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome to the hotel</h1>' };
  await account.fault({ path: '/v1/deposits', times: 3, ...portal });
  await page.goto('/deposits');
  await expect(page.getByRole('alert').getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome to the hotel' })).toHaveCount(0);
});
