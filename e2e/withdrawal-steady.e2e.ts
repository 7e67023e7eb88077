import type { Page } from 'playwright/test';
import { LOOK_ALIKE } from './recipients.ts';
import { withdrawByApi } from './withdrawByApi.ts';
import { BTC, ETH, expect, fillForm, test } from './withdrawing.ts';

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
