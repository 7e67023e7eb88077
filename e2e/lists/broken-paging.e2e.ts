import type { Page } from 'playwright/test';
import {
  cursorsSent,
  type Deposit,
  openDeposits,
  PAGE,
  rowAt,
  scrollThrough,
  scrollTo,
} from '#e2e/support/depositList.ts';
import { expect, test } from '#e2e/support/fixtures.ts';

test.use({ seed: { deposits: 150, assets: 2 } });

const NEXT = 'Loading stopped here: the list may be longer.';

async function scrollDown(page: Page, to: number) {
  for (let at = 10; at < to; at += 10) await scrollTo(page, at);
}

test('the same cursor twice stops the list with a notice', async ({ page, account }) => {
  const { next_cursor } = await account.read<{ next_cursor: string }>(`/v1/deposits?limit=${PAGE}`);
  await account.fault({ path: '/v1/deposits', patch: {} });
  await account.fault({ path: '/v1/deposits', patch: { has_more: true, next_cursor } });
  const before = (await cursorsSent(account)).length;
  await openDeposits(page);
  await scrollDown(page, 2 * PAGE);
  await expect(page.getByText(`The provider sent the same cursor twice. ${NEXT} 100 deposits loaded`)).toBeAttached();
  expect((await cursorsSent(account)).slice(before)).toEqual([next_cursor]);
});

test('more without a cursor stops the list with a notice @deep', async ({ page, account }) => {
  await account.fault({ path: '/v1/deposits', patch: { has_more: true, next_cursor: { $set: null } } });
  await openDeposits(page);
  await scrollDown(page, PAGE);
  await expect(
    page.getByText(`The provider says there is more, but sent no cursor for it. ${NEXT} 50 deposits loaded`),
  ).toBeAttached();
  expect(await cursorsSent(account)).toEqual([]);
});

test('rows behind an empty page are in the list @deep', async ({ page, account }) => {
  const { next_cursor } = await account.read<{ next_cursor: string }>('/v1/deposits?limit=1');
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ object: 'list', data: [], has_more: true, next_cursor });
  await account.fault({ path: '/v1/deposits', status: 200, headers, body });
  const before = (await cursorsSent(account)).length;
  await openDeposits(page);
  await scrollDown(page, PAGE);
  await expect(rowAt(page, PAGE)).toBeAttached();
  expect((await cursorsSent(account)).slice(before)[0]).toBe(next_cursor);
});

test('a row repeated on the next page is shown once, and the repetition is reported @deep', async ({
  page,
  account,
}) => {
  const { data } = await account.read<{ data: Deposit[] }>(`/v1/deposits?limit=${PAGE}`);
  await account.fault({ path: '/v1/deposits', patch: {} });
  await account.fault({ path: '/v1/deposits', patch: { data: { 0: data[3] }, has_more: false, next_cursor: null } });
  await openDeposits(page);
  const ids = await scrollThrough(page, 2 * PAGE - 1);
  expect(new Set(ids).size).toBe(ids.length);
  await expect(page.getByText('End of list · 99 deposits')).toBeAttached();
  await expect(page.getByText('1 came twice and is shown once')).toBeAttached();
});

for (const [what, cursor] of [
  ['with characters that mean something in a URL', 'a+b/c=d%2F&e#f g?h'],
  ['of 4 kB', 'Zm9v'.repeat(1024)],
] as const) {
  test(`a cursor ${what} goes back as it came @deep`, async ({ page, account }) => {
    const last = { object: 'list', data: [{ id: 'dep_last', object: 'deposit' }], has_more: false, next_cursor: null };
    const json = { 'Content-Type': 'application/json' };
    await account.fault({ path: '/v1/deposits', patch: { next_cursor: cursor } });
    await account.fault({ path: '/v1/deposits', status: 200, headers: json, body: JSON.stringify(last) });
    await openDeposits(page);
    await scrollDown(page, PAGE);
    await expect(rowAt(page, PAGE)).toBeAttached();
    await expect(page.getByText('End of list · 51 deposits')).toBeAttached();
    expect(await cursorsSent(account)).toEqual([cursor]);
  });
}
