import { expectClean } from '#e2e/support/axe.ts';
import { setHidden } from '#e2e/support/fixtures.ts';
import { addColleague, type Device, expectSignedIn, rowOf, signIn, test, uniqueName } from '#e2e/support/people.ts';
import { expect, postsOf, review, sendButton } from '#e2e/support/withdrawing.ts';
import type { Page } from 'playwright/test';

test.describe.configure({ mode: 'default' });
test.use({ accountNames: ['eu', 'us'] });

test.beforeEach(async ({ admin: { page } }) => {
  // A sign-in leads to the account used last.
  if ((await accountOn(page).innerText()) !== 'eu') await switchTo(page, 'eu');
});

/** The account's name that every page shows. */
function accountOn(page: Page) {
  return page.getByRole('complementary', { name: 'Index' }).locator('.money-mark .who-name');
}

async function openMenu(page: Page) {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  return page.getByRole('list', { name: 'Other accounts' });
}

async function switchTo(page: Page, name: string) {
  const accounts = await openMenu(page);
  await accounts.getByRole('button', { name: `Switch to ${name}`, exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(accountOn(page)).toHaveText(name);
}

/** Switches the account as another tab would, without a message to this one. */
async function switchUnheard({ page }: Device, name: string) {
  const tab = await page.context().newPage();
  // Not on a page of the app, which would send its own requests.
  await tab.goto('/healthz');
  const status = await tab.evaluate(async (to) => {
    const session = await (await fetch('/session')).json();
    const account = session.accounts.find((one: { name: string }) => one.name === to)?.account;
    const headers = { 'Content-Type': 'application/json', 'X-Account': session.account };
    const body = JSON.stringify({ account });
    return (await fetch('/session/account', { method: 'POST', headers, body })).status;
  }, name);
  expect(status).toBe(201);
  await tab.close();
}

test('each account shows its own payments, and another tab follows @deep', async ({ admin, team }) => {
  const { page } = admin;
  await team.accounts.get('eu')?.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.1234' });
  await team.accounts.get('us')?.deposit({ asset: 'ETH', chain: 'ethereum', amount: '5.6789' });
  await page.goto('/deposits');
  await expect(page.getByRole('table', { name: 'Deposits' })).toContainText('0.1234');
  const tab = await page.context().newPage();
  await tab.goto('/withdrawals/new');
  await tab.getByLabel('Amount').fill('0.77');

  const accounts = await openMenu(page);
  await expect(accounts.getByRole('button')).toHaveText(['Switch to us']);
  await expectClean(page, 'account switcher');
  await page.keyboard.press('Escape');
  await switchTo(page, 'us');
  await page.goto('/deposits');
  await expect(page.getByRole('table', { name: 'Deposits' })).toContainText('5.6789');
  await expect(page.getByText('0.1234')).toHaveCount(0);

  // The draft belongs to the other account.
  await expect(accountOn(tab)).toHaveText('us');
  await expect(tab.getByLabel('Amount')).toHaveValue('');
  await switchTo(page, 'eu');
  await tab.goto('/withdrawals/new');
  await expect(tab.getByLabel('Amount')).toHaveValue('0.77');
});

test('a tab of the former account sends nothing, and shows the other account then', async ({ admin, team }) => {
  const { page } = admin;
  await page.goto('/withdrawals/new');
  await review(page);
  // A visible tab would notice by itself.
  await setHidden(page, true);
  await switchUnheard(admin, 'us');
  // The page looks up the payment, and finds nothing under this account.
  admin.expectConsole(/404|409/);
  await sendButton(page).click();
  await setHidden(page, false);
  await expect(accountOn(page)).toHaveText('us');
  for (const account of team.accounts.values()) expect(await postsOf(account)).toEqual([]);
});

test('an admin of both gives a colleague roles on the other account, where they sign in next time @deep', async ({
  admin,
  device,
}) => {
  const name = uniqueName('Bo');
  const bo = await addColleague(admin, device, name);
  await expect(accountOn(bo.page)).toHaveText('eu');
  await bo.page.getByRole('button', { name: /^Account menu/ }).click();
  await expect(bo.page.getByRole('button', { name: 'Account details' })).toBeVisible();
  await expect(bo.page.getByRole('list', { name: 'Other accounts' })).toHaveCount(0);

  await admin.page.goto('/');
  await switchTo(admin.page, 'us');
  await admin.page.goto('/people');
  await expect(rowOf(admin, 'Ada')).toContainText('Active');
  await expect(rowOf(admin, name)).toHaveCount(0);
  await admin.page.getByRole('button', { name: 'Add from another account' }).click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByLabel('Person').click();
  await admin.page.getByRole('option', { name }).click();
  await dialog.getByLabel('Operator').check();
  await expectClean(admin.page, 'add from another account');
  await dialog.getByRole('button', { name: 'Give roles' }).click();
  await expect(rowOf(admin, name)).toContainText('Operator');

  await expect(async () => {
    // For reads the server caches a session for some seconds.
    await bo.page.goto('/');
    await openMenu(bo.page);
    await expect(bo.page.getByRole('list', { name: 'Other accounts' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await bo.page.goto('/');
  await switchTo(bo.page, 'us');
  // A read that arrives after the sign-out is refused.
  bo.expectConsole(/status of 401 .*\/api\/overview/);
  await bo.page.getByRole('button', { name: /^Account menu/ }).click();
  await bo.page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(bo);
  await expectSignedIn(bo);
  await expect(accountOn(bo.page)).toHaveText('us');
});
