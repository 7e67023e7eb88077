import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { createAccount } from './sandbox.ts';
import {
  BTC,
  banner,
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  sendAndLose,
  sendButton,
  stateOf,
  test,
} from './withdrawing.ts';

const REASON = 'Support said on the telephone that it was never carried out, case 4711';

test.beforeEach(({ expectConsole }) => expectConsole(/Failed to load resource/));

function closeButton(page: Page) {
  return page.getByRole('button', { name: 'Close by hand' });
}

async function closeWith(page: Page, reason: string) {
  await closeButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Close this operation by hand' });
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Close operation' }).click();
  await expect(dialog).toBeHidden();
}

/** Saves the evidence of an operation that cannot be opened; the text of the file. */
async function saveEvidence(page: Page): Promise<string> {
  await expect(closeButton(page)).toHaveAccessibleDescription('Save the evidence first.');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the evidence' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^countinghouse-operation-op_\w+\.json$/);
  return readFile(await file.path(), 'utf8');
}

/** The same destination is paid again, by somebody who says that it is another withdrawal. */
async function payAgain(page: Page) {
  await openReview(page);
  await sendButton(page).click();
  await page.getByLabel(/This is another withdrawal, to be sent as well/).check();
  await sendButton(page).click();
  await expectAccepted(page);
}

test('closed by hand, by keyboard: the reason is required, and the outcome stays unproven', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  const operation = page.url();
  await closeButton(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Close this operation by hand' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Close operation' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/Say why it is closed/);
  await page.keyboard.press('Escape');
  await expect(closeButton(page)).toBeFocused();
  await expect(stateOf(page)).toContainText('Unconfirmed');

  await page.keyboard.press('Enter');
  await page.keyboard.type(REASON);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(stateOf(page)).toContainText('Closed by hand, outcome not proven here');
  await expect(stateOf(page)).toContainText(REASON);
  await expect(page.getByRole('button', { name: /Resend|Check now|Close by hand/ })).toHaveCount(0);
  // The focus stays among what can be done now, not at the top of the page.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Start again' })).toBeFocused();
  await page.getByRole('link', { name: 'Balances' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);

  await payAgain(page);
  await expect(page.getByRole('link', { name: operation.split('/').at(-1) ?? '' })).toBeVisible();
  // Support was wrong: the first had been carried out, and that is why closing proves nothing.
  await expectLedger(account, 2);
});

test('another account’s operation is closed from its own page, once its evidence is saved', async ({
  page,
  context,
  account,
  signIn,
}) => {
  await sendAndLose(page, account);
  const operation = page.url();
  const other = await createAccount({ deposits: 0, assets: 7 });
  await signIn(context, other.key);
  await page.goto(operation);
  await expect(stateOf(page)).toContainText('Another account, or another API key, recorded this in this browser.');
  const evidence = await saveEvidence(page);
  expect(evidence).toContain(BTC.address);
  expect(evidence).not.toContain(account.key);
  await closeWith(page, REASON);
  await expect(stateOf(page)).toContainText('It is finished and holds nothing back.');

  await payAgain(page);
  await expectLedger(other, 1);
  expect(await postsOf(account)).toHaveLength(1);
  await signIn(context, account.key);
  await page.goto(operation);
  await expect(stateOf(page)).toContainText('Closed by hand, outcome not proven here');
  await expect(stateOf(page)).toContainText(REASON);
});

test('a damaged record is closed from its own page, once its evidence is saved', async ({ page, account }) => {
  await sendAndLose(page, account);
  const operation = page.url();
  await page.evaluate(async () => {
    const opened = indexedDB.open('operations');
    await new Promise((resolve) => (opened.onsuccess = resolve));
    const transaction = opened.result.transaction('operations', 'readwrite');
    const rows = transaction.objectStore('operations');
    const all = rows.getAll();
    all.onsuccess = () => rows.put({ ...all.result[0], state: 'ready' });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    opened.result.close();
  });
  await page.goto('/operations');
  await page.getByRole('main').getByRole('link', { name: 'Damaged record' }).click();
  await expect(page).toHaveURL(operation);
  expect(JSON.parse(await saveEvidence(page))).toMatchObject({ state: 'ready', path: '/v1/withdrawals' });
  await closeWith(page, REASON);
  await expect(stateOf(page)).toContainText('Closed by hand, outcome not proven here');
  await expect(stateOf(page)).toContainText(REASON);
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await payAgain(page);
  await expectLedger(account, 2);
});
