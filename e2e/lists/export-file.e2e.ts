import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectClean } from '#e2e/support/axe.ts';
import { allDeposits, idsOf, openDeposits } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

/** What the person does when asked for a place, and how the disk behaves then. */
type Answer = 'cancel' | 'disk full' | 'fine';

/**
 * Playwright does not drive the dialog in which a person chooses a file. In its place: a file of the browser's own file
 * system, which is written by the same interface.
 */
async function answerPicker(page: Page, answers: readonly Answer[]) {
  await page.addInitScript((given: readonly Answer[]) => {
    const left = [...given];
    const failing = (stream: FileSystemWritableFileStream) => {
      const write = stream.write.bind(stream);
      let writes = 0;
      stream.write = async (data) => {
        writes += 1;
        if (writes === 3) throw new DOMException('There is no room left on the disk.', 'QuotaExceededError');
        await write(data);
      };
      return stream;
    };
    const pick = async () => {
      const answer = left.shift();
      if (answer === undefined || answer === 'cancel') throw new DOMException('The person gave up.', 'AbortError');
      const home = await navigator.storage.getDirectory();
      const handle = await home.getFileHandle('chosen.csv', { create: true });
      const open = handle.createWritable.bind(handle);
      if (answer === 'disk full') handle.createWritable = async () => failing(await open());
      return handle;
    };
    Reflect.set(window, 'showSaveFilePicker', pick);
  }, answers);
}

/** The chosen file; null where there is none. */
const chosen = (page: Page) =>
  page.evaluate(async () => {
    const home = await navigator.storage.getDirectory();
    try {
      const file = await (await home.getFileHandle('chosen.csv')).getFile();
      // With the byte order mark, which file.text() takes off.
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
    } catch {
      return null;
    }
  });

const idsIn = (csv: string | null) =>
  (csv ?? '')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0]);

test.use({ seed: { deposits: 120, assets: 7 } });

test('into a chosen file: given up, a full disk in the middle, then the whole list with the hash of its manifest', async ({
  page,
  account,
}) => {
  await answerPicker(page, ['cancel', 'disk full', 'fine']);
  let downloads = 0;
  page.on('download', () => (downloads += 1));
  await openDeposits(page);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export deposits' });
  const start = dialog.getByRole('button', { name: 'Start export' });
  const place = dialog.getByRole('group', { name: 'Write to' });
  await expect(place.getByRole('button', { name: 'Choose location…' })).toHaveAttribute('aria-pressed', 'true');
  await expectClean(page, 'the choice of an export', [375]);

  // Given up: nothing begins, and the choice stands.
  await start.click();
  await expect(dialog.getByRole('group', { name: 'Format' })).toBeVisible();
  expect(
    (await account.requests()).filter(({ path, query }) => path === '/v1/deposits' && query.includes('order')),
  ).toEqual([]);

  await start.click();
  await expect(dialog.getByRole('heading', { name: 'Couldn’t write the file' })).toBeVisible();
  await expect(dialog.getByText('There is no room left on the disk.')).toBeVisible();
  await expect(dialog.getByText('Nothing was saved.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Retry' })).toBeHidden();
  expect(await chosen(page)).toBeNull();
  await expectClean(page, 'an export whose file is lost', [375]);

  await dialog.getByRole('button', { name: 'Choose again' }).click();
  await start.click();
  await expect(dialog.getByText('120 rows exported (complete)')).toBeVisible();
  const text = await chosen(page);
  expect(idsIn(text)).toEqual(idsOf(await allDeposits(account)));
  expect(downloads).toBe(0);
  await expectClean(page, 'an export that is done', [375]);
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save control totals (JSON)' }).click();
  const manifest = JSON.parse(await readFile(await (await saved).path(), 'utf8'));
  const sha256 = createHash('sha256')
    .update(text ?? '')
    .digest('hex');
  expect(manifest.file).toMatchObject({ name: 'chosen.csv', sha256, bytes: Buffer.byteLength(text ?? '') });
});

test('withdrawals are exported alike @deep', async ({ page, account }) => {
  await answerPicker(page, ['fine']);
  await page.goto('/withdrawals');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export withdrawals' });
  await dialog.getByRole('button', { name: 'Start export' }).click();
  await expect(dialog.getByText('exported (complete)')).toBeVisible();
  const lines = ((await chosen(page)) ?? '').split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFid,status,asset,chain,amount,fee,address,tx_hash,created_at,created_at_utc,created_at_zoned,recipient,reference,note',
  );
  const there = (await account.withdrawals()).map(({ id, amount, fee, tx_hash: hash }) => [
    id,
    amount,
    fee,
    hash ?? '',
  ]);
  const here = lines.slice(1, -1).map((line) => line.split(','));
  expect(here.map(([id, , , , amount, fee, , hash]) => [id, amount, fee, hash])).toEqual(there);
});
