import type { Page } from 'playwright/test';
import { LOOK_ALIKE } from './recipients.ts';
import { withdrawByApi } from './withdrawByApi.ts';
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
} from './withdrawing.ts';

const WIDTHS = [1280, 375] as const;

function reviewButton(page: Page) {
  return page.getByRole('button', { name: 'Review withdrawal' });
}

/** Presses the mouse on the button, waits for what that makes the form say, and only then lets go. */
async function pressSlowly(page: Page, said: string) {
  const box = await reviewButton(page).boundingBox();
  if (!box) throw new Error('There is no button to press.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(page.getByText(said).first()).toBeVisible();
  await page.mouse.up();
}

for (const width of WIDTHS) {
  test.describe(`${width} px wide${width === 1280 ? '' : ' @deep'}`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('a press on Review that takes the focus from a wrong address is still a press', async ({ page }) => {
      await page.goto('/withdrawals/new');
      await page.getByLabel('Asset', { exact: true }).fill('BTC');
      await page.getByLabel('Chain', { exact: true }).fill('bitcoin');
      await page.getByLabel('Destination address', { exact: true }).focus();
      await page.keyboard.type('ab'.repeat(32));
      await pressSlowly(page, 'hash of a transaction');
      // Only somebody who asks for the review hears this of a field that nobody was in.
      await expect(page.getByText('Enter an amount.').first()).toBeVisible();
    });

    test('a press on Review that takes the focus from an unknown chain leads to review @deep', async ({ page }) => {
      await page.goto('/withdrawals/new');
      await fillForm(page, { ...BTC, address: 'new1qqqq' });
      await page.getByLabel('Chain', { exact: true }).fill('newchain');
      await pressSlowly(page, 'This chain is not known here');
      await expect(page.getByRole('heading', { level: 1, name: 'Review the withdrawal' })).toBeVisible();
    });

    test('nothing that is typed or left moves the button', async ({ page, account }) => {
      await withdrawByApi(account, ETH);
      await page.goto('/withdrawals/new');
      await expect(page.getByLabel('Asset', { exact: true })).toBeVisible();
      const before = await reviewButton(page).boundingBox();
      const states: [string, string, string][] = [
        ['Asset', 'NEVERHELD', 'never held an asset'],
        ['Chain', 'newchain', 'Chain'],
        ['Amount', '1,000.50', 'comma there for thousands'],
        ['Destination address', `bitcoin:${BTC.address}?amount=3&label=Rent`, 'This chain is not known here'],
        ['Chain', 'bitcoin', 'is a payment link'],
        ['Destination address', ETH.address, 'Ethereum'],
        ['Destination address', BTC.address, 'Well formed for Bitcoin'],
        ['Amount', '0.25', '0.25'],
        ['Chain', 'ethereum', 'not of Ethereum'],
        ['Destination address', LOOK_ALIKE, 'Characters 7 to 38 differ'],
      ];
      for (const [label, text, said] of states) {
        await page.getByLabel(label, { exact: true }).fill(text);
        await page.keyboard.press('Tab');
        if (said !== label && said !== text) await expect(page.getByText(said).first()).toBeAttached();
        expect(await reviewButton(page).boundingBox(), `after ${label} ${text}`).toEqual(before);
      }
    });
  });
}

/** Notes what live regions say, and whether the banner is ever there. */
async function listen(page: Page) {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const last = new WeakMap<Element, string>();
    new MutationObserver(() => {
      for (const region of document.querySelectorAll('[role=status], [role=alert], output')) {
        const text = region.textContent;
        if (text !== '' && last.get(region) !== text) said.push(text);
        last.set(region, text);
      }
      if (document.querySelector('.banner')) said.push('BANNER');
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
}

test('a send that goes well says nothing else on its way, moves nothing and says nothing twice', async ({ page }) => {
  const said = await listen(page);
  await openReview(page);
  await said();
  await sendButton(page).click();
  await expectAccepted(page);
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Accepted');
  const heard = await said();
  expect(heard.join('\n')).not.toMatch(/not sent|unconfirmed|BANNER/i);
  expect(heard.filter((text) => text.startsWith('Accepted by the service'))).toHaveLength(1);
  expect(new Set(heard).size).toBe(heard.length);
});

test('the end of the wait before a resend is announced, once', async ({ page, account }) => {
  const said = await listen(page);
  await sendAndLose(page, account);
  await expect(resendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await said();
  await account.advance(16);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 20_000 });
  await expect(page.getByText('You can resend now.')).toHaveCount(1);
  expect((await said()).filter((text) => text === 'You can resend now.')).toHaveLength(1);
});
