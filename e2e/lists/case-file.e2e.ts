import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import { BTC, ETH, expect, expectAccepted, postsOf, resend, sendAndLose, test } from '#e2e/support/withdrawing.ts';

const sectionOf = (page: Page, name: string) => page.getByRole('region', { name });

async function copiedMarkdown(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a withdrawal’s history and case file: every attempt of a lost and resent payment, whole on paper and redacted as Markdown @deep', async ({
  page,
  context,
  account,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes');
  });
  const other = await withdrawByApi(account, ETH);
  await sendAndLose(page, account);
  await resend(page, account);
  await expectAccepted(page);
  const operation = page.url().split('/').at(-1) ?? '';
  const key = (await postsOf(account)).at(-1)?.idempotency_key ?? '';
  const id = String((await account.withdrawals()).find((row) => row['id'] !== other)?.['id']);
  await account.withdrawal(id, { status: 'broadcasted', tx_hash: 'e6'.repeat(32) });
  await page.getByRole('link', { name: 'View withdrawal' }).click();

  const panel = page.getByRole('region', { name: 'Withdrawal' });
  const steps = panel.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await expect(steps).toHaveText([
    /Saved.*Operation/,
    /Sent.*no response, the connection failed.*Attempt 1$/,
    /Accepted \(confirmed by the resend\).*0\.25\sBTC moved from available to locked.*wd_.*Ledger le_.*, le_/,
    /Resent.*201, accepted.*Attempt 2 · Request req_/,
    /Broadcast.*Hash e6e6e6e.*View on mempool\.space$/,
  ]);
  await expect(steps.getByRole('link', { name: /le_/ })).toHaveAttribute('href', `/ledger?source=${id}`);
  await expect(panel.getByText('Paid once.')).toBeVisible();
  const attempt = steps.getByRole('link', { name: 'Attempt 2' });
  await expect(attempt).toHaveAttribute('href', `/operations/${operation}`);
  await expect(panel.getByText('Sent to its chain, not confirmed yet.', { exact: true })).toBeVisible();
  for (const [name, url] of [
    ['View address on mempool.space', BTC.address],
    ['View on mempool.space', 'e6'.repeat(32)],
  ] as const) {
    const link = panel.getByRole('link', { name }).first();
    await expect(link).toHaveAttribute('href', new RegExp(`^https://.*/${url}$`));
    await expect(link).toHaveAttribute('rel', /noopener/);
  }

  await page.getByRole('button', { name: 'Next withdrawal' }).click();
  await expect(page).toHaveURL(`/withdrawals/${other}`);
  await expect(panel.getByText('Not sent from here')).toBeVisible();
  await page.getByRole('button', { name: 'Previous withdrawal' }).click();
  await expect(steps).toHaveCount(5);

  await panel.getByRole('link', { name: 'Case file' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Case file of a withdrawal' })).toBeFocused();
  await expect(sectionOf(page, 'Ledger entries')).toContainText('2 ledger entries (complete)');
  await expect(sectionOf(page, 'Timeline').getByRole('listitem')).toHaveCount(5);
  await expect(sectionOf(page, 'API calls')).toContainText(`GET /v1/withdrawals/${id}`);
  // The redacted copy is the default.
  await expect(page.getByRole('button', { name: 'Redacted' })).toHaveAttribute('aria-pressed', 'true');
  for (const secret of [BTC.address, 'e6'.repeat(32), key, account.key])
    await expect(page.getByRole('main')).not.toContainText(secret);
  await expect(sectionOf(page, 'Timeline')).toContainText(/Sent.*201, accepted/);

  const casePart = sectionOf(page, 'Reference and note');
  await casePart.getByRole('button', { name: /^Add what the customer says/ }).click();
  await casePart.getByLabel('Customer says').fill(`I never got it at ${BTC.address}`);
  await casePart.getByLabel('Ticket').fill('T-42');
  await casePart.getByRole('button', { name: 'Save' }).click();
  await expect(casePart.getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(casePart).toContainText(/I never got it at \[left out\].*T-42/);
  await page.getByRole('button', { name: 'Reply' }).click();
  const replying = page.getByRole('dialog', { name: 'Reply to the recipient' });
  await expect(replying.getByRole('textbox', { name: 'Text' })).toHaveValue(/We sent you 0\.25 BTC on Bitcoin on/);
  await replying.getByRole('button', { name: 'Copy' }).click();
  const reply = await page.evaluate(() => navigator.clipboard.readText());
  expect(reply).toContain('It is waiting to be confirmed on its blockchain.');
  expect(reply).toContain('Ticket: T-42');
  for (const secret of [BTC.address, key, account.key, id]) expect(reply).not.toContain(secret);

  const markdown = await copiedMarkdown(page);
  for (const part of [id, 'no response, the connection failed', '; replayed; request ID `req_', '`0.25` `BTC`'])
    expect(markdown).toContain(part);
  expect(markdown).toMatch(/^- created_at: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/m);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as Markdown' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^case-file-${id}-\\d{8}T\\d{6}Z\\.md$`));
  const saved = await readFile(await file.path(), 'utf8');
  expect(saved.replace(/^- Made .*$/m, '')).toBe(markdown.replace(/^- Made .*$/m, ''));
  for (const secret of [BTC.address, 'e6'.repeat(32), key, account.key]) expect(saved).not.toContain(secret);

  await page.getByRole('button', { name: 'Full', exact: true }).click();
  await expect(sectionOf(page, 'Recorded here')).toContainText(key);
  await expect(sectionOf(page, 'Raw JSON')).toContainText(`"address": "${BTC.address}"`);
  expect(await copiedMarkdown(page)).toContain(BTC.address);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(sectionOf(page, 'Details')).toContainText(BTC.address);
  for (const hidden of [
    page.getByRole('complementary', { name: 'Index' }),
    page.getByRole('button', { name: 'Print' }),
    page.getByRole('button', { name: 'Edit' }),
  ])
    await expect(hidden).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.getByRole('main')).toHaveCSS('color', 'rgb(0, 0, 0)');
  await page.emulateMedia({ media: 'screen' });
  await expectClean(page, 'the case file of a withdrawal');
});

test('a case file shows hostile fields as text, hides amounts only on screen, and says what was not found @deep', async ({
  page,
  context,
  account,
  expectConsole,
}) => {
  expectConsole(/400/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id } = await account.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '7.25' });
  const hostile = {
    status: '`</details><script>alert(1)</script>\u202E\n# Paid |',
    memo: `12.5 to ${BTC.address}`,
    address: BTC.address,
    '<b>': 'x'.repeat(9000),
  };
  await account.fault({ method: 'GET', path: '/v1/deposits', patch: { data: { 0: hostile } }, times: 99 });
  await page.goto(`/deposits/${id}/case-file?asset=BTC`);
  const facts = sectionOf(page, 'Details');
  await expect(facts).toContainText('</details><script>alert(1)</script>⟨U+202E⟩');
  await expect(facts).toContainText('This status isn’t documented. Ask the provider.');
  await expect(facts).not.toContainText(BTC.address);
  await page.getByRole('button', { name: 'Full', exact: true }).click();
  await expect(facts).toContainText('(cut here: 4,000 of 9,000 characters)');
  await page.getByRole('button', { name: 'Redacted' }).click();
  await expect(facts).toContainText('7.25');
  await expect(page.getByText('Nothing was sent from here for this payment.')).toBeVisible();
  await expect(sectionOf(page, 'Ledger entries')).toContainText('(complete)');
  expect(await page.getByRole('main').locator('script, b:text-is("x")').count()).toBe(0);

  await inAccountMenu(page, 'Hide amounts');
  await expect(facts.getByText('7.25')).toBeHidden();
  await expect(page.getByText('They are in print, copies and files.')).toBeVisible();
  const markdown = await copiedMarkdown(page);
  expect(markdown).toContain('- received_amount: `7.25` `BTC`');
  expect(markdown).toContain('- status: `⟨U+0060⟩</details><script>alert(1)</script>⟨U+202E⟩ # Paid ⟨U+007C⟩`.');
  expect(markdown).toContain('Other fields, left out: `memo`, `<b>`');
  expect(markdown).toContain('- address: `bc1qw5…f3t4`');
  expect(markdown).not.toContain(BTC.address);
  await expectClean(page, 'the case file of a hostile deposit');
  await page.emulateMedia({ media: 'print' });
  await expect(facts.getByText('7.25').first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  await page.getByRole('link', { name: 'Back to the deposit' }).click();
  await expect(page).toHaveURL(`/deposits/${id}?asset=BTC`);
  await page.goto('/deposits/dep_doesNotExist000000000000');
  await page.getByRole('link', { name: 'Case file' }).click();
  await expect(sectionOf(page, 'Details')).toContainText('or belong to another account.');
  await expect(sectionOf(page, 'Ledger entries')).toContainText('0 ledger entries (complete)');
  expect(await copiedMarkdown(page)).toContain('or belong to another account.');
});
