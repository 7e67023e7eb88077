import type { Page } from 'playwright/test';
import { expect } from './fixtures.ts';
import type { Account, Fault } from './sandbox.ts';

export interface FileRow {
  recipient?: string;
  address?: string;
  asset?: string;
  chain?: string;
  amount?: string;
  reference?: string;
}

/** Address number `at`, valid on Ethereum. No two of them look alike. */
export function addressNumber(at: number): string {
  const part = String(at).padStart(4, '0');
  return `0x${part}${'5e'.repeat(16)}${part}`;
}

const COLUMNS = ['recipient', 'address', 'asset', 'chain', 'amount', 'reference'] as const;

/** A file of payments in ETH, of which the account has 180. */
export function fileOf(rows: readonly FileRow[]): string {
  const lines = rows.map((row) => {
    const whole: FileRow = { asset: 'ETH', chain: 'ethereum', ...row };
    return COLUMNS.map((column) => whole[column] ?? '').join(';');
  });
  return [COLUMNS.join(';'), ...lines].join('\r\n');
}

/** `count` suppliers, each with a different amount and address. */
export function suppliers(count: number): FileRow[] {
  return Array.from({ length: count }, (_, at) => ({
    recipient: `Supplier ${at + 1}`,
    address: addressNumber(at),
    amount: `0.0${at + 1}`,
    reference: `INV-${at + 1}`,
  }));
}

export async function chooseFile(page: Page, text: string, name = 'suppliers.csv') {
  await page.getByLabel('File of payments').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** Opens the page and chooses a file that can be read; ends at its review. */
export async function openBatchReview(page: Page, rows: readonly FileRow[]) {
  await page.goto('/batches/new');
  await chooseFile(page, fileOf(rows));
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
}

export function unusualLines(page: Page) {
  return page.getByRole('list', { name: 'Unusual payments' }).getByRole('listitem');
}

/** Confirms every unusual payment. */
export async function confirmAll(page: Page) {
  for (const box of await page.getByRole('checkbox', { name: /^Line \d+ is right$/ }).all()) await box.check();
}

export function sendBatchButton(page: Page) {
  return page.getByRole('button', { name: /^Send \d+ payments?$/ });
}

/** The URL of a batch's page, which contains its id. */
export const BATCH = /\/batches\/[0-9a-f]{8}-/;

export async function sendBatch(page: Page, rows: readonly FileRow[]) {
  await openBatchReview(page, rows);
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(page).toHaveURL(BATCH);
}

/** The state of the batch on screen. */
export function batchState(page: Page) {
  return page.getByRole('region', { name: 'State' });
}

export function batchLines(page: Page) {
  return page.getByRole('table', { name: 'Payments', exact: true }).locator('tbody tr');
}

/** A long timeout: runs take half a second per payment. */
export const RUN = { timeout: 30_000 };

/** A fault for the POST of one payment of this account. */
export function faultOnPayment(account: Account, fault: Fault) {
  return account.fault({ method: 'POST', path: '/v1/withdrawals', ...fault });
}

/** The address of every payment request that the service received. */
export async function paidAddresses(account: Account): Promise<string[]> {
  const posts = (await account.requests()).filter(({ method }) => method === 'POST');
  return posts.map(({ body }) => {
    const sent: { address?: string } = JSON.parse(body ?? '{}');
    return sent.address ?? '';
  });
}
