import { expect, test } from '#e2e/support/fixtures.ts';

for (const [from, to] of [
  ['/reconcile?created_after=1&created_before=2', '/month-close?created_after=1&created_before=2'],
  ['/requests/7?outcome=5xx#top', '/api-log/7?outcome=5xx#top'],
  ['/rehearsal', '/simulator'],
  ['/address-book?q=Ana', '/recipients?q=Ana'],
] as const) {
  test(`the former URL ${from} opens ${to} @deep`, async ({ page, account }) => {
    expect(account).toBeTruthy();
    await page.goto(from);
    await expect(page).toHaveURL(to);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
}
