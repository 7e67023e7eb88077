import { expect } from 'vitest';
import type { Client, Item, HttpPage } from './http.ts';

/** Reads a list forward to its end by 4.5 rules 2 to 4, every filter on every request, and returns its pages. */
export async function pages<T = Item>(
  client: Client,
  path: string,
  filters: Record<string, string> = {},
): Promise<HttpPage<T>[]> {
  const read: HttpPage<T>[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const query = new URLSearchParams(filters);
    if (cursor !== null) query.set('starting_after', cursor);
    const page: HttpPage<T> = await client.page<T>(`${path}?${query}`);
    read.push(page);
    if (!page.has_more) {
      expect(page.next_cursor).toBeNull();
      return read;
    }
    expect(page.data.length, 'a page with more after it is not empty').toBeGreaterThan(0);
    cursor = page.next_cursor ?? '';
    expect(cursors, 'a cursor never comes twice').not.toContain(cursor);
    cursors.add(cursor);
  }
}

/** All items of a list, in the order of the list. */
export async function all<T = Item>(client: Client, path: string, filters: Record<string, string> = {}): Promise<T[]> {
  return (await pages<T>(client, path, { limit: '100', ...filters })).flatMap((page) => page.data);
}

/** The ids, which must differ from each other. */
export function distinctIds(items: readonly { id: string }[]): string[] {
  const ids = items.map((item) => item.id);
  expect(new Set(ids).size, 'no id twice').toBe(ids.length);
  return ids;
}
