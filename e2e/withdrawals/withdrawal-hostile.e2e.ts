import {
  expect,
  expectLedger,
  faultOnPost,
  postsOf,
  resendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const LONG = 'x'.repeat(20_000);

test('hostile text of the service is isolated and clipped @deep', async ({ page, account }) => {
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  const error = {
    type: 'invalid_request_error',
    code: '<script>alert(1)</script>',
    message: `<img src=x onerror=alert(2)> \u202Egnp.exe 💸 \u0000 ${LONG}`,
    request_id: 'req_<b>bold</b>\u202E',
  };
  await faultOnPost(account, { status: 400, body: JSON.stringify({ error }) });
  await page.setViewportSize({ width: 375, height: 800 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Refused');
  await expect(stateOf(page)).toContainText('<img src=x onerror=alert(2)>');
  await expect(stateOf(page)).toContainText('💸');
  await expect(page.getByText('<script>alert(1)</script>').first()).toBeVisible();
  expect(await page.getByRole('main').locator('script, img, b:text-is("bold")').count()).toBe(0);
  expect((await stateOf(page).innerText()).length).toBeLessThan(3_000);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(dialogs).toBe(0);
  await expectLedger(account, 0);
});

test('hostile fields of an accepted withdrawal are text as well @deep', async ({ page, account }) => {
  const status = `<script>alert(1)</script>\u202E${LONG}`;
  await faultOnPost(account, { patch: { status, surprise: { deep: ['<b>'] } } });
  await page.setViewportSize({ width: 375, height: 800 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Accepted by the provider');
  await expect(page.getByRole('main')).toContainText('<script>alert(1)</script>');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expectLedger(account, 1);
});

for (const [field, value] of [
  ['amount', '9'],
  ['address', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['asset', 'LTC'],
  ['chain', 'litecoin'],
] as const) {
  const patch = { [field]: value };
  test(`a success that echoes another ${field} is an alarm, never "sent" @deep`, async ({ page, account }) => {
    await faultOnPost(account, { patch });
    await account.fault({ method: 'GET', path: '/v1/withdrawals/wd_', patch, times: 99 });
    await sendNew(page);
    await expect(stateOf(page)).toContainText('The response is for another payment.');
    await expect(stateOf(page).getByRole('alert')).toBeVisible();
    await expect(stateOf(page)).not.toContainText('Accepted');
    await expect(resendButton(page)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Compare both' })).toContainText(value);
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByRole('region', { name: 'Checks' })).toContainText('something else under its ID');
    expect(await postsOf(account)).toHaveLength(1);
  });
}
