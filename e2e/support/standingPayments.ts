import type { Page } from 'playwright/test';
import { BTC, expect } from './withdrawing.ts';

const DAY_MS = 86_400_000;
/** The fixed time of the tests, so that none runs across midnight. */
const NOON = new Date().setUTCHours(12, 0, 0, 0);

/** Sets the page's clock to noon, `days` days from today. */
export async function setDay(page: Page, days = 0) {
  await page.clock.setFixedTime(NOON + days * DAY_MS);
}

/** The day `days` days from today: "2026-11-30". */
export function dayFromNow(days = 0): string {
  return new Date(NOON + days * DAY_MS).toISOString().slice(0, 10);
}

export async function fillStanding(page: Page, name: string) {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Asset', { exact: true }).fill(BTC.asset);
  await page.getByLabel('Chain', { exact: true }).fill(BTC.chain);
  await page.getByLabel('Address', { exact: true }).fill(BTC.address);
  await page.getByLabel('Amount', { exact: true }).fill(BTC.amount);
}

export async function saveStanding(page: Page) {
  await page.getByRole('button', { name: 'Save standing payment' }).click();
  await expect(page.getByRole('button', { name: 'Save standing payment' })).toHaveCount(0);
}

/** Saves BTC's payment as a weekly standing payment, from today. */
export async function addStanding(page: Page, name: string) {
  await page.goto('/standing-payments');
  await page.getByRole('button', { name: 'New standing payment' }).click();
  await fillStanding(page, name);
  await page.getByLabel('Repeats').click();
  await page.getByRole('option', { name: /^Every (?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day$/ }).click();
  await saveStanding(page);
}

export function standingRow(page: Page, name: string) {
  return page.getByRole('table', { name: 'Standing payments' }).getByRole('row').filter({ hasText: name });
}

/** The group Due of Home. */
export function due(page: Page) {
  return page.getByRole('region', { name: 'Due', exact: true });
}

export async function openHome(page: Page) {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Needs attention' }).getByRole('status').last()).toContainText(
    /Checked|attention/,
  );
}

/** Goes to Home within the app, so that running requests of the page aren't cancelled. */
export async function goHome(page: Page) {
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
}
