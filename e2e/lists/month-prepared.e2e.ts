import { expect } from '#e2e/support/fixtures.ts';
import { LAST_MONTH, pathOf, sumOf } from '#e2e/support/monthClose.ts';
import { test } from '#e2e/support/restarting.ts';

test.use({ seed: { deposits: 0, assets: 3 } });
test.describe.configure({ mode: 'default', timeout: 90_000 });

test('a month that the server prepared in the background says when @deep', async ({ page, account, dashboard }) => {
  await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.1', created_at: LAST_MONTH.from });
  const at = (LAST_MONTH.to + 3 * 86_400 + 9 * 3_600) * 1_000;
  // The same state as after two readings of this test's account, an hour apart.
  await dashboard.restart(
    `insert into jobs.prepared (service, account, period_from, period_to, next_at, prepared_at)
     select service, account, $1::bigint, $2::bigint, $3::bigint, $3::bigint from people.sessions
     order by created_at desc limit 1`,
    [String(LAST_MONTH.from), String(LAST_MONTH.to), String(at)],
  );
  await page.goto(pathOf(LAST_MONTH));
  await expect(sumOf(page, 'BTC')).toContainText('Agrees');
  await expect(page.getByText(/^Prepared on 4 .*: two equal readings$/)).toBeVisible();
});
