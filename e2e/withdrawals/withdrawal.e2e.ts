import {
  BTC,
  bytesOf,
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  review,
  sendButton,
  test,
} from '#e2e/support/withdrawing.ts';

test('a withdrawal goes from the form to the ledger exactly once', { tag: '@forwarded' }, async ({ page, account }) => {
  await page.goto('/balances');
  await page.getByRole('link', { name: 'Withdrawals' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Withdrawals' })).toBeVisible();
  await page.getByRole('link', { name: 'New withdrawal' }).first().click();
  await review(page);
  expect(await postsOf(account)).toEqual([]);
  await sendButton(page).click();
  await expectAccepted(page);

  const [withdrawal, ...more] = await account.withdrawals();
  expect(more).toEqual([]);
  expect(withdrawal).toMatchObject({ ...BTC, status: 'pending' });
  await expectLedger(account, 1);
  expect((await account.ledger()).books['BTC']).toMatchObject({ available: '11.75', locked: '0.25' });
  expect(await postsOf(account)).toHaveLength(1);

  await expect(page.getByRole('region', { name: 'What was sent' })).toContainText(String(withdrawal?.['id']));
  await expect(page.getByText('Matches what you sent ✓')).toBeVisible();
  await page.getByRole('link', { name: 'View withdrawal' }).click();
  await expect(page).toHaveURL(`/withdrawals/${String(withdrawal?.['id'])}`);
  await expect(page.getByText('pending').first()).toBeVisible();
});

test('review shows exactly the bytes and the key that the service then receives', async ({ page, account }) => {
  await openReview(page, { ...BTC, asset: ' BTC ', amount: '0.10' });
  await page.getByText('Request details').click();
  const shown = await page.getByRole('complementary', { name: 'The request' }).locator('pre').innerText();
  await sendButton(page).click();
  await expectAccepted(page);
  const [post] = await postsOf(account);
  expect(post?.body).toBe(bytesOf({ ...BTC, amount: '0.10' }));
  expect(shown).toBe(`POST /v1/withdrawals\nIdempotency-Key: ${post?.idempotency_key}\n\n${post?.body}`);
});

test('review shows the complete destination, and says what is unknown @deep', async ({ page }) => {
  await openReview(page);
  await expect(page.getByText(/^Send\s0\.25\sBTC\sto\sbc1qw50…f3t4\son\sBitcoin$/)).toBeVisible();
  // In groups of four, but complete when copied or read aloud.
  await expect(page.getByRole('definition').getByText(BTC.address, { exact: true })).toBeVisible();
  await expect(page.getByText('Known after sending')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByLabel('Destination address')).toHaveValue(BTC.address);
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(BTC.amount);
});

test('the status follows the service to the chain @deep', async ({ page, account }) => {
  await page.clock.install();
  await openReview(page);
  await sendButton(page).click();
  await expectAccepted(page);
  await page.getByRole('link', { name: 'View withdrawal' }).click();
  const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
  await expect(steps).toHaveText([/Saved/, /Sent/, /Accepted/]);
  await account.advance(60);
  await page.clock.runFor(4_000);
  await expect(page.getByText('broadcasted').first()).toBeVisible();
  const [withdrawal] = await account.withdrawals();
  await expect(page.getByText(String(withdrawal?.['tx_hash'])).first()).toBeVisible();
  await account.advance(300);
  await page.getByRole('region', { name: 'Withdrawal' }).getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('completed').first()).toBeVisible();
  await expect(steps).toHaveText([/Saved/, /Sent/, /Accepted/, /Broadcast/, /Completed.*left your balance/]);
  await expect(page.getByRole('region', { name: 'Amounts' })).toContainText(/Total debited.*0\.25/);
});
