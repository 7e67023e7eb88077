import type { Page } from 'playwright/test';
import { listen } from '#e2e/support/heard.ts';
import { LOOK_ALIKE } from '#e2e/support/recipients.ts';
import { withdrawByApi } from '#e2e/support/withdrawByApi.ts';
import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  fillForm,
  openReview,
  resendButton,
  sendAndLose,
  sendButton,
  test,
} from '#e2e/support/withdrawing.ts';

const WIDTHS = [1280, 375] as const;

function reviewButton(page: Page) {
  return page.getByRole('button', { name: 'Review withdrawal' });
}

/** Holds the mouse down on the button for a moment: it must not move away. */
async function pressSlowly(page: Page, said: string) {
  const before = await reviewButton(page).boundingBox();
  if (!before) throw new Error('There is no button to press.');
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  // Two frames, enough for a field's message when it loses focus.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await reviewButton(page).boundingBox()).toEqual(before);
  await page.mouse.up();
  await expect(page.getByText(said).first()).toBeVisible();
}

for (const width of WIDTHS) {
  test.describe(`${width} px wide${width === 1280 ? '' : ' @deep'}`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a click on Review that blurs an invalid address still counts @deep', async ({ page }) => {
      await page.goto('/withdrawals/new');
      await page.getByLabel('Asset', { exact: true }).fill('BTC');
      await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
      await page.getByLabel('Destination address', { exact: true }).focus();
      await page.keyboard.type('ab'.repeat(32));
      await pressSlowly(page, 'hash of a transaction');
      // An untouched field shows its error only on Review.
      await expect(page.getByText('Enter an amount.').first()).toBeVisible();
    });

    test('a click on Review that blurs an unknown chain leads to review @deep', async ({ page }) => {
      await page.goto('/withdrawals/new');
      await fillForm(page, { ...BTC, address: 'new1qqqq' });
      await page.getByLabel('Chain', { exact: true }).fill('newchain');
      // The messages of both fields would move the button, too.
      await expect(page.getByText(/^Unknown chain: /)).toBeVisible();
      await expect(page.getByText(/^This is not a Bitcoin address/).first()).toBeVisible();
      await pressSlowly(page, 'Send ');
      await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
    });

    test('a click on a collapsed section that blurs an invalid amount opens it @deep', async ({ page }) => {
      await page.goto('/withdrawals/new');
      await page.getByLabel('Amount', { exact: true }).fill('zz?');
      const folded = page.getByText('Protected against double payment');
      await folded.scrollIntoViewIfNeeded();
      const { x = 0, y = 0 } = (await folded.boundingBox()) ?? {};
      await page.mouse.move(x + 5, y + 5);
      await page.mouse.down();
      await expect(page.getByText('Use only digits and one point.').first()).toBeVisible();
      await page.mouse.up();
      await expect(page.getByText(/under one Idempotency-Key/)).toBeVisible();
    });

    test('a click on Review counts if the button moves away, and not if the pointer leaves it @deep', async ({
      page,
    }) => {
      await page.goto('/withdrawals/new');
      await fillForm(page);
      await expect(page.getByText(/^First payment to this address/).first()).toBeVisible();
      const { x = 0, y = 0 } = (await reviewButton(page).boundingBox()) ?? {};
      const press = async (by: number) => {
        await page.mouse.move(x + 5, y + 5);
        await page.mouse.down();
        await page.getByLabel('Reference').evaluate((field) => (field.style.marginTop = '120px'));
        await page.mouse.move(x + 5, y + 5 + by);
        await page.mouse.up();
      };
      await press(-60);
      await page.getByLabel('Reference').evaluate((field) => (field.style.marginTop = ''));
      await expect(reviewButton(page)).toBeVisible();
      await press(1);
      await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
    });

    test('the buttons are at the end of the form, and stay visible if it is taller than the window @deep', async ({
      page,
      account,
    }) => {
      await withdrawByApi(account, ETH);
      await page.goto('/withdrawals/new');
      const reference = page.getByLabel('Reference');
      await expect(reference).toBeVisible();
      const gap = async () => {
        const field = await reference.locator('xpath=..').boundingBox();
        const button = await reviewButton(page).boundingBox();
        return button && field ? Math.round(button.y - field.y - field.height) : null;
      };
      await page.setViewportSize({ width, height: 1400 });
      await expect.poll(gap).toBe(25);
      await page.setViewportSize({ width, height: 500 });
      await fillForm(page, { ...ETH, address: LOOK_ALIKE });
      await expect(page.getByText('Characters 7 to 38 differ').first()).toBeAttached();
      await expect(reviewButton(page)).toBeInViewport({ ratio: 1 });
      // The focused element is visible, not behind the buttons.
      await reference.focus();
      const box = await reference.boundingBox();
      const foot = await reviewButton(page).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
    });
  });
}

test('a successful send shows no other message on the way, moves nothing and announces nothing twice @deep', async ({
  page,
}) => {
  const said = await listen(page);
  await openReview(page);
  await said();
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Accepted');
  const heard = await said();
  expect(heard.join('\n')).not.toMatch(/not sent|unconfirmed/i);
  expect(heard.filter((text) => text.startsWith('Accepted by the provider'))).toHaveLength(1);
  expect(new Set(heard).size).toBe(heard.length);
});

test('the end of the wait before a resend is announced, once @deep', async ({ page, account }) => {
  const said = await listen(page);
  await sendAndLose(page, account);
  await expect(resendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await said();
  await account.advance(16);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 20_000 });
  await expect(page.getByText('You can resend now.')).toHaveCount(1);
  expect((await said()).filter((text) => text === 'You can resend now.')).toHaveLength(1);
  // The page's automatic check must not move the button away either.
  await page.addInitScript(() => {
    const places = new Set<number>();
    Object.assign(globalThis, { places });
    const look = () => {
      const resend = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Resend');
      if (resend) places.add(resend.getBoundingClientRect().x);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const checked = page.waitForResponse(/\/check$/);
  await page.reload();
  await checked;
  await expect(page.getByRole('button', { name: 'Check now' })).not.toHaveAttribute('aria-disabled', 'true');
  const places = () => page.evaluate(() => (globalThis as unknown as { places: Set<number> }).places.size);
  expect(await places()).toBe(1);
});
