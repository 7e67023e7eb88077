import type { Locator, Page } from 'playwright/test';
import { addByHand, entries, openBookWith } from '#e2e/support/recipients.ts';
import {
  BTC,
  ETH,
  expect,
  expectAccepted,
  expectLedger,
  faultOnPost,
  postsOf,
  resendButton,
  sendButton,
  stateOf,
  test,
} from '#e2e/support/withdrawing.ts';

test('three withdrawals to two suppliers, with a typo, a lost answer and a second tab, are three @deep', async ({
  page,
  context,
  account,
  expectConsole,
}) => {
  test.setTimeout(90_000);
  expectConsole(/409/);
  await openBookWith(page, 'Acme');
  await addByHand(page, 'Miner', BTC.chain, BTC.address);
  await expect(entries(page)).toHaveCount(2);
  await page.goto('/');

  let actions = 0;
  const press = async (what: Locator) => {
    actions += 1;
    await what.click();
  };
  const write = async (field: Locator, text: string) => {
    actions += 1;
    await field.fill(text);
  };
  const asset = (tab: Page) => tab.getByLabel('Asset', { exact: true });
  const amount = (tab: Page) => tab.getByLabel('Amount', { exact: true });
  const begin = (tab: Page) => press(tab.getByRole('link', { name: 'New withdrawal' }).first());
  const choose = async (tab: Page, name: string) => {
    await write(tab.getByRole('combobox', { name: 'Recipient' }), name);
    await press(tab.getByRole('option', { name: new RegExp(name) }));
  };
  const toReview = async (tab: Page) => {
    await press(tab.getByRole('button', { name: 'Review withdrawal' }));
    await expect(tab.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
  };

  // The first supplier, with a typo in the e-mailed address, and another in the amount.
  await begin(page);
  await write(page.getByRole('combobox', { name: 'Recipient' }), ETH.address.replace('5aAeb', '5AAeb'));
  await page.keyboard.press('Tab');
  await expect(page.getByText('Looks like an Ethereum address, but it has a typo.').first()).toBeVisible();
  await choose(page, 'Acme');
  await write(asset(page), 'ETH');
  await write(amount(page), '1,250');
  await press(page.getByRole('button', { name: 'Review withdrawal' }));
  await expect(page.getByText(/^Is 1,250 one thousand two hundred fifty\?/).first()).toBeVisible();
  await write(amount(page), '1.25');
  await toReview(page);
  await expect(page.getByText(/^Send\s1\.25\sETH\sto\sAcme\son\sEthereum$/)).toBeVisible();
  await press(sendButton(page));
  await expectAccepted(page);
  expect(actions).toBeLessThanOrEqual(10);

  // The second supplier: the provider pays, and its response is lost.
  actions = 0;
  await page.goto('/withdrawals');
  await begin(page);
  await choose(page, 'Miner');
  await write(amount(page), BTC.amount);
  await toReview(page);
  await faultOnPost(account, { when: 'after', drop: true });
  await press(sendButton(page));
  await expect(stateOf(page)).toContainText('Unconfirmed');
  await account.advance(16);
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 20_000 });
  await press(resendButton(page));
  await expect(page.getByText('Resend confirmed: it was created once.')).toBeVisible();
  expect(actions).toBeLessThanOrEqual(7);

  // The first supplier again, sent in two tabs.
  actions = 0;
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/withdrawals');
    await begin(tab);
    await choose(tab, 'Acme');
    // The asset of the last payment to it.
    await expect(asset(tab)).toHaveValue('ETH');
    await write(amount(tab), '2');
    await toReview(tab);
  }
  await press(sendButton(page));
  await expectAccepted(page);
  await press(sendButton(other));
  await expect(stateOf(other)).toContainText('Another one for the same came first.');
  expect(actions).toBeLessThanOrEqual(2 * 6);

  // The service’s data, and the list.
  expect((await account.withdrawals()).map((made) => [made['asset'], made['amount'], made['address']])).toEqual([
    ['ETH', '2', ETH.address],
    ['BTC', BTC.amount, BTC.address],
    ['ETH', '1.25', ETH.address],
  ]);
  expect(await postsOf(account)).toHaveLength(4);
  await expectLedger(account, 3);
  await page.goto('/withdrawals');
  await expect(page.getByText('End of list · 3 withdrawals')).toBeVisible();
});
