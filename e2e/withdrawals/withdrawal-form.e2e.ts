import {
  ETH,
  BTC,
  bytesOf,
  expect,
  expectAccepted,
  expectLedger,
  fillForm,
  postsOf,
  sendButton,
  test,
} from '#e2e/support/withdrawing.ts';
import { addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';

test('a known recipient is paid in six actions @deep', async ({ page, account }) => {
  await withdrawByApi(account, ETH);
  await openBookWith(page, 'Acme');
  await account.advance(2 * 86_400);
  await page.goto('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await expect(page.getByRole('combobox', { name: 'Recipient' })).toBeFocused();
  await page.keyboard.type('acm');
  await expect(page.getByRole('option', { name: /Acme/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  // The asset of the last payment to it.
  await expect(page.getByLabel('Asset', { exact: true })).toHaveValue('ETH');
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('ethereum');
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
  await page.keyboard.type(' 1.25\u00A0');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Send\s1\.25\sETH\sto\sAcme\son\sEthereum$/)).toBeVisible();
  await sendButton(page).click();
  await expectAccepted(page);
  expect((await postsOf(account)).at(-1)?.body).toBe(bytesOf({ ...ETH, amount: '1.25' }));
  await expectLedger(account, 2);
});

test('a first payment to a known recipient takes six actions if only one asset is possible @deep', async ({
  page,
  account,
}) => {
  await openBookWith(page, 'Acme');
  await addByHand(page, 'Miner', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(2);
  await page.goto('/withdrawals');
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  const asset = page.getByLabel('Asset', { exact: true });
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Recipient' }).fill(name);
    await expect(page.getByRole('option', { name: new RegExp(name) })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
  };
  await choose('Miner');
  await expect(asset).toHaveValue('BTC');
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
  // On Ethereum several are possible: the other recipient's asset is cleared, and a chosen one stays.
  await choose('Acme');
  await expect(asset).toHaveValue('');
  await expect(asset).toBeFocused();
  await asset.fill('USDC');
  await choose('Miner');
  await expect(asset).toHaveValue('USDC');
  await asset.fill('');
  await choose('Acme');
  await choose('Miner');
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
  await page.keyboard.type('0.25');
  await page.keyboard.press('Enter');
  await sendButton(page).click();
  await expectAccepted(page);
  expect((await postsOf(account)).at(-1)?.body).toBe(bytesOf(BTC));
});

test('unambiguous thousands are accepted and read back; the draft survives a reload, and Cancel removes it @deep', async ({
  page,
  account,
}) => {
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, amount: '1,250.50', address: ` ${ETH.address.toLowerCase()}\n` });
  await page.getByLabel('Reference').fill('Invoice 7');
  await expect(page.getByText('= 1250.50')).toBeVisible();
  await expect(page.getByText('No checksum in this address')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('1,250.50');
  await expect(page.getByLabel('Reference')).toHaveValue('Invoice 7');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await page.getByText('Request details').click();
  await expect(page.getByRole('complementary', { name: 'The request' }).locator('pre')).toContainText(
    bytesOf({ ...ETH, amount: '1250.50', address: ETH.address.toLowerCase() }),
  );
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/withdrawals');
  await page.goto('/withdrawals/new');
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
  expect(await postsOf(account)).toEqual([]);
});

test('an address or a payment link pasted as a recipient fills in its fields @deep', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/withdrawals/new');
  const recipient = page.getByRole('combobox', { name: 'Recipient' });
  const paste = async (text: string) => {
    await recipient.focus();
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.keyboard.press('ControlOrMeta+V');
  };
  await expect(recipient).toBeFocused();
  await paste(`  ${BTC.address} `);
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(BTC.address);
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('bitcoin');
  await paste('litecoin:LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9?amount=3&label=Rent');
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('litecoin');
  await expect(page.getByText('Chain changed from Bitcoin to Litecoin.')).toBeVisible();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Use the amount 3' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('3');
  await expect(page.getByText('Chain changed from Bitcoin to Litecoin.')).toHaveCount(0);
  // One with a typo isn't dropped silently: it goes to the address field, which shows the error.
  const typo = `${BTC.address.slice(0, -1)}z`;
  await paste(typo);
  await page.keyboard.press('Tab');
  const address = page.getByLabel('Destination address', { exact: true });
  await expect(address).toHaveValue(typo);
  await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
  await page.keyboard.press('Tab');
  await expect(address).toHaveAccessibleDescription(/typo/);
});

test('an address of several chains that was paid on one of them fills in that chain and its asset @deep', async ({
  page,
  account,
}) => {
  await withdrawByApi(account, { ...ETH, asset: 'USDC', chain: 'polygon' });
  await page.goto('/withdrawals/new');
  await page.getByRole('combobox', { name: 'Recipient' }).fill(ETH.address.toLowerCase());
  await page.getByRole('option', { name: /^Pay 0x/ }).click();
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('polygon');
  await expect(page.getByLabel('Asset', { exact: true })).toHaveValue('USDC');
  await expect(page.getByLabel('Amount', { exact: true })).toBeFocused();
});

test('an address with a typo is judged at once, before a chain is chosen @deep', async ({ page }) => {
  const verdict = 'Looks like a Tron address, but it has a typo.';
  await page.goto('/withdrawals/new');
  await page.getByRole('combobox', { name: 'Recipient' }).fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u');
  await expect(page.getByRole('paragraph').filter({ hasText: verdict })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Recipient' }).fill('');
  const address = page.getByLabel('Destination address', { exact: true });
  // Still focused: the error doesn't wait until the field is left.
  await address.fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u');
  await expect(address).toHaveAccessibleDescription(new RegExp(verdict));
  await address.fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t');
  await expect(page.getByText(verdict)).toHaveCount(0);
});

test('an address pasted as a recipient doesn’t move an asset to a chain that it isn’t on @deep', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/withdrawals/new');
  await page.getByLabel('Asset', { exact: true }).fill('LTC');
  await page.getByLabel('Chain', { exact: true }).fill('litecoin');
  await page.getByRole('combobox', { name: 'Recipient' }).focus();
  // An address version of Bitcoin that old Litecoin addresses also have.
  await page.evaluate(() => navigator.clipboard.writeText('3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj'));
  await page.keyboard.press('ControlOrMeta+V');
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveAccessibleDescription(/Litecoin one/);
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue('litecoin');
});

test('another amount to the same destination shows a notice and needs no confirmation @deep', async ({
  page,
  account,
}) => {
  await withdrawByApi(account, { ...BTC, amount: '0.5' });
  await page.goto('/withdrawals/new');
  await fillForm(page, BTC);
  await page.getByLabel('Reference').fill('Invoice 8');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  const step = page.getByRole('status').filter({ hasText: 'Different amount, so probably not a duplicate.' });
  await expect(step).toHaveText(/^You paid bc1\S+ 0\.5\sBTC (just now|\d+ seconds ago)\./);
  const saved = page.waitForResponse((answer) => answer.url().includes('/api/team/notes/') && answer.ok());
  await sendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 2);
  expect((await saved).request().postData()).toContain('"reference":"Invoice 8"');

  // The reference finds the payment. For the operation, Find shows only the state of the request.
  const id = String((await account.withdrawals()).find(({ amount }) => amount === BTC.amount)?.['id']);
  await page.keyboard.press('Control+k');
  const find = page.getByRole('dialog', { name: 'Search' });
  await find.getByRole('combobox').fill('invoice 8');
  await find.getByRole('button', { name: 'Search all payments' }).click();
  await expect(find.getByRole('option')).toHaveAttribute('href', `/withdrawals/${id}`);
  await expect(find.getByRole('option')).toContainText('Invoice 8');
  await account.withdrawal(id, { status: 'failed' });
  await find.getByRole('combobox').fill(id);
  await expect(find.getByRole('option', { name: /^Operation / })).toContainText('Accepted by the provider');
});

test('Enter chooses the first matching asset, a separate row chooses the typed text, and neither submits @deep', async ({
  page,
}) => {
  await page.goto('/withdrawals/new');
  const asset = page.getByRole('combobox', { name: 'Asset' });
  await asset.click();
  await expect(page.getByRole('option', { name: /^BTC 12/ })).toBeVisible();
  await page.keyboard.type('usdt');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('option').last()).toHaveText('Use “usdt” exactly');
  await page.keyboard.press('Enter');
  await expect(asset).toHaveValue('USDT');
  await asset.fill('usdt');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(asset).toHaveValue('usdt');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByText('You hold “USDT”. Codes are case-sensitive.')).toBeVisible();
  await expect(page.getByText('Enter an amount.')).toHaveCount(0);
});

test.describe('in a window of 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('the form and its review do not scroll sideways @deep', async ({ page }) => {
    await page.goto('/withdrawals/new');
    await fillForm(page, { ...ETH, amount: '123456.123456789012345678' });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await expect(sendButton(page)).toBeVisible();
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});
