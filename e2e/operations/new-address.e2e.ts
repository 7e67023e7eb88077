import type { Page } from 'playwright/test';
import { qrPath } from '#src/web/ui/Qr.tsx';
import { tabTo } from '#e2e/support/keyboard.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { expectSentAs, previewOf } from '#e2e/support/starting.ts';
import { BTC, ETH, expect, expectAccepted, postsOf, resend, stateOf, test } from '#e2e/support/withdrawing.ts';

function createButton(page: Page) {
  return page.getByRole('button', { name: 'Create deposit address' });
}

function field(page: Page, label: 'Asset' | 'Chain') {
  return page.getByLabel(label, { exact: true });
}

async function fill(page: Page, asset = 'USDT', chain = 'tron') {
  await page.goto('/deposits/new-address');
  await field(page, 'Asset').fill(asset);
  await field(page, 'Chain').fill(chain);
}

/** The address in the service's response. */
function card(page: Page) {
  return page.getByRole('region', { name: 'Deposit address' });
}

/** Changes the next response to a request for an address. */
function change(account: Account, patch: Record<string, unknown>) {
  return account.fault({ method: 'POST', path: '/v1/deposits', patch });
}

test('asset and then chain are chosen, and the request is sent once, as previewed @deep', async ({ page, account }) => {
  await page.goto('/deposits');
  await page.getByRole('link', { name: 'New deposit address' }).click();
  await expect(field(page, 'Asset')).toBeFocused();
  await expect(field(page, 'Asset')).toHaveValue('');
  await expect(field(page, 'Chain')).not.toBeEditable();
  await createButton(page).click();
  await expect(field(page, 'Asset')).toHaveAccessibleDescription(/Enter an asset/);
  await field(page, 'Asset').fill('USDT');
  await expect(field(page, 'Chain')).toHaveValue('');
  await createButton(page).click();
  await expect(field(page, 'Chain')).toHaveAccessibleDescription(/Enter a chain/);
  await expectClean(page, 'the form with faults');
  // As shown in the option.
  await field(page, 'Chain').fill('Tron');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Chain')).toHaveValue('tron');
  const preview = await previewOf(page);
  expect(preview).toContain('{"asset":"USDT","chain":"tron"}');
  await createButton(page).dblclick();
  await expectAccepted(page);
  await expectSentAs(account, preview);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('another asset asks for its chain again @deep', async ({ page }) => {
  await fill(page);
  await field(page, 'Asset').fill('ETH');
  await expect(field(page, 'Chain')).toHaveValue('');
  await expect(field(page, 'Chain')).toHaveAccessibleDescription(/The asset changed, so choose its chain again/);
});

test('the address is shown with its QR code and a warning, and copied together with its chain', async ({
  page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await change(account, { address: BTC.address });
  await fill(page, 'BTC', 'bitcoin');
  await createButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Deposit address, BTC on Bitcoin' })).toBeVisible();
  const code = card(page).getByRole('img', { name: `QR code of ${BTC.address}` });
  await expect(code.locator('path')).toHaveAttribute('d', qrPath(BTC.address).path);
  await expect(card(page)).toContainText('Only send BTC on Bitcoin to this address.');
  await expect(card(page)).toContainText('Valid Bitcoin address.');
  await expect(stateOf(page)).toContainText('Deposit address created.');
  await card(page).getByRole('button', { name: 'Copy address and chain' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(`Only send BTC on Bitcoin to this address:\n${BTC.address}`);
  await expect(stateOf(page)).toContainText('"object": "deposit_address"');
  await expectClean(page, 'the address');
});

test('the label typed with the request is saved for the address, for colleagues, too @deep', async ({
  page,
  colleague,
}) => {
  await fill(page);
  await page.getByLabel('Label, customer or order').fill('Acme, order 4711');
  await createButton(page).click();
  await expectAccepted(page);
  await page.getByRole('link', { name: 'View address' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Acme, order 4711' })).toBeVisible();
  const other = await colleague();
  await other.goto('/addresses');
  await expect(other.getByRole('button', { name: 'Acme, order 4711' })).toBeVisible();
});

test('after a lost response, resending returns the same address, and there is only one @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await account.fault({ method: 'POST', path: '/v1/deposits', when: 'after', drop: true });
  await fill(page);
  await createButton(page).click();
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  await expect(card(page).getByRole('img')).toBeVisible();
  const posts = await postsOf(account);
  expect(posts).toHaveLength(2);
  expect(posts.at(-1)?.replayed).toBe(true);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(1);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('a refused request is edited as a new one, with a new key @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/400/);
  await fill(page, 'BTC', 'tron');
  await createButton(page).click();
  await expect(stateOf(page)).toContainText('Refused');
  await page.getByRole('button', { name: 'Edit as a new deposit address' }).click();
  await expect(field(page, 'Asset')).toHaveValue('BTC');
  await expect(field(page, 'Chain')).toHaveValue('tron');
  await field(page, 'Chain').fill('bitcoin');
  await createButton(page).click();
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts.map(({ status }) => status)).toEqual([400, 201]);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(2);
});

test('an address that is invalid on the chain gets no QR code and can’t be copied @deep', async ({ page, account }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  for (const [patch, said] of [
    [{ address: '<script>alert(1)</script>' }, 'Do not give this to a payer.'],
    [{ address: `${BTC.address}\u202E` }, 'It contains an invisible character (U+202E).'],
    [{ address: ETH.address }, 'This is an address of Ethereum'],
    [{ address: 'x'.repeat(20_000) }, 'This is longer than any address.'],
    [{ address: null }, 'The response names no address.'],
    [{ address: ETH.address, chain: 'ethereum' }, 'The response is for something else.'],
  ] as const) {
    await change(account, patch);
    // By then, the same asset and chain needs no confirmation.
    await account.advance(11 * 60);
    await fill(page, 'BTC', 'bitcoin');
    await createButton(page).click();
    await expectAccepted(page);
    await expect(stateOf(page)).toContainText(said);
    await expect(stateOf(page).getByRole('img')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Copy address and chain' })).toHaveCount(0);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

test('Enter in a field with suggestions never creates an address @deep', async ({ page, account }) => {
  await page.goto('/deposits/new-address');
  // The suggestions' library is loaded when the list is there.
  await field(page, 'Asset').click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await field(page, 'Asset').fill('usd');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await field(page, 'Chain').click();
  // After the full text, no suggestion is left.
  await page.keyboard.type('tron');
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await field(page, 'Asset').press('Enter');
  await createButton(page).click();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('an address is created by keyboard alone @deep', async ({ page, account }) => {
  await page.goto('/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'New deposit address' }).first());
  await page.keyboard.press('Enter');
  await expect(field(page, 'Asset')).toBeFocused();
  await page.keyboard.type('USDT');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Chain')).toBeFocused();
  await page.keyboard.type('tron');
  await tabTo(page, createButton(page));
  await page.keyboard.press('Enter');
  await expectAccepted(page);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('a read-only session cannot create addresses @deep', { tag: '@read-only' }, async ({ page }) => {
  await page.goto('/deposits');
  await expect(page.getByRole('main').getByText('This dashboard is read-only.').first()).toBeVisible();
  await expect(page.getByRole('link', { name: /New deposit address|New charge|Webhook replay/ })).toHaveCount(0);
  for (const path of ['/deposits/new-address', '/charges/new', '/webhook-deliveries/replay']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText('This dashboard is read-only.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  }
});
