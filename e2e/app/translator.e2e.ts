import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { rowOf, tableOf } from '#e2e/support/depositList.ts';
import { closePeriod, LAST_MONTH, sumOf } from '#e2e/support/monthClose.ts';
import { addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import { heldText, translatePages } from '#e2e/support/translator.ts';
import { BTC, expectAccepted, openReview, sendAndLose, sendButton, resend, stateOf } from '#e2e/support/withdrawing.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

// React throws if a translator changed its nodes, and every test fails on a page error.
test.use({ seed: { deposits: 30, assets: 7 } });
test.beforeEach(({ context }) => translatePages(context));

const PAGES = [
  '/',
  '/balances',
  '/balances/BTC',
  '/deposits',
  '/withdrawals',
  '/withdrawals/new',
  '/addresses',
  '/deposits/new-address',
  '/recipients',
  '/batches',
  '/batches/new',
  '/standing-payments',
  '/month-close',
  '/activity',
  '/exports',
  '/ledger',
  '/api-log',
  '/operations',
  '/charges/new',
  '/webhook-deliveries/replay',
  '/simulator',
  '/nowhere',
];

/** Amounts, ids, addresses, times, keys and untrusted text. */
const EXACT = [
  '.amt',
  '.id',
  '.chunks',
  '.raw-text',
  '.code',
  '.brand',
  '.moves .row-link > :last-child',
  'time',
  'kbd',
  '[role=cell].c-amount',
  '[role=cell].c-id',
];

test('on a translated page no text node has siblings @deep', async ({ page }) => {
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect([path, await heldText(page)]).toEqual([path, []]);
    // Exact text stays untranslated.
    const altered = page.locator(EXACT.map((each) => `${each} font`).join(', '));
    expect([path, await altered.evaluateAll((all) => all.map(({ parentElement: of }) => of?.outerHTML))]).toEqual([
      path,
      [],
    ]);
  }
});

test('lists, filters and details work on translated pages @deep', async ({ page, account }) => {
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.015', status: 'pending' });
  await page.goto('/deposits');
  await rowOf(page, id).getByRole('link').click();
  const detail = page.getByRole('region', { name: 'Deposit', exact: true });
  await expect(detail).toContainText('Pending');
  await account.depositTo(id, 'completed');
  await page.getByRole('button', { name: 'Refresh' }).first().click();
  await expect(detail).toContainText('Completed');
  await expect(detail).not.toContainText('Pending');
  await page.keyboard.press('Escape');
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Status/ })
    .click();
  await page.getByRole('button', { name: 'failed', exact: true }).click();
  await expect(rowOf(page, id)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear status' }).first().click();
  await expect(rowOf(page, id)).toBeVisible();
  await inAccountMenu(page, 'Local');
  await expect(tableOf(page)).toContainText('Europe/Berlin');

  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search payments, addresses, hashes' });
  for (const text of ['0.015 BTC', 'failed deposits', '777 BTC today', 'Deposits']) {
    await field.fill(text);
    await expect(page.getByRole('dialog', { name: 'Search' }).getByRole('option').first()).toBeVisible();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeHidden();
  expect(await heldText(page)).toEqual([]);
});

test('a withdrawal is written, lost and sent again on translated pages @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await page.getByLabel('Amount', { exact: true }).fill('1,250');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByText(/^Is 1,250 one thousand/).first()).toBeVisible();
  await page.getByLabel('Amount', { exact: true }).fill('1');
  await expect(page.getByText(/^Is 1,250 one thousand/)).toHaveCount(0);
  await sendAndLose(page, account);
  await resend(page, account);
  await expectAccepted(page);
  await expect(stateOf(page)).not.toContainText('Unconfirmed');
  // The title contains amount and address.
  await expect(page.getByRole('heading', { level: 1 }).locator('font')).toHaveCount(0);
  expect(await heldText(page)).toEqual([]);
  await openReview(page, { ...BTC, amount: '0.5' });
  await expect(sendButton(page)).toBeVisible();
  expect(await heldText(page)).toEqual([]);
  await page.goto('/operations');
  await expect(page.getByRole('link', { name: /^1 BTC|BTC to/ }).first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Operations' }).locator('a font')).toHaveCount(0);
});

test('recipients and the month close work on translated pages @deep', async ({ page, account }) => {
  await openBookWith(page, 'Acme');
  await addByHand(page, 'Miner', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(2);
  await page.getByRole('searchbox').fill('miner');
  await expect(entries(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove Miner' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Saved recipients' })).toBeFocused();
  await page.getByRole('searchbox').fill('');
  await expect(entries(page)).toHaveCount(2);
  expect(await heldText(page)).toEqual([]);

  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.1', created_at: LAST_MONTH.from });
  await page.goto('/month-close');
  await sumOf(page, 'BTC').getByRole('button', { name: 'BTC' }).click();
  await closePeriod(page);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(sumOf(page, 'BTC')).toContainText('Agreed when closed');
  expect(await heldText(page)).toEqual([]);
});
