import { expect, expectLedger, postsOf, resendButton, sendAndLose, stateOf, test } from './withdrawing.ts';

const DAY_AND_MORE = 25 * 60 * 60;

test.beforeEach(({ expectConsole }) => expectConsole(/Failed to load resource/));

test('asleep for 25 hours: the operation is check only', async ({ page, account }) => {
  await page.clock.install();
  await sendAndLose(page, account);
  await account.advance(DAY_AND_MORE);
  await page.clock.fastForward(DAY_AND_MORE * 1000);
  // Whatever this page believes of the time, the service's own clock is asked before anything is sent.
  if ((await resendButton(page).getAttribute('aria-disabled')) !== 'true') await resendButton(page).click();
  await expect(resendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  await expect(stateOf(page)).toContainText('check only');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('Looks like yours');
  await page.reload();
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('a device whose clock is wrong changes nothing of the 23 hours', async ({ page, account }) => {
  await page.clock.install({ time: Date.now() - 30 * 60 * 60 * 1000 });
  await sendAndLose(page, account);
  await page.clock.runFor(16_000);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await account.advance(23 * 60 * 60 + 60);
  await resendButton(page).click();
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  expect(await postsOf(account)).toHaveLength(1);
});
