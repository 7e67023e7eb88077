import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { tabTo } from '#e2e/support/keyboard.ts';
import { BLOCKED, LOOKED_AGAIN, LOOK_ALIKE, STRANGER, entries, openBookWith } from '#e2e/support/recipients.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  expectLedger,
  fillForm,
  openReview,
  postsOf,
  review,
  sendButton,
  sendNew,
  test,
} from '#e2e/support/withdrawing.ts';

/** A message at the field, which is also announced. */
function blocked(page: Page) {
  return page.getByRole('main').getByText(BLOCKED);
}

const FIRST = 'First payment to this address';

test('one of our own deposit addresses gives a warning that names it @deep', async ({ page, account }) => {
  await page.goto('/deposits/new-address');
  await page.getByLabel('Asset', { exact: true }).fill('ETH');
  await page.getByLabel('Chain', { exact: true }).fill('ethereum');
  await page.getByRole('button', { name: 'Create deposit address' }).click();
  await expectAccepted(page);
  const address = await page.getByRole('region', { name: 'Deposit address' }).locator('bdi.chunks').innerText();
  await page.goto('/withdrawals/new');
  // The same address in another spelling.
  await fillForm(page, { ...ETH, address: address.toLowerCase() });
  await expect(page.getByText('This is your own deposit address, created here')).toBeVisible();
  await review(page, { ...ETH, address });
  await expect(page.getByText('This is your own deposit address, created here')).toBeVisible();
  await sendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('a token contract gives a warning in the form, at review and among the recipients @deep', async ({ page }) => {
  const contract = { ...ETH, address: '0xdAC17F958D2ee523a2206206994597C13D831ec7' };
  const warning = page.getByText('This is the contract of the USDT token on Ethereum, not a wallet.');
  await page.goto('/withdrawals/new');
  await fillForm(page, contract);
  await expect(warning).toBeVisible();
  await review(page, contract);
  await expect(warning).toBeVisible();
  await page.goto('/recipients');
  await page.getByRole('button', { name: 'New recipient' }).click();
  await page.getByLabel('Chain', { exact: true }).fill('ethereum');
  await page.getByLabel('Address', { exact: true }).fill(contract.address);
  await expect(warning).toBeVisible();
  await expectClean(page, 'a recipient that is a contract');
});

test('a first payment to an address is announced with what was searched, and the second is not @deep', async ({
  page,
  account,
}) => {
  await withdrawByApi(account, { ...BTC, amount: '1' });
  await page.goto('/withdrawals/new');
  await fillForm(page, ETH);
  await expect(page.getByText(FIRST)).toBeVisible();
  await expect(page.getByText('1 past withdrawal checked')).toBeVisible();
  await review(page, ETH);
  await expect(page.getByText(FIRST)).toBeVisible();
  await sendButton(page).click();
  await expectAccepted(page);
  await account.advance(2 * 86_400);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, address: ETH.address.toLowerCase() });
  await expect(page.getByText(/^Last (paid|payment) 2 days ago: 1\.5\sETH, /)).toBeVisible();
  await expect(page.getByText(FIRST)).toHaveCount(0);
  await fillForm(page, BTC);
  await expect(page.getByText(/^Last (paid|payment) 2 days ago: 1\sBTC, /)).toBeVisible();
});

test('a look-alike of a paid address is blocked, with the difference shown, until it is compared and saved', async ({
  page,
  account,
}) => {
  await withdrawByApi(account, ETH);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, address: LOOK_ALIKE });
  const address = page.getByLabel('Destination address', { exact: true });
  await expect(address).toHaveAccessibleDescription(new RegExp(BLOCKED));
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New withdrawal' })).toBeVisible();
  const shown = page.getByRole('definition');
  await expect(shown.filter({ hasText: LOOK_ALIKE })).toBeVisible();
  await expect(shown.filter({ hasText: ETH.address })).toBeVisible();
  // Nine of the eleven groups differ; 0x5a and the last two characters are the same.
  await expect(shown.filter({ hasText: LOOK_ALIKE }).locator('mark')).toHaveCount(9);
  await expect(page.getByText('Characters 7 to 38 differ.')).toBeVisible();
  await expectClean(page, 'the form with a blocked address');

  await page.getByRole('link', { name: 'Save it as a new recipient first' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(LOOK_ALIKE);
  await expect(page.getByText('Possible address poisoning.')).toBeVisible();
  const add = page.getByRole('button', { name: 'Save recipient' });
  await add.click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(/Enter a name/);
  await page.getByLabel('Name', { exact: true }).fill('The other Acme');
  await add.click();
  await expect(page.getByText('Compare the addresses first, and say so.')).toBeVisible();
  await expectClean(page, 'the recipients with a look-alike');
  await page.getByLabel(/I compared all 42 characters/).check();
  await add.click();
  await expect(entries(page)).toHaveCount(1);

  await page.getByRole('link', { name: 'Back to the withdrawal' }).click();
  await expect(address).toHaveValue(LOOK_ALIKE);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(ETH.amount);
  await expect(page.getByText('Saved as “The other Acme”.')).toBeVisible();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 2);
});

test('Back from the recipients leads to the unchanged form, which is still blocked @deep', async ({
  page,
  account,
}) => {
  await withdrawByApi(account, ETH);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, address: LOOK_ALIKE });
  await page.getByRole('link', { name: 'Save it as a new recipient first' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Recipients' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(LOOK_ALIKE);
  await expect(blocked(page)).toBeVisible();
  await page.getByRole('button', { name: 'Use the known address' }).click();
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(ETH.address);
  await expect(blocked(page)).toHaveCount(0);
  expect(await postsOf(account)).toHaveLength(1);
});

test('a block appears and disappears with a colleague’s recipients @deep', async ({ page, colleague }) => {
  await openBookWith(page, 'Acme');
  const other = await colleague('Ben');
  await other.clock.install();
  await other.goto('/withdrawals/new');
  await fillForm(other, { ...ETH, address: LOOK_ALIKE });
  await expect(blocked(other)).toBeVisible();
  await expect(other.getByText('Acme', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove Acme' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await other.clock.runFor(LOOKED_AGAIN);
  await expect(blocked(other)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(entries(page)).toHaveCount(1);
  await other.clock.runFor(LOOKED_AGAIN);
  await expect(blocked(other)).toBeVisible();
});

test('an address that becomes known during review blocks there @deep', async ({ page, colleague }) => {
  await page.clock.install();
  await openReview(page, { ...ETH, address: LOOK_ALIKE });
  await openBookWith(await colleague('Ben'), 'Acme');
  await page.clock.runFor(LOOKED_AGAIN);
  await expect(sendButton(page)).toHaveAccessibleDescription(/imitates an address that is known here/);
  await sendButton(page).click({ force: true });
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
});

test('a recipient is picked by name with the keyboard alone @deep', async ({ page, account }) => {
  await openBookWith(page, 'Acme');
  await page.goto('/withdrawals/new');
  await page.getByLabel('Asset', { exact: true }).fill('ETH');
  await page.getByLabel('Amount', { exact: true }).fill('1');
  const recipient = page.getByRole('combobox', { name: 'Recipient' });
  await tabTo(page, recipient);
  await page.keyboard.type('nobody');
  await expect(page.getByRole('paragraph').filter({ hasText: 'No saved recipient matches.' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(recipient).toHaveAttribute('aria-expanded', 'false');
  for (let letters = 0; letters < 6; letters += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('ac');
  await expect(page.getByRole('option', { name: /Acme/ })).toHaveAttribute('aria-selected', 'true');
  await expectClean(page, 'the list of recipients');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Chain', { exact: true })).toHaveValue(ETH.chain);
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(ETH.address);
  await expect(recipient).toHaveValue('Acme');
  await expect(page.getByText('Saved as “Acme”.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Review withdrawal' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeFocused();
  await expect(page.getByRole('definition').filter({ hasText: 'Saved as “Acme”.' })).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
});

test('a recipient’s name is not used for another chain @deep', async ({ page }) => {
  await openBookWith(page, 'Acme');
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, chain: 'polygon' });
  await expect(page.getByText('Known on Ethereum as “Acme”, not on Polygon.')).toBeVisible();
  await expect(page.getByText(FIRST)).toBeVisible();
});

test('after a withdrawal its recipient can be saved @deep', async ({ page }) => {
  await sendNew(page, { ...ETH, address: STRANGER });
  await expectAccepted(page);
  await page.getByRole('link', { name: 'View withdrawal' }).click();
  await page.getByRole('link', { name: 'Save as recipient' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Stranger no more');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(entries(page)).toContainText(['Stranger no more']);
  await page.reload();
  await expect(entries(page)).toContainText(['Stranger no more']);
  await expect(page.getByLabel('Name', { exact: true })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText('to Stranger no more')).toBeVisible();
});

test('the notes say if the service has no list of withdrawals @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await account.fault({ method: 'GET', path: '/v1/withdrawals', status: 404, times: 99 });
  await page.goto('/withdrawals/new');
  await fillForm(page, ETH);
  await expect(page.getByText('the provider lists no withdrawals')).toBeVisible();
  await review(page, ETH);
});
