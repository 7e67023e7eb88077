import { expect, test } from 'vitest';
import { ApiError, saysNotFound } from '#src/web/api/errors.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import { walkRange } from './walkRange.ts';

const notFound = () =>
  new ApiError('gone', { kind: 'http', status: 404, type: 't', code: 'not_found', requestId: 'req_1' });
const page: Page<{ id: string; created_at: number }> = {
  data: [{ id: 'a', created_at: 1_790_000_000 }],
  ...{ malformed: [], has_more: true, next_cursor: 'a', requestId: null, date: null, readAt: 0 },
};

/** The error after `pages` pages if the service then responds with 404. */
async function failureAfter(pages: number): Promise<unknown> {
  let asked = 0;
  const read = async () => {
    asked += 1;
    if (asked > pages) throw notFound();
    return page;
  };
  const range = { from: 1_780_000_000, to: null };
  return walkRange(read, range, () => undefined, new AbortController().signal).catch((error: unknown) => error);
}

test('a list whose first page loaded exists, even if the next page is not found', async () => {
  expect(saysNotFound(await failureAfter(0))).toBe(true);
  const later = await failureAfter(1);
  expect(later).toMatchObject({ requestId: 'req_1', isOfLaterPage: true });
  expect(saysNotFound(later)).toBe(false);
});
