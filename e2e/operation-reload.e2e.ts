import type { Page } from 'playwright/test';
import {
  BTC,
  banner,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  openReview,
  postsOf,
  resendButton,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from './withdrawing.ts';

test.beforeEach(({ expectConsole }) => expectConsole(/Failed to load resource/));

/** A page that dies after it recorded a withdrawal and before it could say that it sends it. */
async function dieBetweenRecordAndSend(page: Page) {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new Error('The tab is gone.');
    };
  });
  await openReview(page);
  await sendButton(page).click();
  await expect(page).toHaveURL(OPERATION);
  await page.close();
}

test('killed between record and send: the record says so and is sent by hand', async ({ page, context, account }) => {
  await dieBetweenRecordAndSend(page);
  expect(await postsOf(account)).toEqual([]);
  const next = await context.newPage();
  await next.goto('/balances');
  await expect(banner(next)).toContainText('recorded, not sent');
  expect(await postsOf(account)).toEqual([]);
  await banner(next).getByRole('link', { name: 'Open it' }).click();
  await expect(stateOf(next)).toContainText('Nothing has been sent.');
  await sendButton(next).click();
  await expectAccepted(next);
  await expectLedger(account, 1);
});

test('killed between record and send: discarding ends it unsent', async ({ page, context, account }) => {
  await dieBetweenRecordAndSend(page);
  const next = await context.newPage();
  await next.goto('/balances');
  await banner(next).getByRole('link', { name: 'Open it' }).click();
  await next.getByRole('button', { name: 'Discard' }).click();
  await expect(stateOf(next)).toContainText('discarded before anything was sent');
  await next.getByRole('link', { name: 'Balances' }).click();
  await expect(next.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
  await expect(banner(next)).toHaveCount(0);
  expect(await postsOf(account)).toEqual([]);
  await expectLedger(account, 0);
});

test('killed in flight: unconfirmed, with a banner on every page and nothing sent by itself', async ({
  page,
  context,
  account,
}) => {
  await faultOnPost(account, { when: 'after', delay: 8_000 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Sending');
  await expect.poll(async () => (await postsOf(account)).length).toBe(1);
  await page.close();

  const next = await context.newPage();
  await next.goto('/deposits');
  await expect(banner(next)).toContainText('One withdrawal is unconfirmed');
  await expect(banner(next)).toContainText(`${BTC.amount} BTC`);
  await banner(next).getByRole('link', { name: 'Open it' }).click();
  await expect(stateOf(next)).toContainText('The page was closed before an answer came.');
  expect(await postsOf(account)).toHaveLength(1);
  await resendButton(next).click();
  await expectAccepted(next);
  await expectLedger(account, 1);
});

test('five reloads in flight send nothing more', async ({ page, account }) => {
  page.on('dialog', (dialog) => void dialog.accept());
  await faultOnPost(account, { when: 'after', delay: 20_000 });
  await sendNew(page);
  await expect(stateOf(page)).toContainText('Sending');
  for (let reload = 1; reload <= 5; reload += 1) {
    await page.reload();
    await expect(stateOf(page)).toContainText(/Unconfirmed|Sending/);
  }
  await expect(stateOf(page)).toContainText('Unconfirmed');
  expect(await postsOf(account)).toHaveLength(1);
  await resendButton(page).click();
  await expect.poll(async () => (await postsOf(account)).length).toBe(2);
  await expectAccepted(page);
  expect(new Set((await postsOf(account)).map(({ idempotency_key: key }) => key)).size).toBe(1);
  await expectLedger(account, 1);
});

test('closing the window asks first while sending, and only then', async ({ page, account }) => {
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += dialog.type() === 'beforeunload' ? 1 : 0;
    void dialog.dismiss();
  });
  await faultOnPost(account, { when: 'after', delay: 5_000 });
  await openReview(page);
  await sendButton(page).click();
  await expect(stateOf(page)).toContainText('Sending');
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe(1);
  await expectAccepted(page);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
  expect(asked).toBe(1);
});

test('closing the window asks first while one is recorded and not sent', async ({ page, context }) => {
  await dieBetweenRecordAndSend(page);
  const next = await context.newPage();
  let asked = 0;
  next.on('dialog', (dialog) => {
    asked += dialog.type() === 'beforeunload' ? 1 : 0;
    void dialog.dismiss();
  });
  await next.goto('/balances');
  await banner(next).getByRole('link', { name: 'Open it' }).click();
  await expect(stateOf(next)).toContainText('Nothing has been sent.');
  await next.close({ runBeforeUnload: true });
  await expect.poll(() => asked).toBe(1);
  await next.getByRole('button', { name: 'Discard' }).click();
  await expect(stateOf(next)).toContainText('Not sent');
  await next.close({ runBeforeUnload: true });
  await expect.poll(() => next.isClosed()).toBe(true);
  expect(asked).toBe(1);
});

test('closing the window asks nothing while unconfirmed: waiting would help nobody', async ({ page, account }) => {
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await sendAndLose(page, account);
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
  expect(asked).toBe(0);
});

test('an unconfirmed operation has nothing to edit, and says why', async ({ page, account }) => {
  await sendAndLose(page, account);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('combobox')).toHaveCount(0);
  await expect(page.getByText('Nothing here can be edited')).toBeVisible();
  await expect(stateOf(page).getByRole('status').first()).toContainText('Nobody knows yet');
});
