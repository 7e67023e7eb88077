import type { Page } from 'playwright/test';
import { ETH, expect } from './withdrawing.ts';

/** Starts and ends like ETH's address, and has a valid checksum. */
export const LOOK_ALIKE = `0x5aae${'1234567890abcdef'.repeat(2)}eaed`;

export const BLOCKED = 'Blocked: this imitates an address that is known here';

/** In ms; after this time the page has polled for colleagues' changes. */
export const LOOKED_AGAIN = 20_000;

/** An address that was never used. */
export const STRANGER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';

/** Adds a recipient by the form, opening it if necessary. */
export async function addByHand(page: Page, name: string, chain = ETH.chain, address = ETH.address) {
  await page.getByRole('button', { name: 'New recipient' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Chain', { exact: true }).fill(chain);
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Save recipient' }).click();
}

/** The rows of saved recipients. */
export function entries(page: Page) {
  return page.getByRole('table', { name: 'Recipients' }).locator('tbody tr');
}

/** Opens the recipients and adds one with ETH's address. */
export async function openBookWith(page: Page, name: string) {
  await page.goto('/recipients');
  await addByHand(page, name);
  await expect(entries(page)).toHaveCount(1);
}
