import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { LOOKED_AGAIN } from '#e2e/support/recipients.ts';

function note(page: Page) {
  return page.getByRole('region', { name: 'Reference and note' });
}

test('what one writes on a payment the others read, with who and when, and nobody overwrites it unseen', async ({
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
  // What a colleague wrote in the other field has come along.
  await expect(note(page).getByLabel('Note')).toHaveValue(/of <b>two<\/b>/);
  await note(page).getByLabel('Note').fill('');
  await note(page).getByRole('button', { name: 'Save' }).click();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();
  await page.reload();
  await expect(note(page).getByRole('button', { name: 'Add a reference or note' })).toBeVisible();
});
