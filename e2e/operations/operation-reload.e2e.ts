import { HELD } from '#e2e/support/sandbox.ts';
import {
  BTC,
  OPERATION,
  banner,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  openReview,
  postsOf,
  sendAndLose,
  sendButton,
  sendNew,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('if the tab is closed in flight, the server continues, and every page shows the outcome', async ({
  page,
  context,
  account,
}) => {
  await faultOnPost(account, { when: 'after', ...HELD });
  await sendNew(page);
  const operation = page.url();
  await expect(stateOf(page)).toContainText('Sending');
  await page.close();
  const next = await context.newPage();
  await next.goto('/operations');
  await expect(next.getByRole('table', { name: 'Operations' })).toContainText('Sending');
  await expect(banner(next)).toHaveCount(0);
  await account.clearFaults();
  await next.goto(operation);
  await expectAccepted(next);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

test('five reloads in flight send nothing more @deep', async ({ page, account }) => {
  await faultOnPost(account, { when: 'after', ...HELD });
  await sendNew(page);
  for (let reload = 1; reload <= 5; reload += 1) {
    await page.reload();
    await expect(stateOf(page)).toContainText('Sending');
  }
  await account.clearFaults();
  await expectAccepted(page);
  expect(await postsOf(account)).toHaveLength(1);
  await expectLedger(account, 1);
});

for (const when of ['at once', 'after the step back from the review'] as const) {
  test(`a reload ${when} after Send finds the operation @deep`, async ({ page, account }) => {
    page.on('dialog', (dialog) => void dialog.accept());
    await faultOnPost(account, { delay: 800 });
    await openReview(page);
    await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
    const drafts = await sendButton(page).evaluate((button: HTMLElement, then) => {
      if (then !== 'at once') addEventListener('popstate', () => location.reload(), { once: true });
      button.click();
      if (then === 'at once') setTimeout(() => location.reload());
      return sessionStorage.getItem('countinghouse.drafts');
    }, when);
    // If the browser goes back during the reload, it shows the old form, which then links to the operation.
    expect(drafts).toContain(BTC.address);
    await expect(page).toHaveURL(OPERATION);
    await expectAccepted(page);
    expect(await postsOf(account)).toHaveLength(1);
    await expectLedger(account, 1);
  });
}

test('once it is recorded, no form has the sent values @deep', async ({ page, account }) => {
  await sendNew(page);
  await expectAccepted(page);
  await page.goto('/withdrawals/new');
  await expect(page.getByLabel('Destination address', { exact: true })).toHaveValue('');
  await expectLedger(account, 1);
});

test('closing the window asks nothing once it is recorded @deep', async ({ page, account }) => {
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

test('an unconfirmed operation has nothing to edit @deep', async ({ page, account }) => {
  await sendAndLose(page, account);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('combobox')).toHaveCount(0);
  await expect(stateOf(page).getByRole('status').first()).toContainText('We don’t know yet');
});
