import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { entries, openBookWith } from '#e2e/support/recipients.ts';
import { expect, postsOf, sendNew, stateOf, test } from '#e2e/support/withdrawing.ts';
import type { Page } from 'playwright/test';

/** Sends payments as the page would, without its forms. */
async function pay(page: Page, count: number) {
  await page.evaluate(async (payments) => {
    const { account } = await (await fetch('/session')).json();
    for (let each = 1; each <= payments; each += 1) {
      const address = `0x${String(each).padStart(40, '0')}`;
      const body = JSON.stringify({ asset: 'ETH', chain: 'ethereum', amount: '0.1', address });
      const request = {
        kind: 'withdrawal',
        path: '/v1/withdrawals',
        body,
        second_send_of: [],
        not_after: Date.now() + 100_000,
      };
      await fetch(`/api/operations/${crypto.randomUUID()}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'X-Account': account },
        body: JSON.stringify(request),
      });
    }
  }, count);
}

async function signInByForm(page: Page, key: string) {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test(
  'a new key of the account is joined to it at sign-in: recipients and operations are still there @deep',
  { tag: '@forwarded' },
  async ({ page, account, expectConsole }) => {
    expectConsole(/409.*\/session/);
    await openBookWith(page, 'Acme Hosting');
    // This server has unrelated merchants, so it takes five payments to show whose key it is.
    await pay(page, 4);
    await sendNew(page);
    await expect(stateOf(page)).toContainText('Accepted by the provider');
    const operation = page.url();
    const next = await account.newKey();
    await inAccountMenu(page, 'Sign out');
    await expect(page).toHaveURL(/\/sign-in/);

    // Only now: an open page would sign out by itself.
    await account.revokeKey(account.key);
    await signInByForm(page, next);
    const question = page.getByRole('group', { name: 'New key' });
    await expect(question).toContainText('This key reads the withdrawals of an account that is known here since');
    await expect(question).toBeFocused();
    await expectClean(page, 'new key');
    // The question about one key must not reveal anything about another key.
    await page.getByLabel('API key').press('End');
    await page.getByLabel('API key').press('Backspace');
    await expect(question).toHaveCount(0);
    await signInByForm(page, next);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))).not.toContain(
      next,
    );
    await question.getByRole('button', { name: 'Join' }).click();

    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await page.goto('/recipients');
    await expect(entries(page)).toHaveCount(1);
    await expect(entries(page)).toContainText('Acme Hosting');
    await page.goto(operation);
    await expect(stateOf(page)).toContainText('Accepted by the provider');
    expect(await postsOf(account)).toHaveLength(5);
    // Only the first sign-in with the key asks.
    await inAccountMenu(page, 'Sign out');
    await signInByForm(page, next);
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  },
);
