import type { Page } from 'playwright/test';
import { payment } from '#e2e/support/approving.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { test } from '#e2e/support/demoTeam.ts';
import { addByHand } from '#e2e/support/recipients.ts';
import { expect, fillForm } from '#e2e/support/withdrawing.ts';

test.describe.configure({ mode: 'default' });

function rowOf(page: Page, name: string) {
  return page.getByRole('table', { name: 'Recipients', exact: true }).getByRole('row').filter({ hasText: name });
}

test('a recipient is confirmed by another person, blocked, and confirmed again @deep', async ({ person }) => {
  test.setTimeout(120_000);
  const maker = await person('Ada', {}, /422/);
  const approver = await person('Bo');
  const fields = payment('0.0301');
  const name = `Acme ${fields.address.slice(-6)}`;
  await maker.goto('/recipients');
  await addByHand(maker, name, fields.chain, fields.address);
  await expect(rowOf(maker, name)).toContainText('Not confirmed');
  await rowOf(maker, name).getByRole('link', { name, exact: true }).click();
  await expect(maker.getByRole('button', { name: 'Confirm recipient' })).toHaveAccessibleDescription(
    'Only an approver can confirm recipients.',
  );

  await approver.goto('/recipients');
  await approver
    .getByText(/confirmed$/)
    .first()
    .click();
  const several = approver.getByRole('table', { name: 'Recipients to confirm' });
  await expect(several.getByRole('row').filter({ hasText: name })).toContainText('Ada');
  await expectClean(approver, 'a recipient to confirm');
  await several.getByLabel(name).check();
  await approver.getByRole('button', { name: 'Confirm 1 recipient' }).click();
  // Payments to it count as confirmed once the policy's wait is over.
  await expect(rowOf(approver, name)).toContainText('Waiting');

  await rowOf(approver, name).getByRole('link', { name, exact: true }).click();
  const address = approver.getByRole('region', { name: 'Address' });
  await expect(address).toContainText('By Bo; counts from');
  await address.getByRole('button', { name: 'Block…' }).click();
  const dialog = approver.getByRole('dialog', { name: 'Block this recipient' });
  await dialog.getByRole('button', { name: 'Block recipient' }).click();
  await expect(dialog.getByText('Say why, so that nobody unblocks it by mistake.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Their mailbox was hacked.');
  await dialog.getByRole('button', { name: 'Block recipient' }).click();
  await expect(address).toContainText('“Their mailbox was hacked.” Nothing is sent to this address.');
  await expectClean(approver, 'a blocked recipient');

  await maker.goto('/withdrawals/new');
  await fillForm(maker, fields);
  await maker.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(maker.getByText('This recipient is blocked: “Their mailbox was hacked.”')).toBeVisible();

  await address.getByRole('button', { name: 'Unblock and confirm' }).click();
  await expect(address).toContainText('By Bo; counts from');
  await address.getByText('Earlier names and addresses').click();
  await expect(address).toContainText(`${name}: blocked by Bo`);
});
