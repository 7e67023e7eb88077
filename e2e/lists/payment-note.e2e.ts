import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { LOOKED_AGAIN } from '#e2e/support/recipients.ts';
import { expectAccepted, fillForm, sendButton } from '#e2e/support/withdrawing.ts';

test.use({ seed: { deposits: 0, assets: 7 } });

function note(page: Page) {
  return page.getByRole('region', { name: 'Reference and note' });
}

test('a note on a payment is shown to colleagues with author and time, and is not overwritten without warning @deep', async ({
  page,
  account,
  colleague,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1' });
  const ben = await colleague('Ben');
  await ben.clock.install();
  for (const who of [page, ben]) await who.goto(`/deposits/${id}`);
  await note(page).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(ben).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(ben).getByLabel('Reference').fill('INV-7');
  await note(ben).getByLabel('Note').fill('Second half\nof <b>two</b>');
  await note(ben).getByRole('button', { name: 'Save' }).click();
  await expect(note(ben)).toContainText('INV-7');
  await expect(note(ben)).toContainText('of <b>two</b>');
  await expect(note(ben)).toContainText('Written by Ben');

  await note(page).getByLabel('Reference').fill('ORDER-9');
  await expectClean(page, 'a note being written');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page)).toContainText('A colleague changed this meanwhile.');
  await expect(note(page)).toContainText('Now: INV-7');
  await note(page).getByLabel('Reference').fill('INV-7 / ORDER-9');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page)).toContainText('INV-7 / ORDER-9');
  await expectClean(page, 'a note');
  await ben.clock.runFor(LOOKED_AGAIN);
  await expect(note(ben)).toContainText('INV-7 / ORDER-9');

  await note(page).getByRole('button', { name: 'Edit' }).click();
  await note(page).getByLabel('Reference').fill('');
  await page.reload();
  await expect(note(page).getByLabel('Reference')).toHaveValue('');
  // The colleague's change to the other field is included.
  await expect(note(page).getByLabel('Note')).toHaveValue(/of <b>two<\/b>/);
  await note(page).getByLabel('Note').fill('');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();
  await page.reload();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();

  // An unsaved text is kept until the person comes back.
  await note(page).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(page).getByLabel('Note').fill('Being looked at');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/deposits');
  await page.goBack();
  await expect(note(page).getByLabel('Note')).toHaveValue('Being looked at');
  await note(page).getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();
});

test('a draft is kept in both forms of its payment, and shows what a colleague saved meanwhile @deep', async ({
  page,
  account,
  colleague,
  expectConsole,
}) => {
  expectConsole(/409/);
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1' });
  await page.goto(`/deposits/${id}/case-file`);
  await note(page)
    .getByRole('button', { name: /^Add what the customer says/ })
    .click();
  await note(page).getByLabel('Customer says').fill('I paid on Monday');
  await page.getByRole('link', { name: 'Back to the deposit' }).click();
  // That form has no such field.
  await note(page).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(page).getByLabel('Reference').fill('ORDER-9');
  await note(page).getByRole('button', { name: 'Cancel' }).click();

  const ben = await colleague('Ben');
  await ben.goto(`/deposits/${id}`);
  await note(ben).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(ben).getByLabel('Note').fill('Refunded, do not pay again');
  await note(ben).getByRole('button', { name: 'Save' }).click();
  await expect(note(ben)).toContainText('Written by Ben');

  await page.goto(`/deposits/${id}/case-file`);
  await expect(note(page).getByLabel('Customer says')).toHaveValue('I paid on Monday');
  await expect(note(page)).toContainText('A colleague changed this meanwhile.');
  await expect(note(page)).toContainText('Now: Refunded, do not pay again');
  await note(page).getByRole('button', { name: 'Save' }).click();
  // Wait until it is saved: the text area has the same text before.
  await expect(note(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(note(page)).toContainText(/I paid on Monday.*Refunded, do not pay again/);
  await page.reload();
  await note(page).getByRole('button', { name: 'Edit' }).click();
  await note(page).getByLabel('Customer says').fill('I paid on Tuesday');

  // A field left unchanged takes the colleague's text, even if it had another before.
  await ben.reload();
  await note(ben).getByRole('button', { name: 'Edit' }).click();
  await note(ben).getByLabel('Note').fill('Refunded on Friday');
  await note(ben).getByRole('button', { name: 'Save' }).click();
  await expect(note(ben).getByRole('button', { name: 'Edit' })).toBeVisible();
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page)).toContainText('Now: I paid on Monday · Refunded on Friday');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(note(page)).toContainText(/I paid on Tuesday.*Refunded on Friday/);
});

test('the list of deposits shows a reference as soon as it is saved @deep', async ({ page, account }) => {
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1' });
  await page.goto(`/deposits/${id}`);
  await note(page).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(page).getByLabel('Reference').fill('order 4711');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Deposits' }).getByRole('cell', { name: 'order 4711' })).toBeVisible();
});

test('a reference given when sending is the payment’s, in its list as well @deep', async ({ page }) => {
  await page.goto('/withdrawals/new');
  await fillForm(page);
  await page.getByLabel('Reference').fill('PO-4711');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  await page.goto('/withdrawals');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByLabel('Reference and note').check();
  await page.keyboard.press('Escape');
  const rows = page.getByRole('table', { name: 'Withdrawals' }).getByRole('row');
  await expect(rows.filter({ hasText: 'PO-4711' })).toHaveCount(1);
});

test('a draft is not opened for the next API key that is signed in on the tab @deep', async ({
  page,
  context,
  account,
  signIn,
}) => {
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '1' });
  await page.goto(`/deposits/${id}`);
  await note(page).getByRole('button', { name: 'Add a reference or note' }).click();
  await note(page).getByLabel('Note').fill('For my team only');
  await signIn(context, await account.newKey());
  await page.reload();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();
  await expect(note(page).getByLabel('Note')).toHaveCount(0);
});
