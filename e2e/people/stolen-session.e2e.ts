import { approveButton, payment, rowIn, submit } from '#e2e/support/approving.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import {
  addColleague,
  type Device,
  expectSignedIn,
  openUntilSignedOut,
  signIn,
  stealSession,
  test,
  uniqueName,
} from '#e2e/support/people.ts';
import { expect, expectAccepted, postsOf, stateOf } from '#e2e/support/withdrawing.ts';

// Without approval rules every payment needs one approval.

test.use({ paysAlone: false });

function accountOf({ accounts }: { accounts: ReadonlyMap<string, Account> }): Account {
  const account = accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  return account;
}

/** Approves `keys` by a request with the passkey's answer of another approval; returns the status and the error code. */
async function approveAgain({ page }: Device, approval: string, keys: readonly string[]): Promise<[number, string]> {
  return page.evaluate(
    async ([sent, other]) => {
      const { account } = await (await fetch('/session')).json();
      const answer = await fetch('/api/approvals', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Account': account },
        body: JSON.stringify({ ...JSON.parse(sent), keys: other }),
      });
      return [answer.status, (await answer.json()).error?.code];
    },
    [approval, keys] as const,
  );
}

test('a stolen session of an approver sees payments and approves none, even with an answer of the passkey to another approval; signing out everywhere ends it at once @deep', async ({
  admin,
  device,
  team,
}) => {
  const account = accountOf(team);
  const name = uniqueName('Bo');
  const maker = await addColleague(admin, device, uniqueName('Olga'), ['Operator']);
  const bo = await addColleague(admin, device, name, ['Approver']);
  const [first, second] = [payment('0.0252'), payment('0.0253')];
  const approved = await submit(maker.page, first);
  const waiting = await submit(maker.page, second);
  const before = (await postsOf(account)).length;

  const thief = await stealSession(bo, device);
  await thief.page.goto('/approvals');
  await expect(rowIn(thief.page, 'Needs you', second)).toBeVisible();
  await thief.page.goto(waiting);
  await approveButton(thief.page).click();
  await expect(thief.page.getByText('Cancelled. Nothing was approved.')).toBeVisible();

  await bo.page.goto(approved);
  const request = bo.page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/approvals'));
  await approveButton(bo.page).click();
  await expectAccepted(bo.page);
  const approval = (await request).postData() ?? '';
  expect(await approveAgain(thief, approval, [waiting.split('/').at(-1) ?? ''])).toEqual([403, 'passkey_refused']);
  expect(await postsOf(account)).toHaveLength(before + 1);

  // Bo's own page loses its session, too.
  await bo.page.goto('about:blank');
  await admin.page.goto('/people');
  await admin.page.getByRole('button', { name: `Manage ${name}` }).click();
  await admin.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(admin.page.getByRole('dialog').getByText(/^None is open on this account/)).toBeVisible();
  // A rejection takes no passkey.
  await thief.page.getByRole('button', { name: 'Reject…' }).click();
  await thief.page.getByRole('dialog').getByLabel('Reason').fill('Stolen.');
  await thief.page.getByRole('button', { name: 'Reject payment' }).click();
  await openUntilSignedOut(thief);

  await signIn(bo);
  await expectSignedIn(bo);
  await bo.page.goto(waiting);
  await expect(stateOf(bo.page)).toContainText('Waiting for approval');
  await approveButton(bo.page).click();
  await expectAccepted(bo.page);
  expect(await postsOf(account)).toHaveLength(before + 2);
});
