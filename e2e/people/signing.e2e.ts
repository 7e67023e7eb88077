import { payment } from '#e2e/support/approving.ts';
import { batchState, sendBatch, suppliers } from '#e2e/support/batches.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { addColleague, openUntilSignedOut, rowOf, stealSession, test, uniqueName } from '#e2e/support/people.ts';
import {
  BTC,
  expect,
  expectAccepted,
  faultOnPost,
  openReview,
  OPERATION,
  postsOf,
  sendButton,
  stateOf,
} from '#e2e/support/withdrawing.ts';

function accountOf({ accounts }: { accounts: ReadonlyMap<string, Account> }): Account {
  const account = accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  return account;
}

test('a withdrawal is sent once its maker’s passkey has signed it, and not if they cancel', async ({
  admin,
  device,
  team,
}) => {
  const account = accountOf(team);
  const { page, passkeys } = await addColleague(admin, device, uniqueName('Bo'), ['Operator']);
  await openReview(page, { ...BTC, amount: '0.0101' });
  await expect(page.getByText('You sign exactly this payment with your passkey.')).toBeVisible();
  const before = (await postsOf(account)).length;
  await passkeys.setVerified(false);
  await sendButton(page).click();
  await expect(page.getByText('Cancelled. Nothing was sent.')).toBeVisible();
  await expect(page).toHaveURL('/withdrawals/new');
  expect(await postsOf(account)).toHaveLength(before);

  await passkeys.setVerified(true);
  await sendButton(page).click();
  await expect(page).toHaveURL(OPERATION);
  await expectAccepted(page);
  await expect(page.getByText('signed by its maker')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(before + 1);
});

test('a payment without a known outcome isn’t resent once its maker may no longer send @deep', async ({
  admin,
  device,
  team,
}) => {
  const account = accountOf(team);
  const name = uniqueName('Bo');
  const bo = await addColleague(admin, device, name, ['Operator']);
  await faultOnPost(account, { when: 'before', drop: true });
  await openReview(bo.page, { ...BTC, amount: '0.0102' });
  await sendButton(bo.page).click();
  await expect(stateOf(bo.page)).toContainText('Unconfirmed');
  const path = new URL(bo.page.url()).pathname;
  const sent = (await postsOf(account)).length;
  // Otherwise this page would lose its session.
  await bo.page.close();

  admin.expectConsole(/409/);
  const { page } = admin;
  await page.goto('/people');
  await page.getByRole('button', { name: `Manage ${name}` }).click();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('button', { name: `Block ${name}` }).click();
  await expect(rowOf(admin, name)).toContainText('Blocked');
  await page.goto(path);
  const resend = page.getByRole('button', { name: 'Resend' });
  await expect(resend).not.toHaveAttribute('aria-disabled', 'true', { timeout: 25_000 });
  await resend.click();
  await expect(page.getByText(/The person who prepared this payment may no longer send/)).toBeVisible();
  await expect(stateOf(page)).toContainText('Unconfirmed');
  expect(await postsOf(account)).toHaveLength(sent);
});

test('a stolen session of an operator sends nothing, and ends with the operator’s sign-out @deep', async ({
  admin,
  device,
  team,
}) => {
  const account = accountOf(team);
  const bo = await addColleague(admin, device, uniqueName('Bo'), ['Operator']);
  const thief = await stealSession(bo, device);
  await openReview(thief.page, payment('0.0103'));
  const before = (await postsOf(account)).length;
  await sendButton(thief.page).click();
  await expect(thief.page.getByText('Cancelled. Nothing was sent.')).toBeVisible();
  expect(await postsOf(account)).toHaveLength(before);

  await bo.page.getByRole('button', { name: /^Account menu/ }).click();
  await bo.page.getByRole('button', { name: 'Sign out' }).click();
  await expect(bo.page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await openUntilSignedOut(thief);
  expect(await postsOf(account)).toHaveLength(before);
});

test('one passkey signature covers all payments of a batch @deep', async ({ admin: { page }, team }) => {
  const account = accountOf(team);
  const before = (await postsOf(account)).length;
  await sendBatch(page, suppliers(2));
  await expect(batchState(page)).toContainText('The provider has accepted all 2 payments.');
  expect(await postsOf(account)).toHaveLength(before + 2);
});
