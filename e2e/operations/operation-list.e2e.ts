import { expectClean } from '#e2e/support/axe.ts';
import { expectReadable } from '#e2e/support/readable.ts';
import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  faultOnPost,
  sendAndLose,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('the list shows what needs action, what is in progress and everything, with the recipient @deep', async ({
  page,
  account,
}) => {
  await sendNew(page, ETH);
  await expectAccepted(page);
  await page.getByRole('button', { name: 'Add a reference or note' }).click();
  await page.getByLabel('Reference', { exact: true }).fill('INV-7 of Acme Hosting Ltd, hosting in October 2026');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await sendAndLose(page, account);
  await page.goto('/balances');
  await page.getByRole('link', { name: 'Operations 1 to resolve' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Operations' })).toBeFocused();
  const table = page.getByRole('table', { name: 'Operations' });
  const row = table.getByRole('row').filter({ has: page.getByRole('rowheader') });
  await expect(row).toHaveText([
    /0\.25 BTC to bc1qw50…f3t4.*Unconfirmed no response, the connection failed.*0\.25\sBTC/,
    /1\.5 ETH to 0x5aAeb….*Accepted by the provider.*INV-7.*1\.5\sETH/,
  ]);
  await expectReadable(page, table, [900, 1024, 1280]);
  // An accepted withdrawal has one page, its own; its timeline leads back to what was sent.
  await expect(row.filter({ hasText: '1.5 ETH' }).getByRole('link')).toHaveAttribute('href', /^\/withdrawals\/wd_/);
  await page.getByRole('button', { name: 'Needs action (1)' }).click();
  await expect(page).toHaveURL('/operations?show=action');
  await expect(row).toHaveText([/0\.25 BTC/]);
  await expectClean(page, 'what needs action', [375]);
  await page.getByRole('button', { name: 'In progress (1)' }).click();
  await expect(row).toHaveText([/1\.5 ETH/]);
  await expect(page.getByText('Searched: everything unresolved, and all 2 operations.')).toBeVisible();

  const id = String((await account.withdrawals()).find(({ asset }) => asset === 'ETH')?.['id']);
  await account.withdrawal(id, { status: 'failed' });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing in progress' })).toBeVisible();
  await page.getByRole('button', { name: 'Needs action (2)' }).click();
  await row.filter({ hasText: '1.5 ETH' }).getByRole('link').click();
  await expect(stateOf(page)).toContainText('Failed. 1.5 ETH is available again.');
  await page.goBack();
  await row.filter({ hasText: 'Unconfirmed' }).getByRole('link').click();
  await expect(stateOf(page)).toContainText('Unconfirmed');
});

test('another account sees none of the operations @deep', async ({
  page,
  context,
  account,
  stranger,
  signIn,
  expectConsole,
}) => {
  expectConsole(/409/);
  await sendAndLose(page, account);
  const operation = page.url();
  await signIn(context, stranger.key);
  await page.goto('/operations');
  await expect(page.getByRole('heading', { name: 'No operations yet' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(BTC.amount);
  // No count is shown next to it, but key hints may be.
  await expect(page.getByRole('link', { name: 'Operations' })).toHaveText(/^Operations(GO)?$/);
  await page.goto(operation);
  await expect(page.getByRole('heading', { level: 1, name: 'Another account’s operation' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(BTC.address.slice(0, 8));
  await expectClean(page, 'another account’s operation', [375]);
});

test('the list is loaded page by page @deep', async ({ page }) => {
  const KEEP = '/webhook-deliveries/replay';
  await page.goto(KEEP);
  await page.evaluate(async () => {
    const session: { account: string } = JSON.parse(document.getElementById('session')?.textContent ?? '');
    const headers = { 'Content-Type': 'application/json', 'X-Account': session.account };
    const databaseNow = async () => {
      const asked = { kind: 'charge', path: '/v1/charges', body: '{"n":"0"}' };
      const answer = await fetch('/api/operations/review', { method: 'POST', headers, body: JSON.stringify(asked) });
      return ((await answer.json()) as { now: number }).now;
    };
    const not_after = (await databaseNow()) + 100_000;
    for (let at = 1; at <= 55; at += 1) {
      const body = JSON.stringify({ n: String(at) });
      const put = { kind: 'charge', path: '/v1/charges', body, second_send_of: [], not_after };
      const key = crypto.randomUUID();
      await fetch(`/api/operations/${key}`, { method: 'PUT', headers, body: JSON.stringify(put) });
    }
  });
  await page.goto('/operations');
  const row = page.getByRole('table', { name: 'Operations' }).getByRole('row').filter({ hasText: 'charge' });
  await expect(row).toHaveCount(50);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(row).toHaveCount(55);
  await expect(page.getByText('End of list · 55 operations.')).toBeVisible();
});

test('a response about another payment is shown next to the request @deep', async ({ page, account }) => {
  const patch = { amount: '9', address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' };
  await faultOnPost(account, { patch });
  await account.fault({ method: 'GET', path: '/v1/withdrawals/wd_', patch, times: 99 });
  await sendNew(page);
  const rows = page.getByRole('region', { name: 'Compare both' }).getByRole('row');
  await expect(rows).toHaveText([
    /Sent.*Came/,
    /asset.*BTC.*BTC.*equal/,
    /chain.*bitcoin.*bitcoin.*equal/,
    /amount.*0\.25.*9.*differs/,
    new RegExp(`address.*${BTC.address}.*${patch.address}.*differs`),
  ]);
  await expectClean(page, 'a contradicted operation', [375]);
  await page.getByRole('button', { name: 'Close manually' }).click();
  await expectClean(page, 'the dialog to close it', [375]);
});
