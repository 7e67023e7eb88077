import {
  banner,
  expect,
  expectAccepted,
  expectFollows,
  expectLedger,
  sendAndLose,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('a browser whose storage throws can still pay @deep', async ({ page, account }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Blocked by policy.', 'SecurityError');
    };
    IDBFactory.prototype.open = refuse;
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse });
  });
  await sendNew(page);
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('a colleague’s browser, or this one wiped, finds everything @deep', async ({ page, account, colleague }) => {
  await page.clock.install();
  await sendAndLose(page, account);
  const other = await colleague();
  await other.goto('/balances');
  await expect(banner(other)).toContainText('is unconfirmed');
  await banner(other).getByRole('link', { name: 'Resolve' }).click();
  await expect(stateOf(other)).toContainText('Unconfirmed');
  await account.advance(16);
  await other.getByRole('button', { name: 'Resend' }).click();
  await expectAccepted(other);
  await expectFollows(page);
  await expectLedger(account, 1);
});
