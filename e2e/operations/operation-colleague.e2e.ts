import { HELD } from '#e2e/support/sandbox.ts';
import {
  banner,
  expect,
  expectAccepted,
  expectLedger,
  postsOf,
  resend,
  sendAndLose,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('a colleague’s browser sees an unconfirmed payment, resends it, and both see the outcome', async ({
  page,
  account,
  colleague,
}) => {
  await sendAndLose(page, account);
  const other = await colleague();
  await other.goto('/balances');
  await expect(banner(other)).toContainText('unconfirmed');
  await banner(other).getByRole('link', { name: 'Resolve' }).click();
  await expect(stateOf(other)).toContainText('Unconfirmed');
  await resend(other, account);
  await expectAccepted(other);
  await page.reload();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(2);
  await expectLedger(account, 1);
});

test('a profile that was wiped signs in again and finds everything @deep', async ({
  page,
  context,
  account,
  signIn,
}) => {
  await sendNew(page);
  await expectAccepted(page);
  const address = page.url();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  // A page that is still loading would fail without its cookies.
  await page.goto('about:blank');
  await context.clearCookies();
  await signIn(context);
  await page.goto('/operations');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);
  await page.goto(address);
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('if the tab is closed before the response arrives, the server continues @deep', async ({
  page,
  context,
  account,
}) => {
  await account.fault({ method: 'POST', path: '/v1/withdrawals', when: 'after', ...HELD });
  await sendNew(page);
  const address = page.url();
  await page.close({ runBeforeUnload: false });
  await expect.poll(async () => (await account.ledger()).executed.withdrawals).toBe(1);
  await account.clearFaults();
  const again = await context.newPage();
  await again.goto(address);
  await expectAccepted(again);
  await expectLedger(account, 1);
});

test('Back and forward while a send is running find no form that could send @deep', async ({ page, account }) => {
  await account.fault({ method: 'POST', path: '/v1/withdrawals', when: 'before', ...HELD });
  await page.goto('/balances');
  await sendNew(page);
  const address = page.url();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Send withdrawal' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Review withdrawal' })).toHaveCount(0);
  await page.goForward();
  await expect(page).toHaveURL(address);
  await account.clearFaults();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});
