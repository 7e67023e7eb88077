import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC, expect, postsOf, test } from '#e2e/support/withdrawing.ts';

test(
  'a read-only session shows withdrawals and no money actions @deep',
  { tag: '@read-only' },
  async ({ page, account }) => {
    const id = await withdrawByApi(account, BTC);
    await page.goto('/withdrawals');
    await expect(page.getByRole('button', { name: 'New withdrawal' })).toHaveAccessibleDescription(
      'This dashboard is read-only.',
    );
    await expect(page.getByRole('link', { name: 'New withdrawal' })).toHaveCount(0);
    await page.goto('/withdrawals/new');
    await expect(page.getByRole('main').getByText('This dashboard is read-only.')).toBeVisible();
    await expect(page.getByRole('button', { name: /Review|Send/ })).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
    await page.goto(`/withdrawals/${id}`);
    await expect(page.getByText(BTC.address).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /Send|Resend/ })).toHaveCount(0);
    await account.withdrawal(id, { status: 'failed' });
    await page.reload();
    await expect(page.getByText('0.25 BTC is available again.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Send again' })).toHaveCount(0);
    expect(await postsOf(account)).toHaveLength(1);
  },
);
