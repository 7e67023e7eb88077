import {
  BTC,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  openReview,
  postsOf,
  resend,
  resendButton,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

const PAGE = '<h1>Welcome to the hotel</h1><script>document.title = "taken"</script>';

for (const status of [502, 504]) {
  test(`${status} with HTML is unconfirmed, not refused, and never rendered @deep`, async ({ page, account }) => {
    await faultOnPost(account, { status, body: PAGE });
    await sendNew(page);
    await expect(stateOf(page)).toContainText('Unconfirmed');
    await expect(page.getByText('Welcome to the hotel')).toHaveCount(0);
    await expect(page).toHaveTitle(/^Withdrawal of/);
    await resend(page, account);
    await expectAccepted(page);
    await expectLedger(account, 1);
  });
}

test('500 in the envelope: resending uses the same key @deep', async ({ page, account }) => {
  await faultOnPost(account, { status: 500 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  const posts = await postsOf(account);
  expect(posts.map(({ status }) => status)).toEqual([500, 201]);
  expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(1);
  await expectLedger(account, 1);
});

test('a stored failure can only be checked', async ({ page, account }) => {
  await faultOnPost(account, { status: 500, headers: { 'Idempotency-Replayed': 'true' }, times: 9 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('The provider stored a failure.');
  await expect(resendButton(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('region', { name: 'Checks' })).toContainText('absence is not proof.');
  await account.advance(300);
  expect(await postsOf(account)).toHaveLength(1);
});

test('an idempotency key used for another body can only be checked, and no other key is created @deep', async ({
  page,
  account,
}) => {
  const error = {
    type: 'idempotency_error',
    code: 'idempotency_key_reused',
    message: 'Used before.',
    request_id: 'req_1',
  };
  await faultOnPost(account, { status: 409, body: JSON.stringify({ error }) });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('The provider says that the key was used for another body.');
  await expect(page.getByRole('button', { name: /Resend|Start|Edit/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Close manually' })).toBeVisible();
  await expect(page.getByText('“Used before.”')).toBeVisible();
  await account.advance(300);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 0);
});

for (const [words, headers] of [
  ['with Retry-After', { 'Retry-After': '20' }],
  ['without Retry-After', {}],
] as const) {
  test(`429 ${words} backs off and continues under the same key @deep`, async ({ page, account }) => {
    await faultOnPost(account, { status: 429, headers: { ...headers } });
    await openReview(page);
    await sendButton(page).click();
    await expect(stateOf(page)).toContainText('Unconfirmed');
    expect(await postsOf(account)).toHaveLength(1);
    await account.advance(words === 'with Retry-After' ? 21 : 2);
    await expectAccepted(page);
    const posts = await postsOf(account);
    expect(posts.map(({ status }) => status)).toEqual([429, 201]);
    expect(new Set(posts.map(({ idempotency_key: key }) => key)).size).toBe(1);
    await expectLedger(account, 1);
  });
}

for (const [words, fault] of [
  ['cut short', { cutAt: 20 }],
  ['empty', { when: 'after' as const, body: '' }],
] as const) {
  test(`a success ${words} is retried automatically, and the replay is complete @deep`, async ({ page, account }) => {
    await faultOnPost(account, fault);
    await sendNew(page);
    await account.advance(2);
    await expectAccepted(page);
    await expect(page.getByRole('main')).toContainText('Resend confirmed: it was created once.');
    expect(await postsOf(account)).toHaveLength(2);
    await expectLedger(account, 1);
  });
}

test('a captive portal is not the payment service @deep', async ({ page, account }) => {
  await faultOnPost(account, { status: 200, body: PAGE, times: 9 });
  await sendNew(page);
  // Advance a second at a time, as a timer that fires late sends nothing.
  const posts = async () => {
    await account.advance(1);
    return (await postsOf(account)).length;
  };
  await expect.poll(posts).toBe(4);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await expect(stateOf(page)).toContainText('is not the payment provider');
  await expect(page.getByText('Welcome to the hotel')).toHaveCount(0);
  await account.clearFaults();
  await resendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('without Date, Request-Id and the replay marker a success still counts once @deep', async ({ page, account }) => {
  const removeHeaders = ['Date', 'Request-Id', 'Idempotency-Replayed'];
  await faultOnPost(account, { when: 'after', drop: true });
  await faultOnPost(account, { when: 'after', removeHeaders, times: 9 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await resend(page, account);
  await expectAccepted(page);
  await expectLedger(account, 1);
});

test('nothing is sent to a service without a Date; after Discard the form has a new key @deep', async ({
  page,
  account,
  expectConsole,
}) => {
  expectConsole(/503|410/);
  await openReview(page);
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await account.fault({ path: '/v1/balances', removeHeaders: ['Date'], times: 99 });
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('No record yet.');
  await expect(stateOf(page)).toContainText('This request sent nothing.');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(stateOf(page)).toContainText('It was discarded before it was recorded.');
  expect(await postsOf(account)).toEqual([]);
  const first = page.url();
  await account.clearFaults();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue(BTC.address);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await sendButton(page).click();
  await expectAccepted(page);
  await page.goto(first);
  await expect(stateOf(page)).toContainText('Nothing was sent.');
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('after a lost response, a refusal that isn’t a replay doesn’t count as refused @deep', async ({
  page,
  account,
}) => {
  await sendAndLose(page, account);
  await faultOnPost(account, { status: 400, times: 2 });
  await resend(page, account);
  await account.advance(5);
  await expect.poll(async () => (await postsOf(account)).length).toBe(3);
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await expect(stateOf(page)).not.toContainText('Refused');
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  await resendButton(page).click();
  await expectAccepted(page);
  await expectLedger(account, 1);
});
