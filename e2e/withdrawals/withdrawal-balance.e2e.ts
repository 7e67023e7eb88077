import {
  BTC,
  bytesOf,
  confirmMoreThanAvailable,
  expect,
  expectAccepted,
  expectLedger,
  fillForm,
  openReview,
  postsOf,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';

test('Max fills in the exact balance, which is accepted although the fee is unknown @deep', async ({
  page,
  account,
}) => {
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...BTC, amount: '' });
  await page.getByRole('button', { name: 'Max' }).click();
  const { available } = await account.read<{ available: string }>('/v1/balances/BTC');
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(available);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 1);
  const books = (await account.ledger()).books['BTC'];
  expect(Number(books?.['available'])).toBe(0);
});

test('if the balance drops between form and Send, the service decides, and its refusal is explained @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/400/);
  await openReview(page, { ...BTC, amount: '12' });
  await expect(page.getByText(/as of .*(now|ago)/).first()).toBeVisible();
  await withdrawByApi(account, { ...BTC, amount: '11', address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' });
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Refused');
  await expect(stateOf(page)).toContainText('insufficient funds');
  await expect(stateOf(page)).toContainText('Nothing was paid.');
  await expectLedger(account, 1);
  expect((await account.ledger()).books['BTC']).toMatchObject({ available: '1', locked: '11' });
});

test('an amount above the available balance is sent only after a tick, and no negative balance is shown @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/400/);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...BTC, amount: '99999999' });
  await expect(page.getByText('More than you have available (12')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Beside the form' })).not.toContainText('−');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByText('More than you have available (12')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('−');
  await expect(sendButton(page)).toHaveAccessibleDescription('Confirm above to continue.');
  await sendButton(page).click({ force: true });
  expect(await postsOf(account)).toEqual([]);
  await confirmMoreThanAvailable(page);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('insufficient funds');
  await expectLedger(account, 0);
});

test('an amount of sixty digits is sent and returned exactly', async ({ page, account }) => {
  const amount = '123456789012345678901234.123456789012345678901234567890123456';
  await account.deposit({ asset: 'BIG', chain: 'bigchain', amount, status: 'completed' });
  await page.goto('/withdrawals/new');
  await fillForm(page, { asset: 'BIG', chain: 'bigchain', amount: '', address: 'big1qqqqqqqqqq' });
  await page.getByRole('button', { name: 'Max' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(amount);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  expect((await postsOf(account)).map(({ body }) => body)).toEqual([
    bytesOf({ asset: 'BIG', chain: 'bigchain', amount, address: 'big1qqqqqqqqqq' }),
  ]);
  expect((await account.ledger()).books['BIG']).toMatchObject({ locked: amount });
  await expect(page.getByText('Matches what you sent ✓')).toBeVisible();
});

test('a balance below zero offers no Max, and no amount below zero passes @deep', async ({ page, account }) => {
  const { data } = await account.read<{ data: { asset: string }[] }>('/v1/balances?limit=1');
  await account.fault({ path: '/v1/balances', times: 99, patch: { data: { 0: { available: '-0.5' } } } });
  await page.goto('/withdrawals/new');
  await page.getByLabel('Asset', { exact: true }).fill(data[0]?.asset ?? '');
  await expect(page.getByText('Available −0.5')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Max' })).toHaveCount(0);
  await page.getByLabel('Amount', { exact: true }).fill('-0.5');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Amount must be positive').first()).toBeVisible();
});
