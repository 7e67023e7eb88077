import type { Page } from 'playwright/test';
import type { Account } from '#e2e/support/sandbox.ts';
import { expect, expectAccepted, postsOf, resend, resendButton, stateOf, test } from '#e2e/support/withdrawing.ts';

/** Fills the form of each kind; the test presses the button that sends it. */
const KINDS = [
  {
    path: '/v1/deposits',
    button: 'Create deposit address',
    executed: 'deposit_addresses',
    unknown: 'We don’t know yet whether this deposit address was created.',
    fill: async (page: Page) => {
      await page.goto('/deposits/new-address');
      await page.getByLabel('Asset', { exact: true }).fill('USDT');
      await page.getByLabel('Chain', { exact: true }).fill('tron');
    },
  },
  {
    path: '/v1/charges',
    button: 'Create charge',
    executed: 'charges',
    unknown: 'We don’t know yet whether this charge was created.',
    fill: async (page: Page) => {
      await page.goto('/charges/new');
      await page.getByLabel('Asset', { exact: true }).fill('USDT');
      await page.getByLabel('Chain', { exact: true }).fill('tron');
      await page.getByLabel('Amount', { exact: true }).fill('12.50');
    },
  },
  {
    path: '/v1/webhook-deliveries/',
    button: 'Replay delivery',
    executed: 'webhook_replays',
    unknown: 'We don’t know yet whether this webhook delivery was replayed.',
    fill: async (page: Page, account: Account) => {
      const { id } = await account.deposit({ asset: 'USDT', chain: 'tron', amount: '10', status: 'completed' });
      await page.goto(`/webhook-deliveries/replay?delivery=${id.replace('dep_', 'whd_')}`);
    },
  },
] as const;

for (const { path, button, executed, unknown, fill } of KINDS) {
  test(`${button}: a lost answer is resent under the same key, and carried out once @deep`, async ({
    page,
    account,
  }) => {
    await account.fault({ method: 'POST', path, when: 'after', drop: true });
    await fill(page, account);
    await page.getByRole('button', { name: button }).click();
    await expect(stateOf(page)).toContainText(unknown);
    await expect(page.getByRole('main')).not.toContainText(/withdrawal/i);
    await expect(page.getByRole('button', { name: /Check now|Confirm not sent/ })).toHaveCount(0);
    await resend(page, account);
    await expectAccepted(page);
    await expect(stateOf(page)).toContainText('Resend confirmed: it was done once.');
    const posts = await postsOf(account);
    expect(posts).toHaveLength(2);
    expect(new Set(posts.map(({ idempotency_key: key, body }) => `${key} ${body}`)).size).toBe(1);
    expect((await account.ledger()).executed).toMatchObject({ [executed]: 1, withdrawals: 0 });
  });
}

test('after 23 hours other kinds can be neither resent nor checked, only closed manually @deep', async ({
  page,
  account,
}) => {
  const [, charge] = KINDS;
  await account.fault({ method: 'POST', path: charge.path, when: 'before', drop: true });
  await charge.fill(page);
  await page.getByRole('button', { name: charge.button }).click();
  await expect(stateOf(page)).toContainText(charge.unknown);
  await account.advance(26 * 60 * 60 + 60);
  await expect(resendButton(page)).toHaveAccessibleDescription(/More than 23 hours/);
  await expect(stateOf(page)).toContainText('Too late to resend. Ask the provider, then close it manually.');
  await expect(page.getByRole('button', { name: /Check now|Confirm not sent/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Close manually' }).click();
  await page.getByLabel('Reason').fill('Never created, says support, case 12');
  await page.getByRole('button', { name: 'Close operation' }).click();
  await expect(stateOf(page)).toContainText('Never created, says support, case 12');
  expect(await postsOf(account)).toHaveLength(1);
});
