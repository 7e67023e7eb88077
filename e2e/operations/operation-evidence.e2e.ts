import { readFile } from 'node:fs/promises';
import { inAccountMenu } from '#e2e/support/accountMenu.ts';
import { bytesOf, BTC, expect, sendAndLose, test } from '#e2e/support/withdrawing.ts';

test('the evidence is copied as text and as JSON and saved as a file, complete, in UTC and without the API key', async ({
  page,
  context,
  account,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (name: string) => {
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await sendAndLose(page, account);
  await inAccountMenu(page, 'Local');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('region', { name: 'Checks' }).getByRole('listitem').first()).toBeVisible();
  const post = (await account.requests()).find(({ method }) => method === 'POST');
  const key = post?.idempotency_key ?? '';

  await page.getByText('Evidence', { exact: true }).click();
  const text = await copied('Copy evidence');
  expect(page.url()).toContain(key);
  for (const part of [key, bytesOf(BTC), 'POST /v1/withdrawals', 'no response, the connection failed']) {
    expect(text).toContain(part);
  }
  expect(text).toMatch(/First sent, provider's clock: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
  expect(text).toContain('Recent checks:');

  const json = JSON.parse(await copied('Copy as JSON'));
  expect(json.operation).toMatchObject({ key, body: bytesOf(BTC), state: 'unconfirmed', reason: 'no-answer' });
  expect(json.operation.firstSent.provider).toMatch(/Z$/);
  expect(json.operation.attempts).toMatchObject([{ start: expect.stringMatching(/Z$/), lost: 'network' }]);
  expect(json.checks[0].lookAlikes).toHaveLength(1);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe(`countinghouse-operation-${key}.json`);
  const saved = await readFile(await file.path(), 'utf8');
  expect(JSON.parse(saved)).toMatchObject({ operation: json.operation, checks: json.checks });
  for (const evidence of [text, saved]) expect(evidence).not.toContain(account.key);
});
