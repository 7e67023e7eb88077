import type { Page } from 'playwright/test';
import { tabTo } from '#e2e/support/keyboard.ts';
import type { Account } from '#e2e/support/sandbox.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { expectSentAs, previewOf } from '#e2e/support/starting.ts';
import { expect, expectAccepted, postsOf, resend, stateOf, test } from '#e2e/support/withdrawing.ts';

const ONCE_MORE = 'Replay this delivery once more.';

/** Each deposit of the sandbox has a delivery. */
async function delivery(account: Account, status = 'completed'): Promise<string> {
  const { id } = await account.deposit({ asset: 'USDT', chain: 'tron', amount: '10', status });
  return id.replace('dep_', 'whd_');
}

function replayButton(page: Page) {
  return page.getByRole('button', { name: 'Replay delivery' });
}

async function replay(page: Page, id: string) {
  await page.goto(`/webhook-deliveries/replay?delivery=${id}`);
  await expect(page.getByLabel('Delivery ID')).toHaveValue(id);
  await replayButton(page).click();
}

test('a delivery is replayed once, as previewed', async ({ page, account }) => {
  const id = await delivery(account);
  await page.goto('/balances');
  await page.getByRole('link', { name: 'Webhook replay' }).click();
  await expect(page.getByText('Your shop may process the order twice')).toBeVisible();
  await page.getByLabel('Delivery ID').fill(` ${id} `);
  const preview = await previewOf(page);
  expect(preview).toContain(`POST /v1/webhook-deliveries/${id}/replay`);
  await replayButton(page).dblclick();
  await expectAccepted(page);
  await expectSentAs(account, preview);
  expect((await account.ledger()).executed.webhook_replays).toBe(1);
});

test('the same delivery again asks first and shows the earlier replay @deep', async ({ page, account }) => {
  const id = await delivery(account);
  await replay(page, id);
  await expectAccepted(page);
  const first = new URL(page.url()).pathname;

  await replay(page, id);
  await expect(page.getByText(/^This delivery was replayed .*\./).first()).toBeVisible();
  await expect(replayButton(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('status').getByRole('link')).toHaveAttribute('href', first);
  await replayButton(page).click({ force: true });
  expect(await postsOf(account)).toHaveLength(1);
  await expectClean(page, 'the second question');

  // Another delivery needs its own check.
  await page.getByLabel('Delivery ID').fill(await delivery(account));
  await expect(page.getByLabel(ONCE_MORE)).toHaveCount(0);
  await page.getByLabel('Delivery ID').fill(id);
  await replayButton(page).click();
  await page.getByLabel(ONCE_MORE).check();
  await replayButton(page).click();
  await expectAccepted(page);
  expect(new URL(page.url()).pathname).not.toBe(first);
  expect((await account.ledger()).executed.webhook_replays).toBe(2);
  expect(new Set((await postsOf(account)).map(({ idempotency_key: key }) => key)).size).toBe(2);
});

test('after a lost response, resending triggers no second delivery @deep', async ({ page, account, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  const id = await delivery(account);
  await account.fault({ method: 'POST', path: '/v1/webhook-deliveries', when: 'after', drop: true });
  await replay(page, id);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  const lost = page.url();

  // The same delivery leads to the open replay instead of starting another.
  await replay(page, id);
  await expect(page).toHaveURL(lost);
  await expect(page.getByText('Your new webhook replay wasn’t sent.')).toBeVisible();
  await resend(page, account);
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts).toHaveLength(2);
  expect(posts.at(-1)?.replayed).toBe(true);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(1);
  expect((await account.ledger()).executed.webhook_replays).toBe(1);
});

test('a delivery that is still in progress is refused with the reason, and can be edited as a new replay @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/409/);
  const id = await delivery(account, 'pending');
  await replay(page, id);
  await expect(stateOf(page)).toContainText('delivery_in_progress');
  await expect(stateOf(page)).toContainText('Nothing was replayed.');
  await page.getByRole('button', { name: 'Edit as a new webhook replay' }).click();
  // By role, as the operation also shows a delivery id.
  await expect(page.getByRole('textbox', { name: 'Delivery ID' })).toHaveValue(id);
  expect((await account.ledger()).executed.webhook_replays).toBe(0);
});

test('an id with invisible characters is refused, and another object’s id gives a warning @deep', async ({
  page,
  account,
}) => {
  await page.goto('/webhook-deliveries/replay');
  const field = page.getByLabel('Delivery ID');
  for (const [text, said] of [
    ['', 'Enter a delivery ID.'],
    ['whd_1 whd_2', 'There is a space in it.'],
    ['whd_\u200B1', 'It contains an invisible character.'],
  ] as const) {
    await field.fill(text);
    await replayButton(page).click();
    await expect(field).toHaveAccessibleDescription(new RegExp(said));
  }
  await field.fill('dep_1');
  await expect(field).toHaveAccessibleDescription(/looks like a deposit ID/);
  expect(await postsOf(account)).toEqual([]);
});

test('a delivery is replayed by keyboard alone @deep', async ({ page, account }) => {
  const id = await delivery(account);
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Webhook replay' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Delivery ID')).toBeFocused();
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  await expectAccepted(page);
  expect((await account.ledger()).executed.webhook_replays).toBe(1);
});
