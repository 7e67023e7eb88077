import {
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  resend,
  sendAndLose,
  sendButton,
  stateOf,
  test,
} from './withdrawing.ts';

test.beforeEach(async ({ page, expectConsole }) => {
  expectConsole(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
});

test('offline before the click: the form stays with the reason, and nothing fires on reconnect', async ({
  page,
  context,
  account,
}) => {
  await openReview(page);
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(page.getByText('Nothing was recorded or sent.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Review the withdrawal' })).toBeVisible();
  await context.setOffline(false);
  await page.clock.runFor(120_000);
  expect(await postsOf(account)).toEqual([]);
  await sendButton(page).click();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('offline and back, again and again, sends nothing that nobody asked for', async ({ page, context, account }) => {
  await sendAndLose(page, account);
  for (let round = 1; round <= 4; round += 1) {
    await context.setOffline(true);
    await page.clock.runFor(20_000);
    await context.setOffline(false);
    await page.clock.runFor(20_000);
  }
  await expect(stateOf(page)).toContainText('Unconfirmed');
  expect(await postsOf(account)).toHaveLength(1);
  await resend(page);
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(2);
  await expectLedger(account, 1);
});
