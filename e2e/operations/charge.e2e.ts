import type { Page } from 'playwright/test';
import { tabTo } from '#e2e/support/keyboard.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { expectSentAs, previewOf } from '#e2e/support/starting.ts';
import { expect, expectAccepted, postsOf, resend, stateOf, test } from '#e2e/support/withdrawing.ts';

const FURTHER = `{
  "order_id": "A-1042",
  "serial": ${'1234567890'.repeat(6)},
  "factor": 1e400,
  "price": 12.50
}`;
const SENT_FURTHER = FURTHER.replaceAll(/\s/g, '').slice(1);

async function fill(page: Page, further = '') {
  await page.goto('/charges/new');
  await page.getByLabel('Asset', { exact: true }).fill('USDT');
  await page.getByLabel('Chain', { exact: true }).fill('tron');
  await page.getByLabel('Amount', { exact: true }).fill('12.50');
  await page.getByLabel('Extra fields').fill(further);
}

function createButton(page: Page) {
  return page.getByRole('button', { name: 'Create charge' });
}

test('a charge is sent once, exactly as previewed, with every digit as typed', async ({ page, account }) => {
  await page.goto('/balances');
  await page.getByRole('link', { name: 'New charge' }).click();
  await expect(page.getByLabel('Asset', { exact: true })).toBeFocused();
  await fill(page, FURTHER);
  await page.reload();
  await expect(page.getByLabel('Extra fields')).toHaveValue(FURTHER);
  await expectClean(page, 'the form');
  const preview = await previewOf(page);
  expect(preview).toContain(`{"asset":"USDT","chain":"tron","amount":"12.50",${SENT_FURTHER}`);
  await createButton(page).dblclick();
  await expectAccepted(page);
  await expectSentAs(account, preview);
  expect((await account.ledger()).executed).toMatchObject({ charges: 1, withdrawals: 0 });
});

test('invalid JSON is refused with the position of the error, and the text stays @deep', async ({ page, account }) => {
  await fill(page, '{\n  "order_id": "A-1042",\n}');
  await createButton(page).click();
  const further = page.getByLabel('Extra fields');
  await expect(further).toHaveAttribute('aria-invalid', 'true');
  await expect(further).toHaveAccessibleDescription(/This isn’t valid JSON, at line 3 column 1\./);
  await expect(further).toBeFocused();
  await expectClean(page, 'the form with faults');
  await further.fill('{"order_id": "A-1042", "amount": "9"}');
  await expect(further).toHaveAccessibleDescription(/“amount” has a field of its own above/);
  await createButton(page).click();
  await page.getByLabel('Amount', { exact: true }).fill('1,000');
  await createButton(page).click();
  await expect(page.getByText('Is 1,000 one thousand?').first()).toBeVisible();
  await expect(further).toHaveValue('{"order_id": "A-1042", "amount": "9"}');
  expect(await postsOf(account)).toEqual([]);
});

test('a lost answer: resending replays the same bytes, and there is one charge @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await account.fault({ method: 'POST', path: '/v1/charges', when: 'after', drop: true });
  await fill(page, FURTHER);
  await createButton(page).click();
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts).toHaveLength(2);
  expect(posts.at(-1)?.replayed).toBe(true);
  expect(new Set(posts.map(({ idempotency_key: key, body }) => `${key} ${body}`)).size).toBe(1);
  expect((await account.ledger()).executed.charges).toBe(1);
});

test('a refusal is edited as a new charge, every digit as it was typed @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/400/);
  await fill(page, FURTHER);
  await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
  await createButton(page).click();
  await expect(stateOf(page)).toContainText('Refused');
  await page.getByRole('button', { name: 'Edit as a new charge' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('12.50');
  await page.getByLabel('Chain', { exact: true }).fill('tron');
  await createButton(page).click();
  await expectAccepted(page);
  const [refused, accepted] = await postsOf(account);
  expect(accepted?.body).toBe(refused?.body?.replace('bitcoin', 'tron'));
  expect(accepted?.idempotency_key).not.toBe(refused?.idempotency_key);
});

test('a hostile response is shown as plain text @deep', async ({ page, account }) => {
  const patch = { status: '<script>alert(1)</script>\u202E', deep: { list: ['<img src=x>'] }, id: null };
  await account.fault({ method: 'POST', path: '/v1/charges', patch });
  await page.setViewportSize({ width: 375, height: 800 });
  await fill(page, '{"serial": 123456789012345678901234567890}');
  await createButton(page).click();
  await expectAccepted(page);
  await expect(stateOf(page)).toContainText('<script>alert(1)</script>⟨U+202E⟩');
  await expect(stateOf(page)).toContainText('<img src=x>');
  expect(await page.getByRole('main').locator('script, img').count()).toBe(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('invisible characters are named in the preview and sent unchanged @deep', async ({ page, account }) => {
  await fill(page, '{"note": "a\u202Eb"}');
  expect(await previewOf(page)).toContain('a⟨U+202E⟩b');
  await expect(page.getByText('It holds characters that cannot be seen.')).toBeVisible();
  await createButton(page).click();
  await expectAccepted(page);
  const [post] = await postsOf(account);
  expect(post?.body).toBe('{"asset":"USDT","chain":"tron","amount":"12.50","note":"a\u202Eb"}');
});

test('the same charge again needs confirmation after seeing the first @deep', async ({ page, account }) => {
  await fill(page);
  await createButton(page).click();
  await expectAccepted(page);
  await fill(page);
  await createButton(page).click();
  await expect(page.getByText(/^The same charge was created (just now|\d+ seconds ago)\./)).toBeVisible();
  await expect(createButton(page)).toHaveAccessibleDescription('Confirm above to continue.');
  expect((await account.ledger()).executed.charges).toBe(1);
  await page.getByLabel('This isn’t a duplicate. Create it too.').check();
  await createButton(page).click();
  await expectAccepted(page);
  expect((await account.ledger()).executed.charges).toBe(2);
});

test('a charge is created by keyboard alone @deep', async ({ page, account }) => {
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'New charge' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Asset', { exact: true })).toBeFocused();
  for (const [label, text] of [
    ['Asset', 'USDT'],
    ['Chain', 'tron'],
    ['Amount', '7'],
    ['Extra fields', '{"order_id": 7}'],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: label !== 'Extra fields' }));
    await page.keyboard.type(text);
  }
  await tabTo(page, createButton(page));
  await page.keyboard.press('Enter');
  await expectAccepted(page);
  expect((await postsOf(account)).map(({ body }) => body)).toEqual([
    '{"asset":"USDT","chain":"tron","amount":"7","order_id":7}',
  ]);
});
