import { expect, expectLedger, faultOnPost, sendNew, stateOf, test } from './withdrawing.ts';

test('after a deploy, the app is not read again while an operation is being sent', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/404/);
  const happened: string[] = [];
  await faultOnPost(account, { when: 'after', delay: 2_500 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Sending');
  page.on('response', (response) => {
    if (response.request().method() === 'POST') happened.push('answered');
  });
  page.on('request', (request) => {
    if (request.isNavigationRequest()) happened.push('read again');
  });
  // Gone until the app is read again: its preload and its import may ask once each.
  await page.route('**/assets/DepositsPage*.js', (route) =>
    happened.includes('read again') ? route.continue() : route.fulfill({ status: 404 }),
  );
  await page.getByRole('link', { name: 'Deposits' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Deposits' })).toBeVisible();
  expect(happened).toEqual(['answered', 'read again']);
  await expectLedger(account, 1);
});
