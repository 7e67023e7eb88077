import {
  BTC,
  ETH,
  banner,
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from './withdrawing.ts';

test('no storage: withdrawals are refused with the reason, and reading works', async ({ page, account }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Blocked by policy.', 'SecurityError');
    };
  });
  await openReview(page);
  await expect(page.getByText('Withdrawals cannot be sent from this browser now.')).toBeVisible();
  await sendButton(page).click();
  await expect(page.getByText('Nothing was recorded or sent.')).toBeVisible();
  await expect(page.getByText('This browser does not let the page record operations').first()).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
  await page.getByRole('link', { name: 'Balances' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'BTC' }).first()).toBeVisible();
});

test('full storage: nothing is sent that could not be recorded', async ({ page, account }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('No room.', 'QuotaExceededError');
    };
  });
  await openReview(page);
  await sendButton(page).click();
  await expect(page.getByText('This browser has no room left to record operations.')).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
  await expectLedger(account, 0);
});

test('a browser that may forget says so, and is allowed', async ({ page, account }) => {
  await page.addInitScript(() => {
    StorageManager.prototype.persist = () => Promise.resolve(false);
    StorageManager.prototype.persisted = () => Promise.resolve(false);
  });
  await sendNew(page);
  await expectAccepted(page);
  await expect(page.getByText('This browser did not promise to keep its records')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy evidence' })).toBeVisible();
  await expectLedger(account, 1);
});

for (const [what, change] of [
  ['body', { body: '{"asset":"BTC","chain":"bitcoin","amount":"9","address":"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"}' }],
  ['state', { state: 'ready' }],
  ['service', { service: 'https://elsewhere.example' }],
] as const) {
  test(`a record whose ${what} was damaged is set aside, never sent, and still blocks the same payment`, async ({
    page,
    account,
    expectConsole,
  }) => {
    expectConsole(/Failed to load resource/);
    await sendAndLose(page, account);
    const operation = page.url();
    await page.evaluate(async (change) => {
      const opened = indexedDB.open('operations');
      await new Promise((resolve) => (opened.onsuccess = resolve));
      const transaction = opened.result.transaction('operations', 'readwrite');
      const rows = transaction.objectStore('operations');
      const all = rows.getAll();
      all.onsuccess = () => rows.put({ ...all.result[0], ...change });
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      opened.result.close();
    }, change);
    await page.goto('/balances');
    await expect(banner(page)).toContainText('One record of an operation is damaged');
    await page.goto(operation);
    await expect(stateOf(page)).toContainText('This record of an operation cannot be trusted.');
    await expect(page.getByRole('button', { name: /Send|Resend/ })).toHaveCount(0);

    await openReview(page, BTC);
    await sendButton(page).click();
    await expect(page).toHaveURL(operation);
    expect(await postsOf(account)).toHaveLength(1);
    await sendNew(page, ETH);
    await expectAccepted(page);
    await expectLedger(account, 2);
  });
}
