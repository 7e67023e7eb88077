import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from 'playwright/test';
import type { Account } from './sandbox.ts';

export const exportDialog = (page: Page, list = 'deposits'): Locator =>
  page.getByRole('dialog', { name: `Export ${list}` });

/** Starts an export of the list on the page. */
export async function startExport(page: Page, { list = 'deposits', format = 'CSV' } = {}): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = exportDialog(page, list);
  await dialog.getByRole('button', { name: format, exact: true }).click();
  await dialog.getByRole('button', { name: 'Start export' }).click();
}

export interface DownloadedFile {
  name: string;
  text: string;
}

/** Clicks the button and waits for its download. */
export async function downloadedBy(page: Page, button: Locator): Promise<DownloadedFile> {
  const saved: Promise<Download> = page.waitForEvent('download');
  await button.click();
  const file = await saved;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** Exports the list on the page, and downloads the file. */
export async function exportedFile(page: Page, of: { list?: string; format?: string } = {}): Promise<DownloadedFile> {
  await startExport(page, of);
  return downloadedBy(page, exportDialog(page, of.list).getByRole('link', { name: 'Download' }));
}

/**
 * Reads like those of an export of deposits, by the server or the test itself: the oldest row, and pages of the largest
 * size.
 */
export async function exportReads(account: Account) {
  const ofServer = (await account.requests()).filter(
    ({ path, attempt }) => path === '/v1/deposits' && attempt === null,
  );
  return ofServer.filter(({ query }) => /limit=1(?:00)?(?:&|$)/.test(query));
}
