import type { Page } from 'playwright/test';

const menu = (page: Page) => page.getByRole('dialog', { name: 'Account', exact: true });

/** Opens the account menu, presses one of its buttons, and closes the menu. */
export async function inAccountMenu(page: Page, name: string) {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await menu(page).getByRole('button', { name, exact: true }).click();
  if (await menu(page).isVisible()) await page.keyboard.press('Escape');
}
