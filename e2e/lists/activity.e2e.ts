import { readFile } from 'node:fs/promises';
import { expectClean } from '#e2e/support/axe.ts';
import { BTC, expect, expectAccepted, fillForm, sendButton, test } from '#e2e/support/withdrawing.ts';

test('a press of Send is in the activity, with the typed name marked as not verified @deep', async ({
  page,
  colleague,
}) => {
  await page.goto('/activity');
  const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(1);

  const ben = await colleague('Ben');
  await ben.goto('/withdrawals/new');
  await fillForm(ben, BTC);
  await ben.getByRole('button', { name: 'Review' }).click();
  await sendButton(ben).click();
  await expectAccepted(ben);

  await page.reload();
  const press = rows.filter({ hasText: 'Pressed Send for 0.25 BTC to' });
  await expect(press).toContainText('Ben not verified');
  await expect(rows.filter({ hasText: 'Prepared 0.25 BTC to' })).toHaveCount(1);
  await expectClean(page, 'activity in key mode');

  await page.getByRole('button', { name: 'Kind any' }).click();
  await page.getByRole('button', { name: 'Sign-ins' }).click();
  await expect(page).toHaveURL('/activity?group=sign-ins');
  await expect(press).toHaveCount(0);
  await expect(rows.filter({ hasText: 'Signed in' })).toHaveCount(2);

  await page.goto('/activity?group=junk');
  await expect(press).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines[0]).toContain('time_utc,by,person_id,kind,what');
  expect(lines.filter((line) => line.includes('operation.sent'))).toHaveLength(1);
  expect(lines).toHaveLength(5);

  await press.getByRole('link', { name: /Pressed Send/ }).click();
  await expect(page).toHaveURL(/\/operations\//);
});
