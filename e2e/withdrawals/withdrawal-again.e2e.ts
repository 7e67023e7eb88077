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
  review,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const IT_IS_ANOTHER = 'This isn’t a duplicate. Send it too.';

test('the same withdrawal again is only sent after confirming that it is another one', async ({ page, account }) => {
  await sendNew(page);
  await expectAccepted(page);
  const first = page.url().split('/').at(-1) ?? '';
  await account.advance(12 * 60);
  await openReview(page);
  await expect(page.getByText('A withdrawal to this destination was made a short while ago.')).toBeVisible();
  // By the service's clock: by this device's it was just now.
  await expect(page.getByRole('listitem').filter({ hasText: 'recorded here: completed' })).toContainText(
    '12 minutes ago',
  );
  await expect(page.getByText(`${BTC.amount} BTC`).first()).toBeVisible();
  await sendButton(page).click({ force: true });
  expect(await postsOf(account)).toHaveLength(1);
  await page.getByLabel(IT_IS_ANOTHER).check();
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(page.getByRole('link', { name: first })).toBeVisible();
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
  await expect(page.getByRole('link', { name: id })).toBeVisible();
  await expectLedger(account, 2);
});

test('while one is unconfirmed, the same again leads to it, and another asset can be sent', async ({
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
  await expect(page.getByText('Nothing new was recorded or sent.')).toBeVisible();
  await expect(page.getByText('A payment to this recipient is still unconfirmed. Resolve it first.')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(1);

  await page.goto('/withdrawals/new');
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('0.3');
  await expect(banner(page)).toContainText('One withdrawal is unconfirmed');
  await review(page, ETH);
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(banner(page)).toBeVisible();
  await expectLedger(account, 2);
});

test('a refusal is corrected in a new form with a new key, and stays refused', async ({ page, account }) => {
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
