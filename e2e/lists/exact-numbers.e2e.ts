import { openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { closePeriod, LAST_MONTH } from '#e2e/support/monthClose.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { expect, faultOnPost, sendNew, test } from '#e2e/support/withdrawing.ts';

const NUMBERS = ['12345678901234567890', '0.0000001', '7.00000000000000000001', '-0'];

// Some browsers give JSON numbers with their source text, others don't. The digits must be the same.
for (const knows of [true, false]) {
  test.describe(knows ? 'as the browser is' : 'without JSON.rawJSON', () => {
    test.beforeEach(async ({ context }) => {
      if (knows) return;
      await context.addInitScript(() => {
        const parse = JSON.parse.bind(JSON);
        Reflect.deleteProperty(JSON, 'rawJSON');
        Reflect.deleteProperty(JSON, 'isRawJSON');
        // A reviver doesn't get the position of a value.
        JSON.parse = (text: string, reviver?: (key: string, value: unknown) => unknown): unknown =>
          parse(text, reviver && ((key: string, value: unknown) => reviver(key, value)));
      });
    });

    test('numbers of any length are shown digit for digit in a list and in a detail @deep', async ({
      page,
      account,
    }) => {
      await listNumbers(account);
      await openDeposits(page);
      for (const [index, number] of NUMBERS.entries()) {
        await expect(rowAt(page, index)).toContainText(`${number} (a number, not a decimal string)`);
        await rowAt(page, index).getByRole('link').first().click();
        const panel = page.getByRole('region', { name: 'Deposit' });
        await expect(panel.getByText(number, { exact: true }).last()).toBeVisible();
        await panel.getByText('Raw JSON').click();
        await expect(panel.locator('details').last()).toContainText(`"serial": ${number}`);
      }
    });

    test('a statement with such numbers can be closed, and its files have every digit @deep', async ({
      page,
      account,
    }) => {
      await listNumbers(account, LAST_MONTH.from);
      await page.goto('/month-close');
      const { files } = await closePeriod(page);
      for (const number of NUMBERS) expect(files['evidence/deposits.csv']).toContain(`,bitcoin,${number},`);
    });

    test('a contradiction is shown with the received digits @deep', async ({ page, account }) => {
      const number = '7.00000000000000000001';
      const body = `{"id":"wd_1","object":"withdrawal","status":"pending","asset":"BTC","chain":"bitcoin",
        "amount":${number},"fee":${number},"address":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"}`;
      await faultOnPost(account, { when: 'after', body });
      await sendNew(page);
      await expect(page.getByRole('table').getByText(number, { exact: true })).toBeVisible();
    });

    test('the fields of a charge are shown as they were sent @deep', async ({ page }) => {
      const further = NUMBERS.map((number, index) => `"n${index}":${number}`).join(',');
      await page.goto('/charges/new');
      await page.getByLabel('Asset', { exact: true }).fill('USDT');
      await page.getByLabel('Chain', { exact: true }).fill('tron');
      await page.getByLabel('Amount', { exact: true }).fill('12.50');
      await page.getByLabel('Extra fields').fill(`{${further}}`);
      await page.getByRole('button', { name: 'Create charge' }).click();
      const sent = page.getByRole('region', { name: 'What was sent' });
      for (const number of NUMBERS) await expect(sent.getByText(number, { exact: true })).toBeVisible();
    });
  });
}

/** Deposits whose amounts are numbers. */
async function listNumbers(account: Account, at = Math.floor(Date.now() / 1000) - 600) {
  const items = NUMBERS.map(
    (number, index) =>
      `{"id":"dep_${index}","object":"deposit","status":"completed","asset":"BTC","chain":"bitcoin",
        "received_amount":${number},"serial":${number},"created_at":${at + index}}`,
  );
  const body = `{"object":"list","data":[${items.join(',')}],"has_more":false,"next_cursor":null}`;
  await account.fault({ path: '/v1/deposits', times: 99, when: 'after', body });
}
