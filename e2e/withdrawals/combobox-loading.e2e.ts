import type { Page } from 'playwright/test';
import { choose } from '#e2e/support/choose.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 5, assets: 3 } });

/** Holds the code of the suggestions back until the returned function is called. */
async function holdSuggestions(page: Page): Promise<() => void> {
  let load = () => {};
  const released = new Promise<void>((resolve) => (load = resolve));
  await page.route('**/assets/ComboboxInput-*.js', async (route) => {
    await released;
    await route.continue();
  });
  return load;
}

test('text typed before the suggestions are loaded highlights the first one, and Enter takes it @deep', async ({
  page,
}) => {
  const load = await holdSuggestions(page);
  await page.goto('/withdrawals/new');
  const chain = page.getByRole('combobox', { name: 'Chain' });
  await chain.click();
  await page.keyboard.type('bit');
  load();

  await expect(page.getByRole('option', { name: 'Bitcoin' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(chain).toHaveValue('bitcoin');
});

test('text typed before the suggestions are loaded stays, and then gets suggestions @deep', async ({ page }) => {
  const load = await holdSuggestions(page);
  await page.goto('/withdrawals/new');
  const chain = page.getByRole('combobox', { name: 'Chain' });
  await chain.click();
  await page.keyboard.type('btcoin');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  load();

  await expect(page.getByRole('option', { name: /btcoin/ })).toBeVisible();
  await expect(chain).toBeFocused();
  await page.keyboard.type('i');
  await expect(chain).toHaveValue('bitcoin');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(chain).toHaveValue('bitcoin');
});

test('a form whose suggestions can’t be loaded accepts typed text @deep', async ({ page, expectConsole }) => {
  expectConsole(/ERR_FAILED/);
  await page.route('**/assets/ComboboxInput-*.js', (route) => route.abort());
  await page.goto('/withdrawals/new');
  const chain = page.getByRole('combobox', { name: 'Chain' });
  await chain.fill('bitcoin');
  // Enter submits nothing here either, as the fault of an empty field would show.
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'Asset' }).fill('BTC');
  await page.getByLabel('Amount', { exact: true }).click();
  await expect(chain).toHaveValue('bitcoin');
  await expect(page.getByRole('heading', { name: 'BTC balance' })).toBeVisible();
  await expect(page.getByText('Enter an amount.')).toHaveCount(0);
});

test('a select whose options can’t be loaded says so, and loads them on Retry @deep', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  await page.route('**/assets/SelectList-*.js', (route) => route.abort());
  await page.goto('/');
  const select = page.getByRole('combobox', { name: 'Asset of the chart' });
  await expect(select).toHaveAccessibleDescription('Couldn’t load the options.');
  await page.unroute('**/assets/SelectList-*.js');
  // Where the browser keeps a failed import, Retry reloads the page, and an option chosen before that would be lost.
  const loaded = page.waitForResponse('**/assets/SelectList-*.js');
  // By keyboard: the page around it may still be loading, and move it away from a pointer.
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await loaded;
  await expect(page.getByText('Couldn’t load the options.')).toHaveCount(0);
  await choose(select, 'ETH');
  await expect(select).toHaveText('ETH');
});
