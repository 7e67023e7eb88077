import type { Page } from 'playwright/test';
import { expect, test as base } from './fixtures.ts';
import type { Account, Fault, SeenRequest } from './sandbox.ts';

export { expect } from './fixtures.ts';

/** Withdrawal tests start with funds in seven assets and nothing else. */
export const test = base.extend({ seed: { deposits: 0, assets: 7 } });

export interface Fields {
  asset: string;
  chain: string;
  amount: string;
  address: string;
}

/** The account starts with 12 BTC and 180 ETH. */
export const BTC: Fields = {
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '0.25',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};
export const ETH: Fields = {
  asset: 'ETH',
  chain: 'ethereum',
  amount: '1.5',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
};

/** The request body for these fields. */
export function bytesOf({ asset, chain, amount, address }: Fields): string {
  return JSON.stringify({ asset, chain, amount, address });
}

export async function fillForm(page: Page, fields: Fields = BTC) {
  await page.getByLabel('Asset', { exact: true }).fill(fields.asset);
  await page.getByLabel('Chain', { exact: true }).fill(fields.chain);
  await page.getByLabel('Amount', { exact: true }).fill(fields.amount);
  await page.getByLabel('Destination address', { exact: true }).fill(fields.address);
}

/** Fills in the open form and goes to its review step. */
export async function review(page: Page, fields: Fields = BTC) {
  await fillForm(page, fields);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Review withdrawal' })).toBeVisible();
}

export async function openReview(page: Page, fields: Fields = BTC) {
  await page.goto('/withdrawals/new');
  await review(page, fields);
}

export function sendButton(page: Page) {
  return page.getByRole('button', { name: 'Send withdrawal' });
}

export async function confirmMoreThanAvailable(page: Page) {
  await page.getByLabel('The amount is right. Send it all the same.').check();
}

export function resendButton(page: Page) {
  return page.getByRole('button', { name: 'Resend' });
}

/** The state of the operation on screen. */
export function stateOf(page: Page) {
  return page.getByRole('region', { name: 'State' });
}

/** The banner on every page except the operation's own. */
export function banner(page: Page) {
  return page.getByRole('region', { name: 'Not resolved', exact: true });
}

/** The URL of an operation's page, which contains its key. */
export const OPERATION = /\/operations\/[0-9a-f]{8}-/;

/** Reviews and sends a new withdrawal; ends on the operation's page. */
export async function sendNew(page: Page, fields: Fields = BTC) {
  await openReview(page, fields);
  await sendButton(page).click();
  await expect(page).toHaveURL(OPERATION);
}

/** Adds a fault for the next POST of a withdrawal. */
export function faultOnPost(account: Account, fault: Fault) {
  return account.fault({ method: 'POST', path: '/v1/withdrawals', ...fault });
}

/** Sends a withdrawal whose response is lost after the service committed it. */
export async function sendAndLose(page: Page, account: Account, fields: Fields = BTC) {
  await faultOnPost(account, { when: 'after', drop: true });
  await sendNew(page, fields);
  await expect(stateOf(page)).toContainText('Unconfirmed');
}

/** Waits until Resend is enabled after a lost attempt, and presses it. */
export async function resend(page: Page, account: Account) {
  await account.advance(16);
  // The server doesn't share the clock of a sandbox behind a network, so it really waits 15 seconds.
  await expect(resendButton(page)).not.toHaveAttribute('aria-disabled', 'true', { timeout: 20_000 });
  await resendButton(page).click();
}

/** The POST attempts that the service received, each once even if it arrived more than once. */
export async function postsOf(account: Account): Promise<SeenRequest[]> {
  const posts = (await account.requests()).filter(({ method }) => method === 'POST');
  return [...new Map(posts.map((post) => [post.attempt ?? post, post])).values()];
}

/** Checks the sandbox's ledger: the number of executed withdrawals, and that every asset sums to zero. */
export async function expectLedger(account: Account, withdrawals: number) {
  const { sums, unbalanced, drifted, executed } = await account.ledger();
  expect(executed.withdrawals).toBe(withdrawals);
  expect({ unbalanced, drifted }).toEqual({ unbalanced: 0, drifted: [] });
  expect(Object.values(sums).filter((sum) => sum !== '0')).toEqual([]);
}

export async function expectAccepted(page: Page) {
  await expect(stateOf(page)).toContainText('Accepted by the provider');
}

/** As expectAccepted(), on an idle page with a fake clock: it polls every fifteen seconds. */
export async function expectFollows(page: Page) {
  await page.clock.runFor(20_000);
  await expectAccepted(page);
}
