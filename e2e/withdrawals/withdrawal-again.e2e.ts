import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import {
  BTC,
  ETH,
  banner,
  confirmMoreThanAvailable,
  expect,
  expectAccepted,
  expectLedger,
  fillForm,
  openReview,
  postsOf,
  resend,
  review,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const IT_IS_ANOTHER = 'This isn’t a duplicate. Send it too.';
const earlier = (page: Page) =>
  page.getByRole('region', { name: 'Earlier payments shown at review' }).getByRole('link');

test('the same withdrawal again is only sent after confirming that it is another one', async ({ page, account }) => {
  await sendNew(page);
  await expectAccepted(page);
  const first = page.url().split('/').at(-1) ?? '';
  await account.advance(12 * 60);
  await openReview(page);
  // By the service's clock; by this device's clock it was just now.
  await expect(page.getByText(/^You sent 0\.25 BTC to bc1\S+ 12 minutes ago\./)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'recorded here: completed' })).toBeVisible();
  await expect(page.getByText(`${BTC.amount} BTC`).first()).toBeVisible();
  await sendButton(page).click({ force: true });
  expect(await postsOf(account)).toHaveLength(1);
  await page.getByLabel(IT_IS_ANOTHER).check();
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(earlier(page)).toHaveText(/^0\.25\sBTC to bc1qw50…f3t4$/);
  await expect(earlier(page)).toHaveAttribute('href', `/operations/${first}`);
  await expectLedger(account, 2);
});

test('a colleague’s withdrawal to the same destination is shown first, too @deep', async ({ page, account }) => {
  const id = await withdrawByApi(account, BTC);
  await openReview(page);
  await expect(page.getByRole('listitem').filter({ hasText: 'listed by the provider' })).toBeVisible();
  expect(await postsOf(account)).toHaveLength(1);
  await page.getByLabel(IT_IS_ANOTHER).check();
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(earlier(page)).toHaveText(/^0\.25\sBTC to bc1qw50…f3t4$/);
  await expect(earlier(page)).toHaveAttribute('href', `/withdrawals/${id}`);
  await expectLedger(account, 2);
});

test('the newest of several earlier payments comes first, the others are folded, and failed ones separate @deep', async ({
  page,
  account,
}) => {
  await openBookWith(page, 'Acme Hosting');
  await account.withdrawal(await withdrawByApi(account, ETH), { status: 'failed' });
  await withdrawByApi(account, { ...ETH, amount: '0.1' });
  await withdrawByApi(account, ETH);
  await openReview(page, ETH);
  const step = page.getByRole('status').filter({ hasText: 'Nothing new was recorded or sent.' });
  await expect(step).toHaveText(/^You sent \S+\sETH to Acme Hosting (just now|\d+ seconds ago)\./);
  await expect(step.getByRole('listitem').filter({ visible: true })).toHaveCount(1);
  await step.getByText('1 earlier one').click();
  await expect(step.getByRole('listitem').filter({ visible: true })).toHaveText([/^(?!0\.1)/, /^0\.1\sETH/]);
  await step.getByText('1 failed').click();
  await expect(step.getByRole('listitem').filter({ hasText: 'listed by the provider: failed' })).toBeVisible();
  await expectClean(page, 'several earlier payments', [320, 1440]);
});

test('the review’s earlier payments replace those that the form showed @deep', async ({ page, account }) => {
  await openBookWith(page, 'Acme Hosting');
  await page.goto('/withdrawals/new');
  await fillForm(page, ETH);
  await expect(page.getByText('Saved as “Acme Hosting”. Never paid before.')).toBeVisible();
  await withdrawByApi(account, ETH);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByText(/^You sent \S+\sETH to Acme Hosting/)).toBeVisible();
  await expect(page.getByText('Saved as “Acme Hosting”.')).toBeVisible();
  await expect(page.getByText('Never paid before')).toHaveCount(0);
});

test('the banner and the case file name the saved recipient @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await page.goto('/recipients');
  await addByHand(page, 'Acme Hosting', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(1);
  await sendAndLose(page, account);
  const operation = page.url();
  await page.goto('/balances');
  await expect(banner(page)).toContainText(/0\.25\sBTC to Acme Hosting is unconfirmed\. Don’t pay it again\./);
  await sendAndLose(page, account, ETH);
  await page.goto('/balances');
  await expect(banner(page)).toContainText('2 payments are unconfirmed. Don’t pay them again.');
  await expect(banner(page)).toContainText(/0\.25\sBTC to Acme Hosting/);
  await page.goto(operation);
  await resend(page, account);
  await expectAccepted(page);
  await page.getByRole('link', { name: 'View withdrawal' }).click();
  await page.getByRole('link', { name: 'Case file' }).click();
  await expect(page.getByText('to Acme Hosting', { exact: true })).toBeVisible();
});

test('while a payment is unconfirmed, the same payment again leads to it, and another asset can be sent @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  const unconfirmed = page.url();
  await page.goto('/withdrawals/new');
  // Another amount is another payment, but is blocked by the first as well.
  await fillForm(page, { ...BTC, amount: '0.3' });
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page).toHaveURL(unconfirmed);
  await expect(page.getByText('Your new payment wasn’t sent.')).toBeVisible();
  await expect(page.getByText('Resolve this one to bc1qw50…f3t4 first.')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(1);

  await page.goto('/withdrawals/new');
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.3');
  await expect(banner(page)).toContainText('is unconfirmed');
  await review(page, ETH);
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(banner(page)).toBeVisible();
  await expectLedger(account, 2);
});

test('a form that an unconfirmed payment blocks is continued from there once that one is resolved @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/409/);
  await openBookWith(page, 'Acme Hosting');
  await sendAndLose(page, account, ETH);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, amount: '0.3' });
  await page.getByLabel('Reference').fill('INV-8');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  const notice = page.getByRole('status').filter({ hasText: 'Your new payment wasn’t sent.' });
  await expect(notice).toContainText('Resolve this one to Acme Hosting first. What you typed is kept.');
  await expectClean(page, 'a payment that blocks another', [375]);
  await resend(page, account);
  await expectAccepted(page);
  await expect(page.getByText('This one was accepted.')).toBeVisible();
  await expectClean(page, 'a blocking payment, resolved', [375]);
  await page.getByRole('button', { name: 'Continue your draft' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New withdrawal' })).toBeVisible();
  await expect(page.getByText(/^Continuing your draft of/)).toBeVisible();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.3');
  await expect(page.getByLabel('Reference')).toHaveValue('INV-8');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByText(/^You paid Acme Hosting 1\.5\sETH/)).toBeVisible();
  await sendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 2);
});

test('a send that another tab’s unconfirmed payment blocks is a draft again, also after a reload @deep', async ({
  page,
  account,
  context,
  expectConsole,
}) => {
  expectConsole(/409/);
  await page.goto('/withdrawals/new');
  await page.getByLabel('Reference').fill('INV-9');
  await review(page, { ...ETH, amount: '0.3' });
  const other = await context.newPage();
  await sendAndLose(other, account, ETH);
  await sendButton(page).click();
  const notice = page.getByRole('status').filter({ hasText: 'Your new payment wasn’t sent.' });
  await expect(notice).toContainText('What you typed is kept.');
  await page.reload();
  await expect(notice).toContainText('What you typed is kept.');
  await resend(page, account);
  await expectAccepted(page);
  const again = page.getByRole('button', { name: 'Continue your draft' });
  await again.click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.3');
  await expect(page.getByLabel('Reference')).toHaveValue('INV-9');
  await page.goBack();
  await expect(again).toBeVisible();
  await again.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/withdrawals');
  // No draft is left.
  await page.goBack();
  await page.goBack();
  await expectAccepted(page);
  await expect(page.getByText('This one was accepted.')).toHaveCount(0);
});

test('a refusal is corrected in a new form with a new key, and stays refused @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await page.getByLabel('Reference').fill('INV-7');
  await review(page, { ...BTC, amount: '99' });
  await confirmMoreThanAvailable(page);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Refused');
  await expect(page.getByText('INV-7')).toBeVisible();
  const refused = page.url();
  await page.getByRole('button', { name: 'Edit as a new withdrawal' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue(BTC.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('99');
  await expect(page.getByRole('textbox', { name: 'Reference' })).toHaveValue('INV-7');
  await review(page, BTC);
  await sendButton(page).click();
  await expect(page).not.toHaveURL(refused);
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts.map(({ status }) => status)).toEqual([400, 201]);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(2);
  await page.goto(refused);
  await expect(stateOf(page)).toContainText('Refused');
  await expectLedger(account, 1);
});
