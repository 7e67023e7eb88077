import type { Page } from 'playwright/test';
import {
  addressNumber,
  BATCH,
  batchLines,
  batchState,
  chooseFile,
  confirmAll,
  faultOnPayment,
  type FileRow,
  fileOf,
  paidAddresses,
  suppliers,
  unusualLines,
} from '#e2e/support/batches.ts';
import { HELD } from '#e2e/support/sandbox.ts';
import { addColleague, test } from '#e2e/support/people.ts';
import { expect, expectAccepted, expectLedger, resendButton } from '#e2e/support/withdrawing.ts';

// Ada prepares, Bo approves. Whatever can go wrong with a batch goes wrong with this one.

test.use({ paysAlone: false, ownTeamOf: 'troubled-batch' });

const PAYMENTS = 40;
/** The lines of the file, which begins with a header. */
const REFUSED = 5;
const TYPO = 6;
const DUPLICATE = 9;
const LOOK_ALIKE = 12;
const LOST = 14;
const KILLED = 20;

const indexOf = (line: number): number => line - 2;
const supplierOf = (line: number): string => `Supplier ${line - 1}`;

/** The suppliers' file with these lines changed. */
function fileWith(changes: Readonly<Record<number, FileRow>>): string {
  return fileOf(suppliers(PAYMENTS).map((row, index) => ({ ...row, ...changes[index + 2] })));
}

const withDuplicate: Readonly<Record<number, FileRow>> = {
  // The invoice of the line before, under another number.
  [DUPLICATE]: { address: addressNumber(indexOf(DUPLICATE - 1)), amount: '0.07' },
  [LOOK_ALIKE]: { address: addressNumber(indexOf(LOOK_ALIKE - 1)).replaceAll('5e', '7a') },
};

/** Opens the batch's only unconfirmed payment and resends it. */
async function resolve(page: Page, line: number) {
  await page.getByRole('button', { name: /^Problems/ }).click();
  await batchLines(page)
    .filter({ hasText: 'Unconfirmed' })
    .getByRole('link', { name: supplierOf(line) })
    .click();
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 25_000 });
  await resendButton(page).click();
  await expectAccepted(page);
  await page.getByRole('link', { name: 'a batch' }).click();
  await expect(page).toHaveURL(BATCH);
}

async function expectPaused(page: Page, words: string) {
  await expect(batchState(page)).toContainText(words, { timeout: 60_000 });
}

test('forty payments with a typo, a duplicate, a look-alike, a refusal, a lost response and a killed server: each is paid once or not at all @deep', async ({
  admin,
  device,
  team,
}) => {
  test.setTimeout(600_000);
  const account = team.accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  const { page } = admin;
  const { page: bo } = await addColleague(admin, device, 'Bo', ['Approver']);

  // The typo refuses the whole file.
  await page.goto('/batches/new');
  await chooseFile(
    page,
    fileWith({ ...withDuplicate, [TYPO]: { address: addressNumber(indexOf(TYPO)).slice(0, -1) } }),
  );
  await expect(page.getByRole('heading', { name: '1 problem in suppliers.csv' })).toBeFocused();
  await expect(page.getByRole('table', { name: 'Problems by line' }).locator('tbody tr')).toHaveText(
    new RegExp(`^${TYPO}.*address: 0x`),
  );
  await chooseFile(page, fileWith(withDuplicate));
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await expect(unusualLines(page).filter({ hasText: `Line ${DUPLICATE - 1} pays the same address.` })).toHaveCount(1);
  await expect(
    unusualLines(page).filter({
      hasText: `It begins and ends like the address of line ${LOOK_ALIKE - 1}, and is another one.`,
    }),
  ).toHaveCount(1);
  await confirmAll(page);
  await page.getByRole('button', { name: `Submit ${PAYMENTS} payments for approval` }).click();
  await expect(page).toHaveURL(BATCH);
  const path = new URL(page.url()).pathname;

  // The maker excludes the duplicate, the approver what looks like another address.
  await page.getByRole('button', { name: `Exclude line ${DUPLICATE}`, exact: true }).click();
  await expect(batchLines(page).nth(indexOf(DUPLICATE))).toContainText('Not sent');
  await bo.goto(path);
  await expect(unusualLines(bo).first()).toContainText('It begins and ends like the address of line');
  const haveLooked = bo.getByLabel('I have looked at each of them above.');
  await haveLooked.check();
  await bo.getByRole('button', { name: `Exclude line ${LOOK_ALIKE}`, exact: true }).click();
  await expect(batchLines(bo).nth(indexOf(LOOK_ALIKE))).toContainText('Not sent');
  // The review is loaded again.
  await expect(unusualLines(bo).filter({ hasText: 'It begins and ends like' })).toHaveCount(0);
  // Excluding a payment leaves the others confirmed.
  await expect(haveLooked).toBeChecked();
  await bo.getByRole('button', { name: 'Approve 38 payments' }).click();
  await expect(bo.getByRole('button', { name: 'Approve 38 payments' })).toHaveCount(0);
  await bo.close();

  // Faults meet the payments in order.
  const sound = (times: number) => faultOnPayment(account, { times, patch: {} });
  await sound(indexOf(REFUSED));
  await faultOnPayment(account, { status: 422 });
  // Two lines between them are excluded.
  await sound(LOST - REFUSED - 3);
  await faultOnPayment(account, { when: 'after', drop: true });
  await page.reload();
  await page.getByRole('button', { name: 'Send 38 payments' }).click();
  await expectPaused(page, `Line ${LOST} is unconfirmed`);
  await resolve(page, LOST);

  await sound(KILLED - LOST - 1);
  await faultOnPayment(account, { when: 'after', ...HELD });
  await page.getByRole('button', { name: 'Continue with 27 payments' }).click();
  await expect
    .poll(async () => (await paidAddresses(account)).at(-1), { timeout: 60_000 })
    .toBe(addressNumber(indexOf(KILLED)));
  admin.expectConsole(/ERR_|Failed to load resource/);
  await team.crash();
  await account.clearFaults();
  await expectPaused(page, 'The server that was sending it stopped');
  await resolve(page, KILLED);

  await page.getByRole('button', { name: 'Continue with 21 payments' }).click();
  await expectPaused(page, '37 of 40 accepted, 1 refused, 2 not sent');
  await expect(batchState(page)).toContainText('The provider refused 1 payment. Nothing was paid by it.');
  const unpaid = new Set([REFUSED, DUPLICATE, LOOK_ALIKE].map((line) => addressNumber(indexOf(line))));
  const paid = suppliers(PAYMENTS).flatMap(({ address = '' }) => (unpaid.has(address) ? [] : address));
  const listed = await account.withdrawals();
  expect(listed.map(({ address }) => address).toReversed()).toEqual(paid);
  await expectLedger(account, 37);
});
