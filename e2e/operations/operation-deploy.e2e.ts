import { expect, expectLedger, openReview, sendButton, stateOf, test } from '#e2e/support/withdrawing.ts';

test('after a deploy, the app is not read again while an operation is being recorded @deep', async ({
  page,
  context,
  account,
  expectConsole,
}) => {
  expectConsole(/404|ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  const happened: string[] = [];
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(true);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  page.on('response', (response) => {
    if (response.request().method() === 'PUT') happened.push('recorded');
  });
  page.on('request', (request) => {
    if (request.isNavigationRequest()) happened.push('read again');
  });
  // Offline, the chunk fails to load just as if the deploy had removed it.
  const missing = page.waitForEvent('requestfailed', (request) => /\/BalancesPage[^/]*\.js$/.test(request.url()));
  await page.getByRole('link', { name: 'Balances' }).click();
  await missing;
  await expect(stateOf(page)).toContainText('Recording');
  expect(happened).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  expect(happened).toEqual(['recorded', 'read again']);
  await expectLedger(account, 1);
});
