import type { Page } from 'playwright/test';
import { DEEP } from '#src/tests/depth.ts';
import { BTC, ETH, expect, fillForm, postsOf, test } from '#e2e/support/withdrawing.ts';

async function refuse(page: Page, label: string, text: string, reason: RegExp) {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(text);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(reason);
  await expect(field).toHaveValue(text);
  await expect(page.getByRole('heading', { level: 1, name: 'New withdrawal' })).toBeVisible();
}

const NOT_AMOUNTS: [string, RegExp][] = [
  ['1e-8', /without an exponent/],
  ['0x10', /hexadecimal/],
  ['1_000', /marks between thousands/],
  ['+1', /plus sign/],
  ['.5', /0 before the point/],
  ['NaN', /only digits/],
  ['Infinity', /only digits/],
  ['-0', /minus sign/],
  ['１２', /digits 0 to 9/],
  ['1 000', /space/],
  ['0', /more than zero/],
];

test('an invalid amount is refused at the field with the reason @deep', async ({ page, account }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page);
  for (const [text, reason] of DEEP ? NOT_AMOUNTS : NOT_AMOUNTS.slice(0, 3)) await refuse(page, 'Amount', text, reason);
  expect(await postsOf(account)).toEqual([]);
});

test('an ambiguous pasted amount is not guessed @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page);
  await refuse(page, 'Amount', '1,250', /Is 1,250 one thousand two hundred fifty\? Type 1250, or 1\.250/);
  await refuse(page, 'Amount', '1.000,50', /nothing between thousands, and a point before the decimals/);
  await refuse(page, 'Amount', '1.000.000', /points there for thousands\?/);
  await refuse(page, 'Amount', '1\u00A0000', /space/);
  await refuse(page, 'Amount', '1\u202F000', /space/);
});

test('an address of another chain, a transaction hash and a wrong checksum are each named @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page);
  await refuse(page, 'Destination address', ETH.address, /Ethereum/);
  await refuse(page, 'Destination address', 'ab'.repeat(32), /transaction/i);
  await refuse(page, 'Destination address', BTC.address.replace('t4', 't5'), /checksum|does not add up|mistyped/i);
  await fillForm(page, ETH);
  await refuse(page, 'Destination address', ETH.address.replace('aA', 'Aa'), /checksum|case|capital/i);
  await refuse(page, 'Destination address', BTC.address, /Bitcoin/);
});

test('an unknown chain is allowed with a warning @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...BTC, chain: 'newchain', address: 'new1qqqq' });
  await page.getByLabel('Amount', { exact: true }).focus();
  await expect(page.getByText('Unknown chain')).toBeVisible();
  await expect(page.getByText('We can’t check addresses on this chain. Compare it with the invoice.')).toBeVisible();
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
});

test('a payment link is shown in its parts, and nothing is filled in silently @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page);
  const link = `bitcoin:${BTC.address}?amount=3&label=Rent`;
  await refuse(page, 'Destination address', link, /payment link, not an address/);
  const parts = page.getByText('The pasted text is a payment link.').locator('xpath=../..');
  await expect(parts).toContainText('Rent');
  await expect(parts).toContainText(BTC.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(BTC.amount);
  await page.getByRole('button', { name: 'Use address and amount' }).click();
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue(BTC.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('3');
  await refuse(page, 'Destination address', `${link}&amount=4`, /more than one amount/);
  await refuse(page, 'Destination address', `${BTC.address} please`, /Paste only the address/);
});

test('a link with a tag, of another chain or to a token says so, and its address never goes without its chain @deep', async ({
  page,
  context,
}) => {
  const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/withdrawals/new');
  await fillForm(page, { ...ETH, chain: 'polygon' });
  const chain = page.getByLabel('Chain', { exact: true });
  const address = page.getByLabel('Destination address', { exact: true });
  await refuse(page, 'Destination address', `${XRP}?dt=23`, /destination tag “23”\. Withdrawals here can’t carry it/);
  await expect(page.getByText('It holds:')).toBeHidden();
  await refuse(page, 'Destination address', `eth:${ETH.address}`, /for Ethereum, and the chain here is Polygon/);
  await page.getByRole('button', { name: 'Use the address on Ethereum' }).click();
  await expect(chain).toHaveValue('ethereum');
  await expect(address).toHaveValue(ETH.address);
  await expect(address).not.toHaveAttribute('aria-invalid', 'true');
  const contract = '0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7';
  const toToken = `ethereum:${contract}/transfer?address=${ETH.address}&uint256=1`;
  await refuse(page, 'Destination address', toToken, /payment link, not an address/);
  const parts = page.getByText('The pasted text is a payment link.').locator('xpath=../..');
  await expect(parts).toContainText(`Pays to${ETH.address}`);
  await expect(parts).toContainText(`Token${contract}`);
  // A link pasted as a recipient that can't be used isn't dropped silently either.
  await page.getByRole('combobox', { name: 'Recipient' }).focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), `ripple:${XRP}?dt=23`);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(address).toHaveValue(`ripple:${XRP}?dt=23`);
  await expect(address).toHaveAccessibleDescription(/destination tag “23”/);
});
