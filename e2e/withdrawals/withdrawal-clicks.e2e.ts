import type { Locator, Page } from 'playwright/test';
import {
  expect,
  expectAccepted,
  expectLedger,
  openReview,
  postsOf,
  sendButton,
  test,
} from '#e2e/support/withdrawing.ts';

const WAYS: [string, (button: Locator, page: Page) => Promise<void>][] = [
  ['a double click', (button) => button.dblclick()],
  ['a triple click @deep', (button) => button.click({ clickCount: 3 })],
  [
    'Enter and a click @deep',
    async (button) => {
      await button.focus();
      await button.press('Enter');
      await button.click({ timeout: 500 }).catch(() => undefined);
    },
  ],
  [
    'Enter held down @deep',
    async (button, page) => {
      await button.focus();
      for (let repeat = 0; repeat < 20; repeat += 1) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
    },
  ],
];

for (const [way, act] of WAYS) {
  test(`${way} on Send withdrawal is one POST`, async ({ page, account }) => {
    await openReview(page);
    // The button is disabled until earlier payments are checked.
    await expect(sendButton(page)).toBeEnabled();
    await act(sendButton(page), page);
    await expectAccepted(page);
    expect(await postsOf(account)).toHaveLength(1);
    await expectLedger(account, 1);
  });
}

test('Enter held down in the form reviews and sends nothing @deep', async ({ page, account }) => {
  await openReview(page);
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await page.getByLabel('Amount', { exact: true }).focus();
  for (let repeat = 0; repeat < 20; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
  expect(await postsOf(account)).toEqual([]);
});
