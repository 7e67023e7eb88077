import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';

const today = new Date();

/** The first second of a month in UTC; 0 is the current month. */
export function monthStart(months: number): number {
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1) / 1000;
}

export const LAST_MONTH = { from: monthStart(-1), to: monthStart(0) };

/** The path of a period's page. */
export function pathOf({ from, to }: { from: number; to: number }): string {
  return `/month-close?created_after=${from - 1}&created_before=${to}`;
}

/** An asset's row in the table. */
export const sumOf = (page: Page, asset: string) =>
  page.getByRole('table', { name: 'Sums by asset' }).getByRole('row', { name: new RegExp(`^${asset}`) });

export const closedRows = (page: Page) => page.getByRole('table', { name: 'Closed periods' }).locator('tbody tr');

/** Downloads the newest closed period; returns its bytes and its files by name. */
export async function download(page: Page) {
  const saved = page.waitForEvent('download');
  await closedRows(page)
    .first()
    .getByRole('button', { name: /^Download/ })
    .click();
  const bytes = await readFile(await (await saved).path());
  const files = Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, text]) => [name, Buffer.from(text).toString('utf8')]),
  );
  return { bytes, files };
}

/** Closes the period on the page and downloads it. */
export async function closePeriod(page: Page) {
  const before = await closedRows(page).count();
  await page.getByRole('button', { name: 'Close period' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Close \w/ })
    .click();
  await expect(closedRows(page)).toHaveCount(before + 1);
  return download(page);
}

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** The cells of a CSV file's lines, without the column names. */
export function linesOf(file: string | undefined): string[][] {
  return (file ?? '')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
}
