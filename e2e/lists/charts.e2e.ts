import type { Locator, Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { formatAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { choose } from '#e2e/support/choose.ts';
import { allDeposits, type Deposit, idsOf, openDeposits, rowAt, scrollThrough } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { addByHand, entries } from '#e2e/support/recipients.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC } from '#e2e/support/withdrawing.ts';

const OTHER_BTC = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';
const DAY = 86_400;
const dayOf = ({ created_at }: Deposit): string => new Date(created_at * 1000).toISOString().slice(0, 10);

/** "21 Nov 2026", as the pages write a day. */
function words(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
}

/** The URL of the Created filter for whole days, UTC. */
function searchOf(from: string, to: string): string {
  const start = Date.parse(`${from}T00:00:00Z`) / 1000;
  const end = Date.parse(`${to}T00:00:00Z`) / 1000 + DAY;
  return `?created_after=${start - 1}&created_before=${end}`;
}

const strip = (page: Page): Locator => page.getByRole('region', { name: /^Deposits per/ });
const openChart = (page: Page) => page.getByRole('button', { name: 'Chart', exact: true }).click();
const optionOf = (page: Page, day: string): Locator => page.getByRole('option', { name: `${words(day)}:` });

async function expectRows(page: Page, expected: readonly Deposit[]) {
  await expect(rowAt(page, 0).getByRole('link').first()).toHaveAttribute(
    'href',
    new RegExp(`^/deposits/${expected[0]?.id}`),
  );
  expect(await scrollThrough(page, expected.length)).toEqual(idsOf(expected));
}

/** The numbers of the table, by day and column head. */
async function tableOfDays(page: Page): Promise<Map<string, Record<string, string>>> {
  await strip(page).getByRole('button', { name: 'As a table' }).click();
  const table = page.getByRole('dialog').getByRole('table');
  const cells = await table
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent.trim())));
  const [head = [], ...body] = cells;
  return new Map(
    body.map(([day = '', ...figures]) => [
      /^\d+ \w+ \d+/.exec(day)?.[0] ?? day,
      Object.fromEntries(figures.map((figure, at) => [head[at + 1] ?? '', figure])),
    ]),
  );
}

/** The number of the chart's reads, which have the largest page size. */
async function countReads(account: Account): Promise<number> {
  const ofPage = (await account.requests()).filter(({ path, attempt }) => path === '/v1/deposits' && attempt !== null);
  return ofPage.filter(({ query }) => /limit=100(?:&|$)/.test(query)).length;
}

test.describe('of an account with 900 deposits of five assets', () => {
  test.use({ seed: { deposits: 900, assets: 5 } });

  test('counts the rows that match the filter, even with a failing page and Retry, and shows them as a table @deep', async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/500/);
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await openDeposits(page);
    expect(await countReads(account)).toBe(0);
    expect(scripts.filter((path) => /Chart-.*\.js/.test(path))).toEqual([]);

    const after = Math.floor(Date.now() / 1000) - 60 * DAY;
    const all = (await allDeposits(account)).filter(
      ({ status, created_at }) => status === 'completed' && created_at > after,
    );
    await page.goto(`/deposits?status=completed&order=asc&created_after=${after}`);
    await expect(rowAt(page, 0)).toBeVisible();
    // The list has loaded its period, so all further requests are the chart's.
    await expect(page.getByRole('group', { name: 'Totals' })).toContainText(`${all.length} deposits`);
    // The first page and the oldest row are read, but not the second page.
    await account.fault({ path: '/v1/deposits', patch: {} });
    await account.fault({ path: '/v1/deposits', patch: {} });
    await account.fault({ path: '/v1/deposits', times: 3, status: 500 });
    await openChart(page);
    await expect(strip(page).getByRole('alert')).toContainText('Stopped early; totals are partial. 500');
    await expect(strip(page).getByText(/^100 loaded, back to /)).toBeVisible();
    await expect(page.getByRole('option', { name: /: not loaded$/ }).first()).toBeAttached();
    expect(scripts.filter((path) => /Chart-.*\.js/.test(path))).toHaveLength(1);
    await strip(page).getByRole('button', { name: 'Retry' }).click();
    await expect(strip(page).getByText(new RegExp(`^All ${all.length} loaded`))).toBeVisible();
    await expect(page.getByRole('option', { name: /: not loaded$/ })).toHaveCount(0);

    await strip(page).getByRole('button', { name: 'Count', exact: true }).click();
    const counts = await tableOfDays(page);
    expect(counts.get('All days')).toEqual({ Completed: String(all.length) });
    for (const day of new Set(all.map(dayOf))) {
      const of = all.filter((deposit) => dayOf(deposit) === day);
      expect(counts.get(words(day)), day).toEqual({ Completed: String(of.length) });
    }
    await page.keyboard.press('Escape');
    // Sums are exact, for one asset and the selected status.
    await strip(page).getByRole('button', { name: 'Amount' }).click();
    await choose(strip(page).getByLabel('Asset of the chart'), 'BTC');
    const btc = all.filter(({ asset }) => asset === 'BTC');
    const exact = (of: readonly Deposit[]) => formatAmount(sum(of.map((each) => each.received_amount)), 'en-GB');
    const sums = await tableOfDays(page);
    expect(sums.get('All days')).toEqual({ Completed: exact(btc) });
    for (const day of new Set(btc.map(dayOf)))
      expect(sums.get(words(day)), day).toEqual({ Completed: exact(btc.filter((each) => dayOf(each) === day)) });
    await expectClean(page, 'the table of days', [375]);
    await page.keyboard.press('Escape');
    await expectClean(page, 'the chart', [1440]);
  });

  test('a day picked by mouse, or several by keyboard, become the filter, and Back undoes it @deep', async ({
    page,
    account,
  }) => {
    const all = await allDeposits(account);
    const newest = all[0]?.created_at ?? 0;
    const recent = all.filter(({ created_at }) => created_at > newest - 14 * DAY);
    const days = [...new Set(recent.map(dayOf))].sort();
    const from = days[0] ?? '';
    const to = days.at(-1) ?? '';
    const whole = all.filter((deposit) => dayOf(deposit) >= from);
    await openDeposits(page, searchOf(from, to));
    await openChart(page);
    await expect(strip(page).getByText(new RegExp(`^All ${whole.length} loaded`))).toBeVisible();

    const picked = days.at(-3) ?? '';
    const of = whole.filter((deposit) => dayOf(deposit) === picked);
    await expect(optionOf(page, picked)).toHaveAccessibleName(new RegExp(`: ${of.length} deposits?\\b`));
    await optionOf(page, picked).click();
    await expectRows(page, of);
    await expect(page).toHaveURL(`/deposits${searchOf(picked, picked)}`);
    await expect(page.getByRole('search').getByRole('button', { name: /^Created / })).toContainText(words(picked));
    await expect(strip(page).getByText(new RegExp(`^All ${of.length} loaded`))).toBeVisible();

    const before = await countReads(account);
    await page.goBack();
    await expectRows(page, whole);
    await expect(strip(page).getByText(new RegExp(`^All ${whole.length} loaded`))).toBeVisible();
    expect(await countReads(account)).toBe(before);

    // Beside the bars is their exact sum for one asset, equal to the totals under the list.
    const asset = await strip(page).getByRole('combobox', { name: 'Asset of the chart' }).textContent();
    const done = whole.filter((each) => each.asset === asset && each.status === 'completed');
    const exact = formatAmount(sum(done.map(({ received_amount: amount }) => amount)), 'en-GB');
    await expect(strip(page).getByText(exact)).toBeVisible();
    await strip(page).getByRole('button', { name: 'Count', exact: true }).click();
    const completed = whole.filter(({ status }) => status === 'completed').length;
    await expect(strip(page).getByText(`${completed} deposits`, { exact: true })).toBeVisible();

    // By keyboard only: from the last day two to the left, and two more with Shift.
    const box = strip(page).getByRole('listbox', { name: 'Pick a day or several' });
    await box.focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key);
    await expect(page.getByRole('option', { selected: true })).toHaveCount(3);
    const last = Date.parse(`${to}T00:00:00Z`) / 1000;
    const at = (back: number) => new Date((last - back * DAY) * 1000).toISOString().slice(0, 10);
    const three = whole.filter((deposit) => dayOf(deposit) >= at(4) && dayOf(deposit) <= at(2));
    await expect(strip(page).getByText(`: ${three.length} deposits`)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/deposits${searchOf(at(4), at(2))}`);
    await expectRows(page, three);
    await expect(box).toBeFocused();
    // Without a chosen period: all of the last 30 days.
    await page.getByRole('button', { name: 'Clear created' }).click();
    await expect(page).toHaveURL('/deposits');
    await expect(strip(page).getByText(/Completed, /)).toBeVisible();
    // Withdrawals have a chart, too, which stays visible from then on.
    await page.getByRole('link', { name: 'Withdrawals', exact: true }).click();
    const sent = page.getByRole('region', { name: /^Withdrawals per/ });
    await sent.getByRole('button', { name: 'Week' }).click();
    await expect(sent.getByText(/Completed, /)).toBeVisible();
  });
});

test.describe('of an account with 2,150 deposits', () => {
  test.use({ seed: { deposits: 2150, assets: 2 } });

  test('the first 2,000 are counted automatically, the rest on request, and an open chart is remembered @deep', async ({
    page,
    account,
  }) => {
    // The sum of the loaded rows is not shown as the total.
    await openDeposits(page, '?asset=BTC');
    const totals = page.getByRole('group', { name: 'Totals' });
    await expect(totals).toContainText(/at least [\d.,]+\sBTC completed/);
    await openDeposits(page, '?created_after=1');
    await openChart(page);
    await expect(strip(page).getByText(/^2,000 loaded, back to /)).toBeVisible();
    expect(await countReads(account)).toBe(20);
    await strip(page).getByRole('button', { name: 'Load all' }).click();
    await expect(strip(page).getByText(/^All 2,150 loaded/)).toBeVisible();
    expect(await countReads(account)).toBe(22);
    await expect(page.getByRole('region', { name: 'Deposits per week' })).toBeVisible();

    await strip(page).getByRole('button', { name: 'Count', exact: true }).click();
    await page.setViewportSize({ width: 375, height: 800 });
    await expect(strip(page).getByRole('listbox')).toHaveCount(0);
    const parts = Object.values((await tableOfDays(page)).get('All days') ?? {});
    expect(parts.map((rows) => Number(rows.replace(',', ''))).reduce((all, rows) => all + rows, 0)).toBe(2_150);
    await page.reload();
    await expect(strip(page).getByText(/^(All )?[\d,]+ loaded/)).toBeVisible();
    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    await expect(strip(page)).toHaveCount(0);
  });
});

test.describe('of an account with seven assets', () => {
  test.use({ seed: { deposits: 40, assets: 7 } });

  test('each balance shows its parts as a bar, or as text if a bar would mislead, and neither while amounts are hidden @deep', async ({
    page,
    account,
  }) => {
    await account.fault({
      path: '/v1/balances',
      times: 99,
      patch: {
        data: {
          0: { asset: 'A', available: '99.5', pending: '0.5', locked: '0', total: '100' },
          1: { asset: 'B', available: '0.00', pending: '0', locked: '0', total: '0' },
          2: { asset: 'C', available: '3', pending: '-1', locked: '0', total: '2' },
          3: { asset: 'D', available: '1', pending: '1', locked: '1', total: '4' },
        },
      },
    });
    await page.goto('/balances');
    const row = (asset: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: asset, exact: true }) });
    await expect(row('A').getByRole('img')).toHaveAccessibleName(
      'A: over 99 % available, under 1 % pending, 0 % locked',
    );
    await expect(row('B')).toContainText('Nothing held');
    await expect(row('C')).toContainText('No bar: a part is below zero');
    await expect(row('D')).toContainText('No bar: the parts do not make the total');
    await expect(row('D').getByRole('img')).toHaveCount(0);
    await expectClean(page, 'the balances of seven assets', [375]);
    await inAccountMenu(page, 'Hide amounts');
    await expect(page.getByRole('img', { name: /available/ })).toHaveCount(0);
    await inAccountMenu(page, 'Show amounts');

    // On the asset's own page, its figures are below the bar.
    await row('LTC').getByRole('link').first().click();
    await expect(page).toHaveURL('/balances/LTC');
    const bar = page.getByRole('region', { name: 'Balance of LTC' }).getByRole('img', { name: /^LTC: .* available/ });
    await expect(bar).toBeVisible();
    const figures = page.locator(`[id="${await bar.getAttribute('aria-details')}"]`);
    await expect(figures).toHaveRole('table');
  });
});

test.describe('of an account with withdrawals', () => {
  test.use({ seed: { deposits: 0, assets: 7 } });

  test('a button with a visible label has no tooltip, which would cover the chart; an icon button has one @deep', async ({
    page,
  }) => {
    const tip = page.getByRole('tooltip');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/withdrawals');
    await page.getByRole('button', { name: 'Export' }).hover();
    await expect(tip).toContainText('Key E');
    await expect(tip).not.toContainText('Export');
    await page.getByRole('button', { name: 'Chart' }).hover();
    await expect(tip).toHaveCount(0);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Export' }).hover();
    await expect(tip).toContainText('Export');
    await page.getByRole('button', { name: 'Chart' }).hover();
    await expect(tip).toHaveText('Chart');
  });

  test('withdrawals by recipient: a bar for each, with its name, largest first @deep', async ({ page, account }) => {
    const sent = [BTC, { ...BTC, amount: '0.5' }, { ...BTC, amount: '0.1', address: OTHER_BTC }];
    for (const fields of sent) {
      const id = await withdrawByApi(account, fields);
      await account.withdrawal(id, { status: 'completed' });
    }
    await page.goto('/recipients');
    await addByHand(page, 'Acme', BTC.chain, BTC.address);
    await expect(entries(page)).toHaveCount(1);
    await page.goto('/withdrawals');
    await openChart(page);
    await page.getByRole('button', { name: 'By recipient' }).click();
    const bars = page.getByRole('table', { name: 'Withdrawals by recipient' }).locator('tbody tr');
    await expect(bars).toHaveText([/^Acme0\.750*$/, /^bc1qrp3….*0\.10*$/]);
    await expectClean(page, 'a chart by recipient');
    await page.getByRole('button', { name: 'Count', exact: true }).click();
    await expect(bars).toHaveText([/^Acme2$/, /1$/]);
    await bars.first().getByRole('link', { name: 'Acme' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Acme' })).toBeVisible();
    // A deposit has no recipient.
    await page.goto('/deposits');
    await expect(page.getByRole('button', { name: 'Week' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'By recipient' })).toHaveCount(0);
  });
});
