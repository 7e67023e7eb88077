import type { Page } from 'playwright/test';
import { ETH, expect } from './withdrawing.ts';

/** Begins and ends like ETH's address, and passes the check of its chain. */
export const LOOK_ALIKE = `0x5aae${'1234567890abcdef'.repeat(2)}eaed`;

export const BLOCKED = 'Blocked: this imitates an address that is known here';

/** After so many milliseconds what colleagues changed has been asked for. */
export const LOOKED_AGAIN = 20_000;

/** Another address that nobody knows. */
export const STRANGER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';

/** Adds an address by the form of the recipients, which is on screen or opened. */
export async function addByHand(page: Page, name: string, chain = ETH.chain, address = ETH.address) {
  await page.getByRole('button', { name: 'New recipient' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Chain', { exact: true }).fill(chain);
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Save recipient' }).click();
}

/** The saved recipients on screen. */
export function entries(page: Page) {
  return page.getByRole('table', { name: 'Recipients' }).locator('tbody tr');
}

/** The recipients with one entry, ETH's address, in it. */
export async function openBookWith(page: Page, name: string) {
  await page.goto('/recipients');
  await addByHand(page, name);
  await expect(entries(page)).toHaveCount(1);
}
