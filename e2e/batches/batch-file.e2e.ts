import { readFile } from 'node:fs/promises';
import { expectClean } from '#e2e/support/axe.ts';
import { openBookWith } from '#e2e/support/recipients.ts';
import {
  addressNumber,
  chooseFile,
  confirmAll,
  fileOf,
  openBatchReview,
  sendBatchButton,
  suppliers,
  unusualLines,
} from '#e2e/support/batches.ts';
import { ETH, expect, postsOf, test } from '#e2e/support/withdrawing.ts';

test('a bad file lists all its faults by line, and nothing is recorded', async ({ page, account }) => {
  await page.goto('/batches/new');
  await chooseFile(
    page,
    fileOf([
      ...suppliers(2),
      { recipient: 'Nobody', amount: '1' },
      { address: addressNumber(9).slice(0, -1), amount: '1E+05' },
      { address: addressNumber(8), amount: '1.000,50', reference: 'INV-1' },
    ]),
  );
  const heading = page.getByRole('heading', { name: '5 problems in suppliers.csv' });
  await expect(heading).toBeFocused();
  const rows = page.getByRole('table', { name: 'Problems by line' }).locator('tbody tr');
  await expect(rows).toHaveText([
    /^4No saved recipient has this name\..*recipient: Nobody/,
    /^5Write the amount out, without an exponent\.amount: 1E\+05/,
    /^5.*address: 0x/,
    /^6The comma can’t stay.*amount: 1\.000,50/,
    /^6Line 2 has the same reference\.reference: INV-1/,
  ]);
  await expect(sendBatchButton(page)).toHaveCount(0);
  await expectClean(page, 'a file with faults');
  // The corrected file is taken at once.
  await chooseFile(page, fileOf(suppliers(2)));
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
});

test('commas in amounts are asked about once @deep', async ({ page }) => {
  await page.goto('/batches/new');
  const [first, second] = suppliers(2);
  await page.getByLabel('Paste rows').fill(
    fileOf([
      { ...first, amount: '1,250' },
      { ...second, amount: '0,5' },
    ]),
  );
  await page.getByRole('button', { name: 'Review pasted rows' }).click();
  await expect(page.getByRole('heading', { name: 'Decimal comma in this file?' })).toBeFocused();
  const samples = page.getByRole('table', { name: 'Amounts read both ways' }).locator('tbody tr');
  await expect(samples).toHaveText([/1,2501\.2501250/, /0,50\.5not an amount/]);
  await expectClean(page, 'commas in amounts');
  await page.getByRole('button', { name: 'Decimal comma' }).click();
  await expect(page.getByRole('table', { name: 'All payments' })).toContainText('1.250 ETH');
  await expect(page.getByRole('table', { name: 'Totals' })).toContainText('1.75');
});

test('points that may separate thousands are asked about @deep', async ({ page }) => {
  await page.goto('/batches/new');
  const [first] = suppliers(1);
  await chooseFile(page, fileOf([{ ...first, amount: '1.250' }]));
  await expect(page.getByRole('heading', { name: 'Decimal point in this file?' })).toBeFocused();
  const samples = page.getByRole('table', { name: 'Amounts read both ways' }).locator('tbody tr');
  await expect(samples).toHaveText([/1\.2501\.2501250/]);
  await page.getByRole('button', { name: 'Point between thousands' }).click();
  await expect(page.getByRole('table', { name: 'All payments' })).toContainText('1,250 ETH');
});

test('the template can be downloaded, and read @deep', async ({ page }) => {
  await page.goto('/batches/new');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the template' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.split('\r\n')[0]).toBe('\uFEFFrecipient,address,asset,chain,amount,reference');
  await page.getByText('What the file has to look like').click();
  await expectClean(page, 'a new batch');
  await chooseFile(page, text, 'batch-template.csv');
  await expect(page.getByText('recipient: Acme Hosting')).toBeVisible();
});

test('a saved recipient is paid by name; another address than the saved one must be confirmed @deep', async ({
  page,
}) => {
  await openBookWith(page, 'Acme');
  await openBatchReview(page, [
    { recipient: 'acme', amount: '0.5' },
    { recipient: 'Acme', address: addressNumber(3), amount: '0.25' },
  ]);
  await expect(unusualLines(page)).toHaveText([
    /0\.5 ETH to acme.*First payment to this address/,
    /0\.25 ETH to Acme.*Another address than the saved one \(0x5aAeb…eAed on Ethereum\)/,
  ]);
  await expect(page.getByRole('table', { name: 'All payments' })).toContainText(ETH.address);
});

test('every unusual payment must be ticked, and the same recipient twice is one', async ({ page, account }) => {
  const [first, second, third] = suppliers(3);
  await openBatchReview(page, [{ ...first }, { ...second }, { ...third, address: addressNumber(0), reference: '' }]);
  await expect(unusualLines(page)).toHaveCount(3);
  await expect(unusualLines(page).first()).toContainText('Line 4 pays the same address.');
  await expect(sendBatchButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Confirm 3 unusual payments above.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Line 2 is right' }).check();
  await expect(page.getByText('Confirm 2 unusual payments above.')).toBeVisible();
  await expectClean(page, 'the review of a batch');
  await confirmAll(page);
  await expect(sendBatchButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  expect(await postsOf(account)).toEqual([]);
});

test('sending more than is available must be confirmed @deep', async ({ page }) => {
  const [first] = suppliers(1);
  await openBatchReview(page, [{ ...first, amount: '1000' }]);
  await confirmAll(page);
  await expect(page.getByRole('table', { name: 'Totals' })).toContainText('Not enough');
  await expect(sendBatchButton(page)).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('The amounts are right. Send them all the same.').check();
  await expect(sendBatchButton(page)).not.toHaveAttribute('aria-disabled', 'true');
});

test('the file is restored after a reload, until it is removed @deep', async ({ page }) => {
  await openBatchReview(page, suppliers(2));
  await page.reload();
  await expect(page.getByText(/Continuing with the file of/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('Drop a CSV file here')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Drop a CSV file here')).toBeVisible();
});

test('a file is reviewed and sent by keyboard alone @deep', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await page.keyboard.press('c');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { level: 1, name: 'New batch' })).toBeFocused();
  const paste = page.getByLabel('Paste rows');
  for (let at = 0; at < 6 && !(await paste.evaluate((field) => field === document.activeElement)); at += 1)
    await page.keyboard.press('Tab');
  await expect(paste).toBeFocused();
  await page.keyboard.insertText(fileOf(suppliers(1)));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeFocused();
  const box = page.getByRole('checkbox', { name: 'Line 2 is right' });
  for (let at = 0; at < 6 && !(await box.evaluate((field) => field === document.activeElement)); at += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(sendBatchButton(page)).not.toHaveAttribute('aria-disabled', 'true');
});
