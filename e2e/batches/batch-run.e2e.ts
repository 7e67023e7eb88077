import { readFile } from 'node:fs/promises';
import { expectClean } from '#e2e/support/axe.ts';
import {
  addressNumber,
  BATCH,
  batchLines,
  batchState,
  chooseFile,
  confirmAll,
  faultOnPayment,
  fileOf,
  openBatchReview,
  paidAddresses,
  RUN,
  sendBatch,
  sendBatchButton,
  suppliers,
  unusualLines,
} from '#e2e/support/batches.ts';
import { HELD } from '#e2e/support/sandbox.ts';
import { expect, expectLedger, stateOf, test } from '#e2e/support/withdrawing.ts';

const addresses = (count: number): string[] => Array.from({ length: count }, (_, at) => addressNumber(at));

test('payments of a file are sent one after another, each once @deep', async ({ page, account }) => {
  await sendBatch(page, suppliers(4));
  await expect(batchState(page)).toContainText('The provider has accepted all 4 payments.', RUN);
  await expect(batchState(page)).toContainText('4 of 4 accepted');
  expect(await paidAddresses(account)).toEqual(addresses(4));
  await expectLedger(account, 4);
  await expect(batchLines(page)).toHaveText([
    /^2Supplier 1.*INV-1.*0\.01/,
    /^3Supplier 2/,
    /^4Supplier 3/,
    /^5Supplier 4/,
  ]);
  await expectClean(page, 'a batch that is done');

  const wd = (await account.withdrawals()).find(({ address }) => address === addressNumber(0));
  await account.withdrawal(String(wd?.['id']), { status: 'completed', tx_hash: `0x${'ab'.repeat(32)}` });
  const result = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Result file' }).click();
  const lines = (await readFile(await (await result).path(), 'utf8')).split('\r\n');
  expect(lines[0]).toBe('\uFEFFline,reference,recipient,address,chain,asset,amount,fee,status,withdrawal_id,tx_hash');
  expect(lines[1]).toMatch(
    new RegExp(`^2,INV-1,Supplier 1,${addressNumber(0)},ethereum,ETH,0.01,[\\d.]+,completed,wd_\\w+,0x(?:ab){32}$`),
  );
  expect(lines).toHaveLength(6);
  const original = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Original file' }).click();
  expect(await readFile(await (await original).path(), 'utf8')).toBe(fileOf(suppliers(4)));

  await batchLines(page).first().getByRole('link').click();
  await page.getByRole('link', { name: 'a batch' }).click();
  await expect(page).toHaveURL(BATCH);
  await page.getByRole('link', { name: 'All batches' }).click();
  await expect(page.getByRole('table', { name: 'Batches' }).locator('tbody tr')).toHaveText([
    /suppliers\.csv.*4 payments.*Done.*4 of 4 accepted/,
  ]);
  await expectClean(page, 'the batches', [375]);
});

test('forty payments, with their progress in the navigation @deep', async ({ page, account }) => {
  test.setTimeout(180_000);
  await sendBatch(page, suppliers(40));
  await expect(batchState(page)).toContainText(/\d+ of 40 accepted, (?:about \d+ min|less than a minute) left/);
  await page.goto('/balances');
  await expect(page.getByRole('link', { name: /^Batches.*\d+ of 40 accepted/ })).toBeVisible();
  await page.getByRole('link', { name: /^Batches/ }).click();
  await page.getByRole('link', { name: 'suppliers.csv' }).click();
  await expect(batchState(page)).toContainText('The provider has accepted all 40 payments.', { timeout: 120_000 });
  expect(await paidAddresses(account)).toEqual(addresses(40));
  await expectLedger(account, 40);
});

test('Stop ends the sending, and Continue sends the rest, each once', async ({ page, account }) => {
  // The third payment hangs until the faults are cleared.
  await faultOnPayment(account, { times: 1, when: 'after', ...HELD });
  await sendBatch(page, suppliers(3));
  await expect(batchState(page)).toContainText('Sending');
  await page.getByRole('button', { name: 'Stop' }).click();
  await account.clearFaults();
  await expect(batchState(page)).toContainText('It was stopped by a person.');
  await expect(batchState(page)).toContainText('1 of 3 accepted', RUN);
  await expect(page.getByRole('button', { name: 'Not sent yet (2)' })).toBeVisible();
  await expectClean(page, 'a stopped batch');
  await page.getByRole('button', { name: 'Exclude line 3' }).click();
  await expect(batchLines(page).nth(1)).toContainText('Not sent');
  await expect(page.getByRole('region', { name: 'Payments' })).toBeFocused();
  await page.getByRole('button', { name: 'Continue with 1 payment' }).click();
  await expect(batchState(page)).toContainText('2 of 3 accepted, 1 not sent', RUN);
  expect(await paidAddresses(account)).toEqual([addressNumber(0), addressNumber(2)]);
  await expectLedger(account, 2);
});

test('payments that aren’t sent can be withdrawn, and are never sent @deep', async ({ page, account }) => {
  await faultOnPayment(account, { when: 'after', ...HELD });
  await sendBatch(page, suppliers(3));
  await page.getByRole('button', { name: 'Stop' }).click();
  await account.clearFaults();
  await expect(batchState(page)).toContainText('1 of 3 accepted', RUN);
  await page.getByRole('button', { name: 'Withdraw what isn’t sent' }).click();
  await page.getByRole('button', { name: 'Withdraw them' }).click();
  await expect(batchState(page)).toContainText('1 of 3 accepted, 2 not sent');
  await expect(page.getByRole('button', { name: /^Continue/ })).toHaveCount(0);
  await expectLedger(account, 1);
});

test('a payment that waits in a batch says so, and leads to it @deep', async ({ page, account }) => {
  await faultOnPayment(account, { when: 'after', ...HELD });
  await sendBatch(page, suppliers(2));
  await page.getByRole('button', { name: 'Stop' }).click();
  await account.clearFaults();
  await expect(page.getByRole('button', { name: 'Not sent yet (1)' })).toBeVisible(RUN);
  await page.getByRole('link', { name: 'Supplier 2' }).click();
  await expect(stateOf(page)).toContainText('Waits in a batch. Nothing has been sent.');
  await expectClean(page, 'a payment that waits in a batch', [375]);
  await page.getByRole('link', { name: 'a batch' }).click();
  await expect(page).toHaveURL(BATCH);
  await page.goto('/operations');
  const operations = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
  await expect(operations).toHaveText([/2 payments of a batch, suppliers\.csv.*Paused.*1 of 2 accepted.*0\.03\sETH/]);
  await expectClean(page, 'a batch among the operations', [375]);
  await operations.getByRole('link').click();
  await expect(page).toHaveURL(BATCH);
});

test('a refused payment stays behind, and a new batch takes the ones that failed @deep', async ({ page, account }) => {
  await faultOnPayment(account, {
    status: 422,
    body: '{"error":{"type":"invalid_request_error","code":"address_not_allowed","message":"No.","request_id":"req_1"}}',
  });
  await sendBatch(page, suppliers(2));
  await expect(batchState(page)).toContainText('The provider refused 1 payment.', RUN);
  await expect(batchLines(page).first()).toContainText('address_not_allowed');
  await page.getByRole('link', { name: 'New batch from the payment that failed' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'All payments' }).locator('tbody tr')).toHaveText([
    /Supplier 1.*INV-1.*0\.01/,
  ]);
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(batchState(page)).toContainText('The provider has accepted the payment.', RUN);
  await expectLedger(account, 2);
});

test('a lost response pauses the batch until that payment is resolved', async ({ page, account }) => {
  await faultOnPayment(account, { when: 'after', drop: true });
  await sendBatch(page, suppliers(2));
  await expect(batchState(page)).toContainText('Line 2 is unconfirmed', RUN);
  await expect(batchState(page)).toContainText('0 of 2 accepted, 1 needs you');
  await page.getByRole('button', { name: 'Problems (1)' }).click();
  await expect(batchLines(page)).toHaveText([/Supplier 1.*Unconfirmed/]);
  expect(await paidAddresses(account)).toEqual(addresses(1));
  await page.getByRole('link', { name: 'Operations 1 to resolve' }).click();
  const operations = page.getByRole('table', { name: 'Operations' }).locator('tbody tr');
  await expect(operations).toHaveText([/2 payments of a batch.*Paused/]);
  await page.getByRole('button', { name: 'Needs action (2)' }).click();
  await expect(operations).toHaveText([/2 payments of a batch.*Paused/, /0\.01 ETH.*Unconfirmed.*Line 2 of a batch/]);
  await operations.getByRole('link', { name: 'Line 2 of a batch' }).click();
  await expect(page).toHaveURL(BATCH);
  await page.goto('/');
  const attention = page.getByRole('table', { name: 'Needs attention' }).locator('tbody tr');
  await expect(attention).toHaveText([
    /not known if it was sent/,
    /Paused.*Batch of 2 payments, suppliers\.csv: 0 of 2 accepted, 1 needs you.*Line 2 is unconfirmed.*Open batch/,
  ]);
  await expectClean(page, 'a paused batch on Home', [375]);
  await attention.getByRole('link', { name: 'Open batch' }).click();
  await expect(page).toHaveURL(BATCH);
});

test('the same file twice needs a reason, and names the first batch @deep', async ({ page, account }) => {
  const rows = suppliers(2).map((row) => ({ ...row, reference: '' }));
  await sendBatch(page, rows);
  await expect(batchState(page)).toContainText('accepted all 2', RUN);
  await openBatchReview(page, rows.toReversed());
  await expect(page.getByText('There is a batch with exactly these payments.')).toBeVisible();
  // They were paid within a day.
  await expect(unusualLines(page).first()).toContainText('The same amount to this recipient is also in the batch of');
  await confirmAll(page);
  await expect(sendBatchButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expectClean(page, 'the same payments once more', [375]);
  await page.getByLabel('Why are they made again?').fill('Second instalment');
  await sendBatchButton(page).click();
  await expect(batchState(page)).toContainText('accepted all 2', RUN);
  await expect(page.getByText('Second instalment')).toBeVisible();
  await expectLedger(account, 4);
});

test('lost responses to the recording and the start are resolved under the same id @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  const lost: string[] = [];
  // The sandbox can't lose a response of the dashboard's own server.
  await page.route(
    ({ pathname }) => /^\/api\/batches\/[0-9a-f-]{36}/.test(pathname),
    async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      lost.push(new URL(route.request().url()).pathname);
      await route.fetch();
      return route.abort();
    },
  );
  await sendBatch(page, suppliers(2));
  await expect(batchState(page)).toContainText('accepted all 2', RUN);
  const [id] = lost;
  expect(lost).toEqual([id, `${id}/start`]);
  await expect(page).toHaveURL(new RegExp(`/batches/${id?.slice(-36)}$`));
  await expectLedger(account, 2);
});

test('a request to record that never arrived can be repeated, under the same id @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED|404/);
  const puts: string[] = [];
  await page.route(
    ({ pathname }) => /^\/api\/batches\/[0-9a-f-]{36}$/.test(pathname),
    (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      puts.push(new URL(route.request().url()).pathname);
      return puts.length === 1 ? route.abort() : route.continue();
    },
  );
  await openBatchReview(page, suppliers(2));
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(page.getByText('We don’t know yet whether the batch was recorded.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose another file' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(batchState(page)).toContainText('accepted all 2', RUN);
  expect(new Set(puts).size).toBe(1);
  await expectLedger(account, 2);
});

test('a recording whose response and look-up are lost is found by the next try, and sent once @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED|403/);
  let puts = 0;
  let lookUp: 'lost' | 'refused' | 'answered' = 'lost';
  // The sandbox can't lose a response of the dashboard's own server.
  await page.route(
    ({ pathname }) => /^\/api\/batches\/[0-9a-f-]{36}$/.test(pathname),
    async (route) => {
      if (route.request().method() === 'PUT') {
        puts += 1;
        await route.fetch();
        return route.abort();
      }
      if (lookUp === 'answered') return route.continue();
      return lookUp === 'lost' ? route.abort() : route.fulfill({ status: 403 });
    },
  );
  await openBatchReview(page, suppliers(2));
  await confirmAll(page);
  await sendBatchButton(page).click();
  const unknown = page.getByRole('status').filter({ hasText: 'We don’t know yet whether the batch was recorded.' });
  await expect(unknown).toContainText('No connection.');
  lookUp = 'refused';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(unknown).toContainText('does not allow this.');
  lookUp = 'answered';
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(batchState(page)).toContainText('accepted all 2', RUN);
  expect(puts).toBe(1);
  await expectLedger(account, 2);
});

test('other payments recorded under the page’s id are reported, and nothing is sent @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/409/);
  let puts = 0;
  // As if an earlier copy of the request arrived after the refusal.
  await page.route(
    ({ pathname }) => /^\/api\/batches\/[0-9a-f-]{36}$/.test(pathname),
    async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      puts += 1;
      if (puts > 1) return route.continue();
      await route.fetch();
      const error = { type: 'operation_error', code: 'look_alike', message: 'Some look alike.', request_id: 'req_1' };
      return route.fulfill({ status: 409, json: { error, lines: [] } });
    },
  );
  await openBatchReview(page, suppliers(2));
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(page.getByText('Nothing was recorded or sent')).toBeVisible();
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await chooseFile(page, fileOf(suppliers(1)));
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await confirmAll(page);
  await sendBatchButton(page).click();
  const taken = page.getByRole('status').filter({ hasText: 'This page has already recorded another batch.' });
  await expect(taken).toContainText('with 2 payments: 2 payments are recorded. Nothing has been sent.');
  await expect(taken.getByRole('link', { name: /^batch of/ })).toHaveAttribute('href', BATCH);
  await expect(sendBatchButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expectClean(page, 'another batch under the same id', [375]);
  await expectLedger(account, 0);
});
