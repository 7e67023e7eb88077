import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import {
  BTC,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  openReview,
  postsOf,
  resendButton,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const DAY_AND_MORE = 25 * 60 * 60;
const PROVABLE = 26 * 60 * 60 + 60;

test('after 25 hours of sleep the operation can only be checked @deep', async ({ page, account }) => {
  await sendAndLose(page, account);
  await account.advance(DAY_AND_MORE);
  await expect(resendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  await expect(stateOf(page)).toContainText('check only');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('Possible match');
  await page.reload();
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('a wrong device clock doesn’t change the 23 hours @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/409/);
  await page.clock.install({ time: Date.now() - 30 * 60 * 60 * 1000 });
  await sendAndLose(page, account);
  await account.advance(16);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await account.advance(23 * 60 * 60 + 60);
  await resendButton(page).click();
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  expect(await postsOf(account)).toHaveLength(1);
});

test('26 hours later, absence from the complete list is confirmed by typing, and then it may be paid again', async ({
  page,
  account,
}) => {
  await faultOnPost(account, { when: 'before', drop: true });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  const confirm = page.getByRole('button', { name: 'Confirm not sent' });
  await expect(confirm).toHaveCount(0);
  await account.advance(PROVABLE);
  await page.getByRole('button', { name: 'Check now' }).click();
  await confirm.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it was not sent' });
  const words = dialog.getByLabel('Type the words "not sent"');
  await expect(words).toBeFocused();
  await expect(dialog.getByText('Complete from')).toBeVisible();
  await words.fill('sent');
  await page.keyboard.press('Enter');
  await expect(words).toHaveAccessibleDescription(/Type the two words/);
  await words.fill('not sent');
  await page.keyboard.press('Enter');
  await expect(stateOf(page)).toContainText('It was not sent: the provider’s complete list doesn’t have it.');
  const lists = (await account.requests()).filter(({ method, path }) => method === 'GET' && path === '/v1/withdrawals');
  await expect(stateOf(page)).toContainText(String(lists.at(-1)?.['request_id']));
  await expectLedger(account, 0);

  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue(BTC.address);
  await openReview(page);
  await sendButton(page).click();
  await expectAccepted(page);
  expect(new Set((await postsOf(account)).map(({ idempotency_key: key }) => key)).size).toBe(2);
  await expectLedger(account, 1);
});

test('after 26 hours, a look-alike in the list leaves it open @deep', async ({ page, account }) => {
  await faultOnPost(account, { when: 'before', drop: true });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await withdrawByApi(account, BTC);
  await account.advance(PROVABLE);
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('button', { name: 'Confirm not sent' })).toHaveAccessibleDescription(
    /lists a withdrawal that looks like this one/,
  );
  await page.getByRole('button', { name: 'Confirm not sent' }).click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(stateOf(page)).toContainText('Unconfirmed');
});
