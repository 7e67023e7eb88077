import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { batchState, confirmAll, RUN, sendBatchButton } from '#e2e/support/batches.ts';
import { choose } from '#e2e/support/choose.ts';
import { rowAt } from '#e2e/support/depositList.ts';
import { SERVERS } from '#e2e/support/servers.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  expectLedger,
  resend,
  resendButton,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Opens the page by the navigation, as a person does. */
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

async function openSimulator(page: Page) {
  await page.goto('/simulator');
  await expect(part(page, 'In flight')).toContainText('Withdrawals');
}

test('a lost response is armed here, and the withdrawal is unconfirmed, resent, and once in the ledger @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await openSimulator(page);
  await button(page, 'Start').click();
  await expect(part(page, 'Failures')).toContainText('A withdrawal that is sent, once');
  await expectClean(page, 'scenario, armed');
  await page.getByRole('link', { name: 'Open the form' }).click();
  await expect(page.getByLabel('Asset', { exact: true })).toHaveValue('ETH');
  await button(page, 'Review withdrawal').click();
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Unconfirmed');

  await goTo(page, 'Simulator');
  await expect(part(page, 'Failures')).toContainText('None.');
  await page.getByRole('link', { name: 'Open the operation' }).click();
  await resend(page, account);
  await expectAccepted(page);
  await expectLedger(account, 1);

  await goTo(page, 'Simulator');
  await expect(part(page, 'Proof')).toContainText('1 withdrawal to this address');
  await expect(part(page, 'Proof')).toContainText('2 times, 1 of them answered from the stored record');
  await expectClean(page, 'scenario, with its proof');
  await button(page, 'Start over').click();
  await expect(button(page, 'Start')).toBeVisible();
});

test('a deposit arrives, is found in the deposits, and is completed manually @deep', async ({ page, account }) => {
  await openSimulator(page);
  const arrives = part(page, 'New deposit');
  await arrives.getByLabel('Asset').fill('DOGE');
  await expect(arrives.getByLabel('Chain')).toHaveValue('dogecoin');
  await arrives.getByLabel('Amount').fill('1,500');
  await button(page, 'Create deposit').click();
  await expect(arrives.getByLabel('Amount')).toHaveAccessibleDescription(/comma/);
  await arrives.getByLabel('Amount').fill('1500.25');
  await button(page, 'Create deposit').click();
  await expect(arrives.getByRole('status')).toContainText('A deposit of 1,500.25 DOGE arrived, pending.');

  await goTo(page, 'Deposits');
  await expect(rowAt(page, 0)).toContainText('1,500.25');
  await goTo(page, 'Simulator');
  await part(page, 'In flight')
    .getByRole('button', { name: /^Complete deposit/ })
    .click();
  await expect(part(page, 'In flight').getByRole('status')).toContainText('is completed');
  expect((await account.read<{ data: object[] }>('/v1/deposits')).data).toMatchObject([
    { asset: 'DOGE', received_amount: '1500.25', status: 'completed' },
  ]);
});

test('withdrawals in flight are broadcast, settled and failed', async ({ page, account }) => {
  const settled = await withdrawByApi(account, BTC);
  const failed = await withdrawByApi(account, ETH);
  await openSimulator(page);
  const flying = part(page, 'In flight');
  const row = (id: string) => flying.getByRole('listitem').filter({ has: page.locator(`a[href$="${id}"]`) });
  await row(settled)
    .getByRole('button', { name: /^Broadcast/ })
    .click();
  await expect(row(settled)).toContainText('Broadcast');
  await row(settled)
    .getByRole('button', { name: /^Complete/ })
    .click();
  await expect(row(settled)).toHaveCount(0);
  await row(failed).getByRole('button', { name: /^Fail/ }).click();
  await expect(flying.getByRole('status')).toContainText('The withdrawal of 1.5 ETH is failed');
  expect(await account.withdrawals()).toMatchObject([
    { id: failed, status: 'failed' },
    { id: settled, status: 'completed', tx_hash: expect.any(String) as unknown },
  ]);
});

test('after a day a withdrawal can’t be resent, is closed manually, and is once in the ledger @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await openSimulator(page);
  await page.getByLabel('A day passes: too late to resend').check();
  await button(page, 'Start').click();
  await page.getByRole('link', { name: 'Open the form' }).click();
  await button(page, 'Review withdrawal').click();
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Unconfirmed');

  await goTo(page, 'Simulator');
  await button(page, 'Advance 24 hours').click();
  const said = part(page, 'Guided scenarios').getByRole('status');
  await expect(said).toContainText('Processed: 1 withdrawal broadcasted, 1 withdrawal completed.');
  await page.getByRole('link', { name: 'Open the operation' }).click();
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  await button(page, 'Close manually').click();
  await page.getByLabel('Reason').fill('The service names it completed');
  await button(page, 'Close operation').click();
  await expect(stateOf(page)).toContainText('Closed manually');

  await goTo(page, 'Simulator');
  await expect(part(page, 'Proof')).toContainText('1 withdrawal to this address');
  await expectLedger(account, 1);
});

test('the provider fails at line 3 of a batch: it pauses, goes on after a resend, and pays each line once @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await openSimulator(page);
  await page.getByLabel('The provider fails at line 3 of a batch').check();
  await button(page, 'Start').click();
  await page.getByRole('link', { name: 'Open the batch form' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(batchState(page)).toContainText('Line 3 is unconfirmed', RUN);
  await expect(batchState(page)).toContainText('1 of 4 accepted, 1 needs you');

  await goTo(page, 'Simulator');
  await expectClean(page, 'scenario of a batch', [375]);
  await page.getByRole('link', { name: 'Open the operation' }).click();
  await resend(page, account);
  await expectAccepted(page);
  await goTo(page, 'Simulator');
  await page.getByRole('link', { name: 'Open the batch' }).click();
  await page.getByRole('button', { name: 'Continue with 2 payments' }).click();
  await expect(batchState(page)).toContainText('accepted all 4', RUN);

  await goTo(page, 'Simulator');
  await expect(part(page, 'Proof')).toContainText('1 withdrawal to this address');
  await expectLedger(account, 4);
});

test('a failure of reads shows in the app until it is cleared and the page tries again @deep', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await openSimulator(page);
  const wrong = part(page, 'Failures');
  await choose(wrong.getByLabel('What it affects'), 'Reads of balances');
  await choose(wrong.getByLabel('What happens'), 'The provider fails (500)');
  await choose(wrong.getByLabel('How often'), 'Until cleared');
  await button(page, 'Add failure').click();
  await expect(wrong.getByRole('listitem')).toContainText('Reads of balances, until cleared');
  await goTo(page, 'Balances');
  await expect(page.getByRole('heading', { name: 'Couldn’t load balances' })).toBeVisible();
  await goTo(page, 'Simulator');
  await button(page, 'Clear all failures').click();
  await expect(wrong).toContainText('None.');
  await goTo(page, 'Balances');
  // By itself, the server reads again only after a minute.
  await button(page, 'Retry').click();
  await expect(page.getByRole('rowheader', { name: 'BTC' })).toBeVisible();
});

test('a select at the bottom of the window opens without scrolling the page @deep', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 });
  await openSimulator(page);
  const field = part(page, 'Failures').getByLabel('What it affects');
  // Parts that load later move the field.
  await expect(async () => {
    await field.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await expect(field).toBeInViewport({ ratio: 1, timeout: 1_000 });
  }).toPass();
  const roomBelow = () => field.evaluate((element) => innerHeight - element.getBoundingClientRect().bottom);
  const before = await roomBelow();
  expect(before).toBeLessThan(40);
  await field.click();
  await expect(page.getByRole('option', { selected: true })).toBeFocused();
  expect(await roomBelow()).toBe(before);
  await page.getByRole('option', { name: 'Reads of balances' }).click();
  await expect(field).toHaveText('Reads of balances');
});

test('the simulator exists only with the embedded sandbox @deep', { tag: '@forwarded' }, async ({ page, origin }) => {
  const inside = origin === SERVERS.E.origin;
  await page.goto('/simulator');
  await expect(page.getByRole('heading', { level: 1, name: 'Simulator' })).toBeVisible();
  await expect(page.getByText('The simulator works with the sandbox only.')).toHaveCount(inside ? 0 : 1);
  await expect(button(page, 'Create deposit')).toHaveCount(inside ? 1 : 0);
  await expect(page.getByRole('link', { name: 'Simulator', exact: true })).toHaveCount(inside ? 1 : 0);
});

test('a swap moves value between two balances, as two entries of one source @deep', async ({ page, account }) => {
  await openSimulator(page);
  const swap = part(page, 'New swap');
  await swap.getByLabel('From asset').fill('BTC');
  await swap.getByLabel('From amount').fill('1');
  await swap.getByLabel('To asset').fill('BTC');
  await swap.getByLabel('To amount').fill('1,000.5');
  await button(page, 'Create swap').click();
  await expect(swap.getByLabel('To asset')).toHaveAccessibleDescription(/Choose another asset/);
  await swap.getByLabel('To asset').fill('USDT');
  await button(page, 'Create swap').click();
  await expect(swap.getByRole('status')).toContainText('1 BTC became 1,000.5 USDT');
  const { books, sums } = await account.ledger();
  expect(books['BTC']).toMatchObject({ available: '11' });
  expect(Object.values(sums).filter((sum) => sum !== '0')).toEqual([]);
});
