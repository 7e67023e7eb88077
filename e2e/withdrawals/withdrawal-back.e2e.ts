import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  expectLedger,
  postsOf,
  review,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('after success, Back finds no form that could send again, and Forward shows the success', async ({
  page,
  account,
}) => {
  await page.goto('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await review(page);
  await sendButton(page).click();
  await expectAccepted(page);
  const operation = page.url();
  await page.goBack();
  await expect(page).toHaveURL('/withdrawals');
  await expect(sendButton(page)).toHaveCount(0);
  await page.goForward();
  await expect(page).toHaveURL(operation);
  await expectAccepted(page);
  await page.reload();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('Forward beyond the operation finds no review either @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await review(page);
  await sendButton(page).click();
  await expectAccepted(page);
  await page.goForward({ timeout: 2_000 }).catch(() => null);
  await expect(sendButton(page)).toHaveCount(0);
  expect(await postsOf(account)).toHaveLength(1);
});

test('the form used again is another operation with another key @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await review(page);
  await sendButton(page).click();
  await expectAccepted(page);
  const first = page.url();
  await page.getByRole('button', { name: 'Start another' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue('');
  await review(page, ETH);
  await page.goBack();
  await expect(page.getByLabel('Destination address')).toHaveValue(ETH.address);
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
  await sendButton(page).click();
  await expect(page).not.toHaveURL(first);
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts).toHaveLength(2);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(2);
  await page.goto(first);
  await expect(stateOf(page)).toContainText('Accepted by the provider');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`${BTC.amount} BTC`);
  await expectLedger(account, 2);
});

test('a reload at review has nothing that could be sent @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await review(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'New withdrawal' })).toBeVisible();
  await expect(sendButton(page)).toHaveCount(0);
  expect(await postsOf(account)).toEqual([]);
});
