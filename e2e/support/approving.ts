import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright/test';
import { ETH, expect, type Fields, openReview, OPERATION, stateOf } from './withdrawing.ts';

/** A payment to a new address, so that payments of different tests don't look alike. */
export function payment(amount: string): Fields {
  return { ...ETH, amount, address: `0x${randomBytes(20).toString('hex')}` };
}

export function submitButton(page: Page) {
  return page.getByRole('button', { name: 'Submit for approval' });
}

/** Prepares a payment; returns the path of its page. */
export async function submit(page: Page, fields: Fields): Promise<string> {
  await openReview(page, fields);
  await expect(page.getByText(/^Needs \d approvals?: /)).toBeVisible();
  await submitButton(page).click();
  await expect(page).toHaveURL(OPERATION);
  await expect(stateOf(page)).toContainText('Waiting for approval');
  return new URL(page.url()).pathname;
}

/** Chooses in the rules how many approvals every payment needs. */
export async function chooseApprovals(page: Page, approvals: string) {
  await page.goto('/policy');
  await page.getByRole('button', { name: 'Change rules' }).click();
  await expect(page.getByRole('heading', { name: 'New rules' })).toBeFocused();
  await page.getByLabel('Every payment').click();
  await page.getByRole('option', { name: approvals, exact: true }).click();
}

export async function saveRules(page: Page) {
  await page.getByRole('button', { name: 'Sign and save' }).click();
}

export function approveButton(page: Page) {
  return page.getByRole('button', { name: 'Approve and send' });
}

/** The row of a payment in a section of the approvals. */
export function rowIn(page: Page, section: string, fields: Fields) {
  return page
    .getByRole('region', { name: section })
    .getByRole('row')
    .filter({ hasText: `${fields.amount} ETH` });
}
