import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { setHidden } from '#e2e/support/fixtures.ts';
import {
  banner,
  expect,
  expectAccepted,
  expectFollows,
  expectLedger,
  openReview,
  postsOf,
  resend,
  resendButton,
  sendAndLose,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test.beforeEach(({ expectConsole }) => expectConsole(/409/));

test('a duplicated tab shows the same operation, and follows without a reload when the first settles it @deep', async ({
  page,
  context,
  account,
}) => {
  await sendAndLose(page, account);
  const other = await context.newPage();
  await other.clock.install();
  await other.goto(page.url());
  await expect(stateOf(other)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  await expectFollows(other);
  await expect(resendButton(other)).toHaveCount(0);
  expect(await postsOf(account)).toHaveLength(2);
  await expectLedger(account, 1);
});

test('two tabs that confirm together make one operation and one POST', async ({ page, context, account }) => {
  const other = await context.newPage();
  await openReview(page);
  await openReview(other);
  await Promise.all([sendButton(page).click(), sendButton(other).click()]);
  await expect.poll(async () => (await postsOf(account)).length).toBe(1);
  await expect.poll(async () => (await account.ledger()).executed.withdrawals).toBe(1);
  const places = await Promise.all(
    [page, other].map(async (tab) => {
      // The later tab goes to the operation or, if that is already accepted, shows that nothing was sent.
      const told = tab.getByText('Another one for the same came first.');
      await expect(stateOf(tab).getByText('Accepted by the provider').or(told).first()).toBeVisible();
      return (await told.isVisible()) ? 'not sent' : tab.url();
    }),
  );
  const operations = new Set(places.filter((place) => place !== 'not sent'));
  expect(operations.size).toBe(1);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('with two tabs at review, the second must be confirmed as another one after the first succeeded @deep', async ({
  page,
  context,
  account,
}) => {
  const other = await context.newPage();
  await openReview(page);
  await openReview(other);
  await sendButton(page).click();
  await expectAccepted(page);
  await sendButton(other).click();
  await expect(stateOf(other)).toContainText('Another one for the same came first.');
  await other.getByRole('button', { name: 'Back to the form' }).click();
  await other.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(other.getByText(/^You sent 0\.25 BTC to bc1/)).toBeVisible();
  await expect(sendButton(other)).toHaveAccessibleDescription('Confirm above to continue.');
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('if another tab signs in to another account, nothing is forwarded and the old data disappears @deep', async ({
  page,
  context,
  account,
  stranger,
  signIn,
}) => {
  await sendAndLose(page, account);
  await account.advance(16);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  // A visible tab would notice by itself.
  await setHidden(page, true);
  await signIn(context, stranger.key);
  await resendButton(page).click();
  await setHidden(page, false);
  await expect(page.getByRole('heading', { level: 1, name: 'Another account’s operation' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expect(await postsOf(account)).toHaveLength(1);
  expect(await postsOf(stranger)).toEqual([]);
  await expectLedger(stranger, 0);
  await expectLedger(account, 1);
});

test('if another tab signs in to another account by the form, this one follows automatically @deep', async ({
  page,
  context,
  account,
  stranger,
}) => {
  await sendAndLose(page, account);
  const other = await context.newPage();
  await other.goto('/balances');
  await expect(banner(other)).toBeVisible();
  await inAccountMenu(other, 'Sign out');
  await expect(page).toHaveURL(/\/sign-in/);
  await other.getByLabel('API key').fill(stranger.key);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expect(await postsOf(account)).toHaveLength(1);
  expect(await postsOf(stranger)).toEqual([]);
});
