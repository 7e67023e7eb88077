import type { Page } from 'playwright/test';
import { approveButton, payment, saveRules, submit, submitButton } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import {
  addressNumber,
  confirmAll,
  type FileRow,
  openBatchReview,
  suppliers,
  unusualLines,
} from '#e2e/support/batches.ts';
import { test } from '#e2e/support/demoTeam.ts';
import { setHidden } from '#e2e/support/fixtures.ts';
import { LOOKED_AGAIN } from '#e2e/support/recipients.ts';
import { dayFromNow } from '#e2e/support/standingPayments.ts';
import { expect, expectAccepted, review, stateOf } from '#e2e/support/withdrawing.ts';

// By the policy of the demo, every payment of ETH that Ada prepares needs Bo.

test.describe.configure({ mode: 'default' });

/** More than two minutes, after which a review is made again before anything is sent or approved. */
const STALE_REVIEW_MS = 150_000;

/** Submits a batch that needs approval; returns the path of its page. */
async function submitBatch(maker: Page, rows: readonly FileRow[]): Promise<string> {
  await openBatchReview(maker, rows);
  await confirmAll(maker);
  const count = rows.length === 1 ? '1 payment' : `${rows.length} payments`;
  await maker.getByRole('button', { name: `Submit ${count} for approval` }).click();
  await expect(stateOf(maker)).toContainText('Nothing has been sent.');
  return new URL(maker.url()).pathname;
}

async function changeRules(admin: Page, label: string) {
  await admin.goto('/policy');
  await admin.getByRole('button', { name: 'Change rules' }).click();
  await admin.getByLabel(label).click();
  await admin.getByRole('option', { name: '1 approval', exact: true }).click();
  await saveRules(admin);
  await expect(admin.getByRole('heading', { name: 'New rules' })).toHaveCount(0);
}

test('a rejected payment says why, and is prepared again from there @deep', async ({ person }) => {
  const maker = await person('Ada');
  const page = await person('Bo');
  const fields = payment('0.0202');
  const path = await submit(maker, fields);
  await page.goto(path);
  await page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Reject payment' }).click();
  await expect(dialog.getByText('Say why, so that it can be prepared better.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('The invoice says 0.0203.');
  await dialog.getByRole('button', { name: 'Reject payment' }).click();
  await expect(stateOf(page)).toContainText('It was rejected. Nothing was sent.');

  await maker.reload();
  await expect(stateOf(maker)).toContainText('The invoice says 0.0203.');
  await expect(stateOf(maker)).toContainText('by Bo');
  await maker.getByRole('button', { name: 'Prepare again' }).click();
  await expect(maker.getByText('Rejected by Bo.')).toBeVisible();
  await expect(maker.getByText('“The invoice says 0.0203.”')).toBeVisible();
  await expect(maker.getByLabel('Destination address', { exact: true })).toHaveValue(fields.address);
  await review(maker, { ...fields, amount: '0.0203' });
  await submitButton(maker).click();
  await expect(stateOf(maker)).toContainText('Waiting for approval');
});

test('a payment is withdrawn by its maker, and an approver whose page still shows it is told @deep', async ({
  person,
}) => {
  const maker = await person('Ada');
  const page = await person('Bo');
  const viewer = await person('Di');
  const path = await submit(maker, payment('0.0204'));
  await viewer.goto(path);
  await expect(approveButton(viewer)).toHaveAccessibleDescription('Only an approver can approve payments. Ask Bo.');
  await expect(viewer.getByRole('button', { name: 'Withdraw' })).toHaveCount(0);
  await expect(maker.getByRole('button', { name: 'Approve and send' })).toHaveCount(0);
  await page.goto(path);
  await expect(approveButton(page)).toBeEnabled();
  await maker.getByRole('button', { name: 'Withdraw' }).click();
  await expect(stateOf(maker)).toContainText('It was withdrawn before anything was sent.');
  await approveButton(page).click();
  await expect(page.getByText('Not approved. It has ended already: nothing was sent.')).toBeVisible();
  await expect(stateOf(page)).toContainText('It was withdrawn before anything was sent.');
});

test('on a phone all facts come before the button, and the payment is approved @deep', async ({ person }) => {
  const maker = await person('Ada');
  const page = await person('Bo', { viewport: { width: 375, height: 740 } });
  const path = await submit(maker, payment('0.0205'));
  await page.goto('/approvals');
  await expect(page.getByRole('region', { name: 'Needs you' }).getByText('0.0205 ETH')).toBeVisible();
  await expectClean(page, 'approvals on a phone');
  await page.goto(path);
  await expect(approveButton(page)).toBeVisible();
  await expect(page.getByText('Earlier payments', { exact: true })).toBeVisible();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  const boxes = await Promise.all(
    [page.getByText('Expires', { exact: true }), approveButton(page)].map((part) => part.boundingBox()),
  );
  expect(boxes[0]?.y).toBeLessThan(boxes[1]?.y ?? 0);
  await expectClean(page, 'an approval on a phone');
  await approveButton(page).click();
  await expectAccepted(page);
});

test('a batch is submitted, approved with one press, and sent by its maker @deep', async ({ person }) => {
  const maker = await person('Ada');
  const page = await person('Bo', { viewport: { width: 375, height: 800 } });
  await openBatchReview(maker, suppliers(2));
  await expect(maker.getByText('Needs 1 approval: payments of ETH.')).toBeVisible();
  await confirmAll(maker);
  await maker.getByLabel('Pay by').fill(dayFromNow(3));
  await maker.getByRole('button', { name: 'Submit 2 payments for approval' }).click();
  await expect(stateOf(maker)).toContainText('Nothing has been sent.');
  await expect(maker.getByRole('button', { name: 'Send 2 payments' })).toHaveAccessibleDescription(
    'Needs 1 more approval.',
  );

  await page.goto(new URL(maker.url()).pathname);
  const approval = page.getByRole('region', { name: 'Approval' });
  await expect(approval).toContainText(/ \d{4}, in \d days/);
  await expect(unusualLines(page)).toHaveCount(2);
  await expect(unusualLines(page).first()).toContainText('First payment to this address.');
  await expect(approval).toContainText('2 of 2 payments are unusual.');
  await expectClean(page, 'a batch to approve on a phone');
  const approve = approval.getByRole('button', { name: 'Approve 2 payments' });
  await expect(approve).toHaveAccessibleDescription('Confirm above to continue.');
  await approval.getByRole('checkbox', { name: 'I have looked at each of them above.' }).check();
  await approve.click();
  await expect(approval).toContainText('Bo');
  await expect(unusualLines(page)).toHaveCount(0);
  await expectClean(page, 'an approved batch on a phone');

  const whyNotMaker = maker.getByText('You prepared it, so somebody else has to approve it.');
  await expect(whyNotMaker).toBeVisible();
  await maker.reload();
  await expect(maker.getByText('Approved by')).toBeVisible();
  await expect(whyNotMaker).toHaveCount(0);
  await maker.getByRole('button', { name: 'Send 2 payments' }).click();
  await expect(stateOf(maker)).toContainText('The provider has accepted all 2 payments.', { timeout: 30_000 });
});

test('approving a batch approves the payments that are left, and lists those that ended meanwhile @deep', async ({
  person,
}) => {
  const maker = await person('Ada');
  const page = await person('Bo');
  await page.goto(await submitBatch(maker, suppliers(13).slice(10)));
  const approval = page.getByRole('region', { name: 'Approval' });
  await expect(approval.getByRole('table', { name: 'To approve' })).toContainText('0.036');
  await approval.getByRole('checkbox', { name: 'I have looked at each of them above.' }).check();

  await maker.getByRole('button', { name: 'Exclude line 4' }).click();
  await expect(maker.getByRole('table', { name: 'Totals' }).getByRole('row', { name: /ETH/ })).toContainText('0.023');
  await approval.getByRole('button', { name: 'Approve 3 payments' }).click();
  await expect(approval).toContainText('2 of 3 payments approved.');
  await expect(approval).toContainText('Line 4: It has ended already: nothing was sent.');
  await expect(approval.getByText('Approved by')).toBeVisible();

  await maker.goto('/approvals');
  const row = maker.getByRole('row').filter({ hasText: '3 payments of a batch' });
  await expect(row).toContainText('2 left to send');
});

test('a batch that needs an approval only since its review is submitted with a second press @deep', async ({
  person,
}) => {
  const maker = await person('Ada');
  const admin = await person('Cy');
  await maker.clock.install();
  await openBatchReview(maker, [{ address: addressNumber(50), amount: '5', asset: 'USDT' }]);
  await confirmAll(maker);
  const send = maker.getByRole('button', { name: 'Send 1 payment' });
  await expect(send).toBeEnabled();
  await changeRules(admin, 'First payment to an address');

  await maker.clock.fastForward(STALE_REVIEW_MS);
  await send.click();
  await expect(maker.getByText('Needs 1 approval: first payment to this address.')).toBeVisible();
  await expect(maker).toHaveURL(/\/batches\/new$/);
  await maker.getByRole('button', { name: 'Submit 1 payment for approval' }).click();
  await expect(stateOf(maker)).toContainText('Nothing has been sent.');
});

test('an approver confirms that a batch is more than available, and presses again after the rules have changed @deep', async ({
  person,
}) => {
  const maker = await person('Ada');
  const admin = await person('Cy');
  const page = await person('Bo', { viewport: { width: 375, height: 800 } });
  await page.clock.install();
  await openBatchReview(maker, [{ address: addressNumber(40), amount: '9000.5' }]);
  await confirmAll(maker);
  await maker.getByRole('checkbox', { name: 'The amounts are right. Send them all the same.' }).check();
  await maker.getByRole('button', { name: 'Submit 1 payment for approval' }).click();
  await expect(stateOf(maker)).toContainText('Nothing has been sent.');

  await page.goto(new URL(maker.url()).pathname);
  const approval = page.getByRole('region', { name: 'Approval' });
  await expect(approval).toContainText('More than you have available: ETH.');
  await approval.getByRole('checkbox', { name: 'I have looked at it above.' }).check();
  const approve = approval.getByRole('button', { name: 'Approve 1 payment' });
  await expect(approve).toHaveAccessibleDescription('Confirm above to continue.');
  await approval.getByRole('checkbox', { name: 'The amounts are right. Approve them all the same.' }).check();
  await expectClean(page, 'a batch of more than is available');

  await changeRules(admin, 'First payment after a change');
  // A tab in the background loads nothing.
  await setHidden(page, true);
  await page.clock.fastForward(STALE_REVIEW_MS);
  await expect(approval).not.toContainText('The approval rules have changed');
  await approve.click();
  await expect(approval).toContainText(
    'The findings above have changed. Nothing was approved. Check them, then approve again.',
  );
  await expect(approval).toContainText('The approval rules have changed since it was prepared.');
  const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/approvals'));
  await approve.click();
  const { seen }: { seen: string[] } = JSON.parse((await request).postData() ?? '{}');
  expect(seen).toContain('policy-changed');
  await expect(approval.getByText('Approved by')).toBeVisible();
  await expect(stateOf(page)).toContainText('Nothing has been sent.');
  await expect(approve).toHaveCount(0);
});

test('a rejected batch sends nothing, and says so @deep', async ({ person }) => {
  const maker = await person('Ada');
  const page = await person('Bo');
  await page.goto(await submitBatch(maker, suppliers(3).slice(2)));
  await page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Reject 1 payment' })).toHaveAccessibleDescription('Say why first.');
  await dialog.getByLabel('Reason').fill('Not due yet');
  await dialog.getByRole('button', { name: 'Reject 1 payment' }).click();
  await expect(stateOf(page)).toContainText('It was rejected. Nothing was sent.');
});

test('a pay-by date that a colleague changed meanwhile is not overwritten @deep', async ({ person }) => {
  const maker = await person('Ada');
  const page = await person('Bo', {}, /409/);
  const path = await submit(maker, payment('0.0206'));
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('button', { name: 'Set a date' }).click();
  await page.getByLabel('Pay by').fill(dayFromNow(9));
  await maker.getByRole('button', { name: 'Set a date' }).click();
  await maker.getByLabel('Pay by').fill(dayFromNow(5));
  await maker.keyboard.press('Enter');
  await expect(maker.getByText(/ \d{4}, in \d days/)).toBeVisible();

  const polled = page.waitForResponse((response) => response.url().includes('/team/pay-by'));
  await page.clock.runFor(LOOKED_AGAIN);
  await polled;
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A colleague changed this meanwhile.')).toBeVisible();
});
