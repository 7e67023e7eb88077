import {
  BTC,
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  resend,
  review,
  sendAndLose,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test.beforeEach(({ expectConsole }) => expectConsole(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test('offline at the click: the page says so, retries, and sends once @deep', async ({ page, context, account }) => {
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Recording');
  await expect(stateOf(page)).toContainText(/No record yet. It may still arrive until .*\d\d:\d\d:\d\d/);
  await expect(stateOf(page)).toContainText('This device is offline.');
  await expect(stateOf(page)).not.toContainText(/not sent|nothing was sent/i);
  await context.setOffline(false);
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('there is no form, and no Back to one, until the withdrawal is known to be recorded @deep', async ({
  page,
  context,
  account,
}) => {
  await page.goto('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await review(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  await page.goBack();
  await expect(page).toHaveURL('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await expect(page.getByText('A withdrawal is being recorded.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  // Nothing is sent while the person is on another page.
  await page.getByRole('link', { name: 'Withdrawals', exact: true }).click();
  const banner = page.getByRole('region', { name: 'Not recorded' });
  await expect(banner).toContainText(/One withdrawal has no record yet. It may still arrive until/);
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Deposits', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Deposits', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Refresh list' }).click();
  await expect(page.getByText('Live · up to date')).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
  await banner.getByRole('link', { name: 'Open it' }).click();
  await expectAccepted(page);
  await expect(banner).toHaveCount(0);
  const [post, ...more] = await postsOf(account);
  expect(more).toEqual([]);
  expect(post?.body).toContain(BTC.address);
  await expectLedger(account, 1);
});

test('Discard while offline is requested once the connection is back: nothing is sent @deep', async ({
  page,
  context,
  account,
}) => {
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText(/^Not discarded\./)).toBeVisible();
  await expect(page.getByText('This page goes on discarding it for as long as it is open.')).toBeVisible();
  await context.setOffline(false);
  await expect(stateOf(page)).toContainText('Nothing was sent.');
  expect(await postsOf(account)).toEqual([]);
  await expectLedger(account, 0);
});

test('closing the window needs confirmation only until the server has the record @deep', async ({ page, context }) => {
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += dialog.type() === 'beforeunload' ? 1 : 0;
    void dialog.dismiss();
  });
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe(1);
  await context.setOffline(false);
  await expectAccepted(page);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
  expect(asked).toBe(1);
});

test('reloaded during the request, the page has nothing to send, and Discard makes certain of it @deep', async ({
  page,
  context,
  account,
}) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  const operation = page.url();
  await page.goto('about:blank');
  await context.setOffline(false);
  await page.goto(operation);
  await expect(stateOf(page)).toContainText(/No record yet. It may still arrive until/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(stateOf(page)).toContainText('Nothing was sent.');
  await expect(page.getByRole('button', { name: 'Back to the form' })).toHaveCount(0);
  expect(await postsOf(account)).toEqual([]);
  await expectLedger(account, 0);
});

test('going offline and back repeatedly sends nothing by itself @deep', async ({ page, context, account }) => {
  await sendAndLose(page, account);
  for (let round = 1; round <= 4; round += 1) {
    await context.setOffline(true);
    await account.advance(20);
    await context.setOffline(false);
    await account.advance(20);
  }
  await expect(stateOf(page)).toContainText('Unconfirmed');
  expect(await postsOf(account)).toHaveLength(1);
  await resend(page, account);
  // By then it has been broadcast.
  await expect(stateOf(page)).toContainText('The provider has accepted this withdrawal.');
  expect(await postsOf(account)).toHaveLength(2);
  await expectLedger(account, 1);
});
