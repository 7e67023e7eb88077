import { expectClean } from '#e2e/support/axe.ts';
import { allDeposits, type Deposit, openDeposits, rowAt, tableOf } from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';
import { compareAmounts } from '#src/shared/amount.ts';

test.use({ seed: { deposits: 320, assets: 2 } });

/** Largest amount first; equal amounts stay in the order of the list, as on the page. */
function largestFirst(deposits: readonly Deposit[]): Deposit[] {
  return deposits.toSorted((a, b) => compareAmounts(b.received_amount, a.received_amount));
}

test('amounts of one asset are sorted among the loaded rows, and the page says so @deep', async ({ page, account }) => {
  const all = (await allDeposits(account)).filter(({ asset }) => asset === 'BTC');
  await openDeposits(page, '?asset=BTC');
  const head = tableOf(page).getByRole('columnheader', { name: 'Received' });
  const first = rowAt(page, 0).getByRole('link').first();
  const linkTo = (id: string) => new RegExp(`^/deposits/${id}\\?`);
  const totals = page.getByRole('group', { name: 'Totals' });
  const loaded = Number(/At least (\d+)/.exec((await totals.textContent()) ?? '')?.[1]);
  expect(loaded).toBeLessThan(all.length);
  const sorted = largestFirst(all.slice(0, loaded));

  await head.getByRole('button').click();
  await expect(page).toHaveURL('/deposits?asset=BTC&sort=largest');
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(head.getByRole('button')).toBeFocused();
  await expect(first).toHaveAttribute('href', linkTo(sorted[0]?.id ?? ''));
  await expect(totals).toContainText(`largest first in the ${loaded} rows loaded`);
  await expect(page.getByRole('status').filter({ hasText: `largest first in the ${loaded} rows` })).toHaveCount(1);

  // Rows that aren't loaded may have larger or smaller amounts.
  await first.click();
  const step = (name: string) => page.getByRole('button', { name });
  await expect(step('Previous deposit')).toHaveAccessibleDescription('First of the loaded rows.');
  await page.goBack();
  await page.goto(`/deposits/${sorted.at(-1)?.id}?asset=BTC&sort=largest`);
  await expect(step('Next deposit')).toHaveAccessibleDescription('Last of the loaded rows.');
  await page.goto('/deposits?asset=BTC&sort=largest');

  await totals.getByRole('button', { name: 'Load all' }).click();
  await expect(totals).toContainText(`${all.length} deposits`);
  await expect(first).toHaveAttribute('href', linkTo(largestFirst(all)[0]?.id ?? ''));
  await page.reload();
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expectClean(page, 'a list sorted by amount');

  await head.getByRole('button').click();
  await expect(page).toHaveURL('/deposits?asset=BTC&sort=smallest');
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await head.getByRole('button').click();
  await expect(page).toHaveURL('/deposits?asset=BTC');
  await expect(first).toHaveAttribute('href', linkTo(all[0]?.id ?? ''));
});

test('amounts of several assets are not sorted, and the column says why @deep', async ({ page }) => {
  await openDeposits(page, '?sort=largest');
  const button = tableOf(page).getByRole('columnheader', { name: 'Received' }).getByRole('button');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(/^Filter by one asset to sort by amount/);
  await expect(tableOf(page).getByRole('columnheader', { name: /^Created/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
});

test('withdrawals are sorted by when they were sent, and back @deep', async ({ page }) => {
  await page.goto('/withdrawals');
  const created = page.getByRole('columnheader', { name: /^Created/ });
  await created.getByRole('button').click();
  await expect(page).toHaveURL('/withdrawals?order=asc');
  await expect(created).toHaveAttribute('aria-sort', 'ascending');
  await created.getByRole('button').click();
  await expect(page).toHaveURL('/withdrawals');
  await expect(created).toHaveAttribute('aria-sort', 'descending');
  await expect(created.getByRole('button')).toBeFocused();
  // Cards have no button to sort with.
  await page.setViewportSize({ width: 375, height: 800 });
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeFocused();
});
