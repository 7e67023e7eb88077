import type { Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import {
  BTC,
  banner,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  openReview,
  postsOf,
  resend,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test.beforeEach(({ expectConsole }) => expectConsole(/Failed to load resource/));

async function signInByForm(page: Page, key: string) {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Checks that the page says only that the operation belongs to another account. */
async function expectHidden(page: Page) {
  await expect(page.getByRole('heading', { level: 1, name: 'Another account’s operation' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).not.toContainText(BTC.amount);
  await expect(main).not.toContainText(BTC.address.slice(0, 8));
  await expect(page.getByRole('button', { name: /^(Send|Resend|Discard|Check|Close)/ })).toHaveCount(0);
}

test('signing out keeps an unconfirmed operation; another account neither sees nor sends it @deep', async ({
  page,
  account,
  stranger,
}) => {
  await sendAndLose(page, account);
  const operation = page.url();
  await inAccountMenu(page, 'Sign out');
  await expect(page).toHaveURL(/\/sign-in/);
  await signInByForm(page, stranger.key);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await page.goto(operation);
  await expectHidden(page);

  await inAccountMenu(page, 'Sign out');
  await signInByForm(page, account.key);
  await expect(banner(page)).toContainText('is unconfirmed');
  await page.goto(operation);
  await resend(page, account);
  await expectAccepted(page);
  await expectLedger(account, 1);
  await expectLedger(stranger, 0);
});

test('a key that is refused in flight and then valid again resends under the same idempotency key @deep', async ({
  page,
  account,
}) => {
  await faultOnPost(account, { status: 401 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('The provider did not accept the API key that it was sent with.');
  await expectLedger(account, 0);
  await resend(page, account);
  await expectAccepted(page);
  expect(new Set((await postsOf(account)).map(({ idempotency_key: key }) => key)).size).toBe(1);
  await expectLedger(account, 1);
});

test('if a key is refused in flight, another key of the account sends nothing @deep', async ({ page, account }) => {
  const another = await account.newKey();
  await faultOnPost(account, { status: 401 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('The provider did not accept the API key that it was sent with.');
  await inAccountMenu(page, 'Sign out');
  await expect(page).toHaveURL(/\/sign-in/);
  await signInByForm(page, another);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await page.goto('/operations');
  await expect(page.getByRole('heading', { name: 'No operations yet' })).toBeVisible();
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 0);
});

test('a key that the provider refuses still shows what was recorded with it, to be closed @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  const operation = page.url();
  await account.revokeKey(account.key);
  await page.goto('/balances');
  await expect(page).toHaveURL(/\/sign-in/);
  await signInByForm(page, account.key);
  await expect(page).toHaveURL('/operations');
  await expect(page.getByText('The provider doesn’t accept this key any more.')).toBeVisible();
  await page.goto('/');
  await expect(page).toHaveURL('/operations');
  await page.goto(operation);
  await page.getByRole('button', { name: 'Close manually' }).click();
  await page.getByLabel('Reason').fill('Paid, says support, case 12');
  await page.getByRole('button', { name: 'Close operation' }).click();
  await expect(stateOf(page)).toContainText('Paid, says support, case 12');
  expect(await postsOf(account)).toHaveLength(1);
});

test('with a key revoked before the click, nothing is sent @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/503/);
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await account.revokeKey(account.key);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(stateOf(page)).toContainText('Nothing was sent.');
  expect(await postsOf(account)).toEqual([]);
});
