import type { Locator, Page } from 'playwright/test';
import { expect } from './fixtures.ts';
import type { Account, SeenRequest } from './sandbox.ts';

export interface Deposit {
  id: string;
  status: string;
  asset: string;
  chain: string;
  received_amount: string;
  created_at: number;
}

interface List {
  data: Deposit[];
  has_more: boolean;
  next_cursor: string | null;
}

/** All deposits of the service, newest first. */
export async function allDeposits(account: Account): Promise<Deposit[]> {
  const all: Deposit[] = [];
  let after = '';
  for (;;) {
    const page = await account.read<List>(`/v1/deposits?limit=100${after}`);
    all.push(...page.data);
    if (!page.has_more || page.next_cursor === null) return all;
    after = `&starting_after=${encodeURIComponent(page.next_cursor)}`;
  }
}

export const idsOf = (deposits: readonly Deposit[]) => deposits.map(({ id }) => id);

/** The table of deposits. */
export const tableOf = (page: Page): Locator => page.getByRole('table', { name: 'Deposits' });

/** A row by its index in the list, from 0 (aria-rowindex 1 is the head). */
export const rowAt = (page: Page, at: number): Locator =>
  tableOf(page).locator(`[role=row][aria-rowindex="${at + 2}"]`);

/** The row of one deposit. */
export const rowOf = (page: Page, id: string): Locator =>
  tableOf(page)
    .getByRole('row')
    .filter({ has: page.locator(`a[href^="/deposits/${id}"]`) });

/** Ids of the currently rendered rows, by their index in the list. */
async function rowsHere(page: Page): Promise<[number, string][]> {
  return tableOf(page)
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.flatMap((row): [number, string][] => {
        const path = row.querySelector('a')?.getAttribute('href')?.split('?')[0] ?? '';
        const id = decodeURIComponent(path.split('/')[2] ?? '');
        return id === '' ? [] : [[Number(row.getAttribute('aria-rowindex')) - 2, id]];
      }),
    );
}

/** Scrolls a row to the top of the list. */
export async function scrollTo(page: Page, at: number): Promise<void> {
  await rowAt(page, at).evaluate((row) => row.scrollIntoView({ block: 'start' }));
}

export async function scrollToTop(page: Page): Promise<void> {
  await tableOf(page).evaluate((table) => table.parentElement?.scrollTo(0, 0));
}

/** Scrolls through a list with this many rows to its end, and returns all ids. */
export async function scrollThrough(page: Page, count: number): Promise<string[]> {
  const ids: string[] = [];
  await scrollToTop(page);
  while (ids.length < count) {
    await rowAt(page, ids.length).waitFor({ state: 'attached' });
    for (const [at, id] of await rowsHere(page)) if (at === ids.length) ids.push(id);
    await scrollTo(page, ids.length - 1);
  }
  return ids;
}

/** Page size of the list on screen; the tests' own reads use 100. */
export const PAGE = 50;

/** The requests of the list on screen, oldest first. */
export async function listReads(account: Account): Promise<{ query: URLSearchParams; request: SeenRequest }[]> {
  const reads = (await account.requests()).filter(({ path }) => path === '/v1/deposits');
  return reads
    .map((request) => ({ query: new URLSearchParams(request.query), request }))
    .filter(({ query }) => query.get('limit') === String(PAGE));
}

/** The cursors that the list on screen sent, oldest first. */
export async function cursorsSent(account: Account): Promise<string[]> {
  return (await listReads(account)).flatMap(({ query }) => query.get('starting_after') ?? []);
}

/** Waits until the list is on screen. */
export async function openDeposits(page: Page, search = ''): Promise<void> {
  await page.goto(`/deposits${search}`);
  await expect(tableOf(page)).toBeVisible();
}
