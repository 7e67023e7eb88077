import type { Page } from 'playwright/test';
import { chooseApprovals, saveRules } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import {
  BATCH,
  batchState,
  chooseFile,
  confirmAll,
  type FileRow,
  fileOf,
  paidAddresses,
  sendBatchButton,
  suppliers,
} from '#e2e/support/batches.ts';
import { addColleague, test } from '#e2e/support/people.ts';
import { expect } from '#e2e/support/withdrawing.ts';

// Ada pays the suppliers, alone at first. Bo and Cy join and approve what is above 25,000.

test.use({ ownTeamOf: 'small-company' });

const SUPPLIERS = 40;
const LIMIT = '25000';
/** Forty payments, sent half a second apart. */
const RUN = { timeout: 120_000 };

/** The suppliers' file of a month: 725 USDT each, 29,000 in all, and another amount to the first. */
function monthlyFile(month: string, first: string): string {
  const rows = suppliers(SUPPLIERS).map((row, at): FileRow => ({
    ...row,
    asset: 'USDT',
    amount: at === 0 ? first : '725',
    reference: `${month}-${at + 1}`,
  }));
  return fileOf(rows);
}

/** Counts what a person does: clicks, and files that they choose. */
async function countActions(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const count = () => sessionStorage.setItem('actions', String(Number(sessionStorage.getItem('actions')) + 1));
    addEventListener('pointerdown', count, { capture: true });
    addEventListener(
      'change',
      ({ target }) => target instanceof HTMLInputElement && target.type === 'file' && count(),
      {
        capture: true,
      },
    );
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('actions')));
}

async function limitUsdt(page: Page) {
  await chooseApprovals(page, '2 approvals');
  await page.getByLabel('Add limits for an asset').click();
  await page.getByRole('option', { name: 'USDT' }).click();
  await page.getByLabel('One payment, up to').fill(LIMIT);
  await page.getByLabel('Above these limits').click();
  await page.getByRole('option', { name: '2 approvals', exact: true }).click();
}

test('forty suppliers are paid alone, and next month with two approvals @deep', async ({ admin, device, team }) => {
  test.setTimeout(600_000);
  const account = team.accounts.get('main');
  if (account === undefined) throw new Error('The team has no account.');
  const { page } = admin;

  // The first month: each address is new, and looked at.
  await page.goto('/batches/new');
  await chooseFile(page, monthlyFile('October', '725'), 'october.csv');
  await expect(page.getByRole('heading', { level: 1, name: 'Review batch' })).toBeVisible();
  await confirmAll(page);
  await sendBatchButton(page).click();
  await expect(page).toHaveURL(BATCH);
  await expect(batchState(page)).toContainText(`The provider has accepted all ${SUPPLIERS} payments.`, RUN);

  // Two colleagues join; what is above the limit takes both.
  const bo = await addColleague(admin, device, 'Bo', ['Approver']);
  const cy = await addColleague(admin, device, 'Cy', ['Approver']);
  await limitUsdt(page);
  await saveRules(page);
  const inForce = page.getByRole('region', { name: 'In force' });
  await expect(inForce).toContainText('Up to 25,000 USDT a payment');

  // The second month, from Home. No page may poll while the server restarts.
  for (const { page: open } of [admin, bo, cy]) await open.goto('about:blank');
  await team.passDay();
  const actions = await countActions(page);
  await page.goto('/');
  await page.getByRole('link', { name: /^Batches/ }).click();
  await page.getByRole('link', { name: 'New batch' }).click();
  await chooseFile(page, monthlyFile('November', '730'), 'november.csv');
  await expect(page.getByText('Compared with the last batch: 1 changed')).toBeVisible();
  await expect(page.getByText(/^Needs 2 approvals: /)).toBeVisible();
  await expect(page.getByText('39 of 40 payments are also in an earlier batch.')).toBeVisible();
  // On a phone the buttons, which stay at the bottom of the window, may cover half of the box.
  await page.setViewportSize({ width: 375, height: 800 });
  await page.getByLabel('They are due again.').evaluate((box) => box.scrollIntoView({ block: 'center' }));
  await expectClean(page, 'a batch that repeats an earlier one', [375]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const submit = page.getByRole('button', { name: `Submit ${SUPPLIERS} payments for approval` });
  await expect(submit).toHaveAccessibleDescription('Confirm above that they are due again.');
  await page.getByLabel('They are due again.').check();
  await submit.click();
  await expect(page).toHaveURL(BATCH);

  for (const { page: approver } of [bo, cy]) {
    const approverActions = await countActions(approver);
    await approver.goto('/approvals');
    await approver.getByRole('region', { name: 'Needs you' }).getByRole('link').first().click();
    await approver.getByLabel('I have looked at each of them above.').check();
    await approver.getByRole('button', { name: `Approve ${SUPPLIERS} payments` }).click();
    await expect(approver.getByText('Approved by').first()).toBeVisible();
    expect(await approverActions()).toBeLessThanOrEqual(3);
  }

  await page.goto('/');
  await page.getByRole('link', { name: 'Open batch' }).click();
  await sendBatchButton(page).click();
  expect(await actions()).toBeLessThanOrEqual(8);
  await expect(batchState(page)).toContainText(`The provider has accepted all ${SUPPLIERS} payments.`, RUN);
  const paid = await paidAddresses(account);
  expect(paid).toHaveLength(2 * SUPPLIERS);
  expect(new Set(paid).size).toBe(SUPPLIERS);
});
