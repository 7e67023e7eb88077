import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

const HOUR = 3600;
const reply = (page: Page) => page.getByRole('dialog', { name: 'Reply to the customer' });
const text = (page: Page) => reply(page).getByRole('textbox', { name: 'Text' });
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const panel = (page: Page) => page.getByRole('region', { name: 'Deposit' });

test('a deposit stuck for 26 hours is answered as stuck, with the reply edited and copied by keys @deep', async ({
  page,
  context,
  account,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const now = Math.floor(Date.now() / 1000);
  const waiting = { asset: 'USDT', chain: 'ethereum', amount: '77.7', status: 'pending', created_at: now - 26 * HOUR };
  const { id } = await account.deposit(waiting);
  await page.goto(`/deposits/${id}`);
  await expect(panel(page).getByRole('button', { name: 'Reply' })).toBeVisible();
  await page.keyboard.press('r');
  await expect(text(page)).toHaveValue(/Your payment of 77\.7 USDT on Ethereum reached us on .* UTC and is being/);
  await expect(text(page)).toHaveValue(/It is taking longer than it should \(.*now 26 hours\)/);
  await expect(text(page)).not.toHaveValue(/nothing you need to do/);
  await expectClean(page, 'a reply', [320, 1440]);
  await expect(reply(page).getByRole('button', { name: 'Copy' })).toBeFocused();
  await text(page).fill('We are on it.');
  await reply(page).getByRole('button', { name: 'Copy' }).press('Enter');
  await expect(reply(page)).toBeHidden();
  expect(await copied(page)).toBe('We are on it.');
  await expect(panel(page).getByRole('button', { name: 'Reply' })).toBeFocused();

  await page.keyboard.press('l');
  await expect.poll(() => copied(page)).toContain(`/deposits/${id}`);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Reply about the open payment');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeHidden();
  await page.keyboard.press('o');
  await expect(page).toHaveURL(`/deposits/${id}/case-file`);
  await expect(page.getByRole('heading', { level: 1, name: 'Case file of a deposit' })).toBeVisible();
  // Disabled until the deposit is loaded.
  await expect(page.getByRole('button', { name: 'Reply' })).toBeEnabled();
  await page.keyboard.press('r');
  await expect(text(page)).toHaveValue(/It is taking longer than it should/);
});

const HASH = `0x${'9b1c'.repeat(16)}`;

/** Opens the search with a customer's text. */
async function searchFor(page: Page, mail: string) {
  await page.goto('/balances');
  await page.getByRole('button', { name: 'Search payments, addresses, hashes' }).filter({ visible: true }).click();
  await page.getByRole('combobox', { name: 'Search payments, addresses, hashes' }).fill(mail);
}

test('order and hash of the mail that was searched for are saved with the payment in one click, and named in the reply @deep', async ({
  page,
  account,
}) => {
  const paid = { asset: 'ETH', chain: 'ethereum', amount: '0.6', status: 'pending' };
  const { id } = await account.deposit(paid);
  const mail = `I paid 0.6 ETH for order 4711, hash ${HASH}`;
  await searchFor(page, mail);
  const found = page.getByRole('dialog', { name: 'Search' }).getByRole('option').first();
  await expect(found).toHaveAttribute('aria-selected', 'true');
  await expect(found).toHaveAttribute('href', `/deposits/${id}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/deposits/${id}`);
  await expect(panel(page).getByRole('button', { name: 'Reply' })).toBeVisible();
  await page.keyboard.press('r');
  await expect(text(page)).toHaveValue(/We’ll credit order 4711 as soon as it is\./);
  await page.keyboard.press('Escape');
  await expect(reply(page)).toBeHidden();
  await page.getByRole('button', { name: 'Save as case: order 4711, hash 0x9b1c' }).click();
  const note = panel(page).getByRole('region', { name: 'Reference and note' });
  await expect(note).toContainText('order 4711');
  await expect(note).toContainText(HASH);
  await expect(panel(page).getByRole('button', { name: /^Save as case/ })).toHaveCount(0);
  await page.goto(`/deposits/${id}`);
  await panel(page).getByRole('button', { name: 'Reply' }).click();
  await expect(text(page)).toHaveValue(/We’ll credit order 4711 as soon as it is\./);
});

test('a search that finds no payment, or two, has a reply that says so @deep', async ({ page, context, account }) => {
  test.setTimeout(60_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const paid = { asset: 'USDT', chain: 'tron', amount: '250' };
  await account.deposit(paid);
  await account.deposit(paid);
  await account.deposit({ asset: 'ETH', chain: 'ethereum', amount: '0.1' });
  const search = page.getByRole('dialog', { name: 'Search' });
  await searchFor(page, 'I paid 250 USDT, order 4711');
  await search.getByRole('button', { name: 'Reply' }).click();
  await expect(text(page)).toHaveValue(/We see two payments of 250 USDT/);
  await page.keyboard.press('Escape');
  await expect(reply(page)).toBeHidden();
  await page.getByRole('combobox', { name: 'Search payments, addresses, hashes' }).fill('I paid 0.6 ETH on 24 Nov');
  await search.getByRole('button', { name: 'Reply' }).click();
  await expect(text(page)).toHaveValue(/We can’t find a payment of 0\.6 ETH on 24 November/);
  await expectClean(page, 'a reply over the search', [320, 1440]);
  await reply(page).getByRole('button', { name: 'Copy' }).press('Enter');
  await expect(reply(page)).toBeHidden();
  await expect(search).toBeVisible();
  expect(await copied(page)).toContain('We can’t find a payment');
});

test('a reply that is closed as the next text is typed stays closed @deep', async ({ page, account }) => {
  const paid = { asset: 'USDT', chain: 'tron', amount: '250' };
  await account.deposit(paid);
  await account.deposit(paid);
  const search = page.getByRole('dialog', { name: 'Search' });
  await searchFor(page, 'I paid 250 USDT');
  await search.getByRole('button', { name: 'Reply' }).click();
  await expect(text(page)).toHaveValue(/We see two payments of 250 USDT/);
  // A dialog's close event is late: on a slow machine it comes after the text.
  await page.getByRole('combobox', { includeHidden: true }).evaluate((field: HTMLInputElement) => {
    document.querySelector<HTMLDialogElement>('dialog dialog')?.close();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'I paid 3 USDT on 24 Nov');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await search.getByRole('button', { name: 'Reply' }).click();
  await expect(text(page)).toHaveValue(/We can’t find a payment of 3 USDT on 24 November/);
});
