import type { Page } from 'playwright/test';
import { tabTo } from './keyboard.ts';
import { LOOKS, expectClean, expectSentAs, previewOf } from './starting.ts';
import { expect, expectAccepted, test } from './withdrawing.ts';

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

test('asset, then chain, chosen one by one; the request is made once, as previewed', async ({ page, account }) => {
  await page.goto('/deposits');
  await page.getByRole('link', { name: 'New deposit address' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New deposit address' })).toBeFocused();
  await expect(field(page, 'Asset')).toHaveValue('');
  await expect(field(page, 'Chain')).not.toBeEditable();
  await createButton(page).click();
  await expect(field(page, 'Asset')).toHaveAccessibleDescription(/Enter an asset/);
  await field(page, 'Asset').fill('USDT');
  await expect(field(page, 'Chain')).toHaveValue('');
  await createButton(page).click();
  await expect(field(page, 'Chain')).toHaveAccessibleDescription(/Enter a chain/);
  await field(page, 'Chain').fill('tron');
  const preview = await previewOf(page);
  expect(preview).toContain('{"asset":"USDT","chain":"tron"}');
  await createButton(page).dblclick();
  await expectAccepted(page);
  await expectSentAs(account, preview);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('another asset asks for its chain again', async ({ page }) => {
  await fill(page);
  await field(page, 'Asset').fill('ETH');
  await expect(field(page, 'Chain')).toHaveValue('');
  await expect(field(page, 'Chain')).toHaveAccessibleDescription(/The asset changed, so choose its chain again/);
});

test('an address by keyboard alone', async ({ page, account }) => {
  await page.goto('/deposits');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'New deposit address' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New deposit address' })).toBeFocused();
  await tabTo(page, field(page, 'Asset'));
  await page.keyboard.type('USDT');
  await page.keyboard.press('Tab');
  await expect(field(page, 'Chain')).toBeFocused();
  await page.keyboard.type('tron');
  await page.keyboard.press('Enter');
  await expectAccepted(page);
  expect((await account.ledger()).executed.deposit_addresses).toBe(1);
});

test('a session that may only read is offered none of it', { tag: '@read-only' }, async ({ page }) => {
  await page.goto('/deposits');
  await expect(page.getByText('Read only: no new addresses from here.')).toBeVisible();
  await expect(page.getByRole('link', { name: /New deposit address|New charge|Webhook replay/ })).toHaveCount(0);
  for (const path of ['/deposits/new-address', '/charges/new', '/webhook-deliveries/replay']) {
    await page.goto(path);
    await expect(page.getByText('This session is read-only.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  }
});

for (const look of LOOKS) {
  test.describe(`${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test('the form is clean, with errors and without', async ({ page }) => {
      await page.goto('/deposits/new-address');
      await createButton(page).click();
      await expect(field(page, 'Asset')).toHaveAttribute('aria-invalid', 'true');
      await expectClean(page);
      await fill(page);
      await expectClean(page);
    });
  });
}
