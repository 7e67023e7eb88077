import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { openDeposits, rowOf, tableOf } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 0, assets: 1 }, timezoneId: 'Europe/Berlin' });

test('a local day of 25 hours is complete; its filter shows the zone, and hover shows local time, UTC and age', async ({
  page,
  account,
}) => {
  // Clocks went back at 3:00 on 25 October 2026: that day began at 22:00 UTC and ended 25 hours later.
  const start = Date.UTC(2026, 9, 24, 22) / 1000;
  const end = start + 25 * 3600;
  const arrive = async (created_at: number) => ({
    ...(await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.5', created_at })),
    created_at,
  });
  const before = await arrive(start - 1);
  const first = await arrive(start);
  const twice = await arrive(Date.UTC(2026, 9, 25, 1, 30) / 1000);
  const last = await arrive(end - 1);
  const after = await arrive(end);

  await openDeposits(page);
  await inAccountMenu(page, 'Local');
  await page
    .getByRole('search')
    .getByRole('button', { name: /^Created / })
    .click();
  await expect(page.getByText(/^Full days in Europe\/Berlin/)).toBeVisible();
  await page.getByLabel('Created from').fill('2026-10-25');
  await page.getByLabel('Created to').fill('2026-10-25');
  await page.getByRole('button', { name: 'Apply days' }).click();
  await expect(page).toHaveURL(`/deposits?created_after=${start - 1}&created_before=${end}`);
  for (const { id } of [last, twice, first]) await expect(rowOf(page, id)).toBeVisible();
  for (const { id } of [before, after]) await expect(rowOf(page, id)).toHaveCount(0);

  // Move from one time down to the next: the first tooltip must not cover it.
  await rowOf(page, last.id).locator('[data-tip-unix]').hover();
  await rowOf(page, twice.id).locator('[data-tip-unix]').hover();
  const tip = page.getByRole('tooltip');
  await expect(tip).toContainText('25 Oct 2026 01:30:00');
  await expect(tip).toContainText('Europe/Berlin');
  await expect(tip).toContainText('25 Oct 2026 02:30:00');
  await expect(tip).toContainText(String(twice.created_at));
  await expect(tip).toContainText(/Age\s*.*ago/);

  // The same seconds in the other zone: no longer whole days, which the filter says.
  await inAccountMenu(page, 'UTC');
  await expect(tableOf(page)).toContainText('01:30:00');
  await expect(page.getByRole('search')).toContainText('24 Oct');
});
