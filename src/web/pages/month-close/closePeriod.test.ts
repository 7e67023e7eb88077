import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import { parseJson } from '#src/shared/answers.ts';
import { createWriteQuota, WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { closedPeriod } from '#src/server/team/testRoutes.ts';
import { closePeriod, PART_BYTES } from './archive.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  setTransport(null);
});

/** A server with the real quota that stores what it accepts. */
function server() {
  const quota = createWriteQuota();
  const taken: string[] = [];
  const refusals: string[] = [];
  setTransport(async (path, { body }) => {
    const id = decodeURIComponent(path).replace('/api/team/', '');
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '5' };
    if (!quota('a', performance.now())) {
      refusals.push(id);
      const error = { type: 'team_error', code: 'too_many', message: 'Too many.', request_id: 'req_1' };
      return Response.json({ error }, { status: 429, headers });
    }
    taken.push(id);
    const { value } = parseJson(typeof body === 'string' ? body : '') as { value: unknown };
    const facts = { id, revision: 1, who: null, created_at: 1, updated_at: 1, deleted: false };
    return Response.json({ ...facts, value });
  });
  return { quota, taken, refusals };
}

/** Advances fake time until the work ends. */
async function finished<T>(work: Promise<T>): Promise<T> {
  const over = vi.fn<() => void>();
  work.then(over, over);
  while (over.mock.calls.length === 0) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise(setImmediate);
  }
  return work;
}

const { parts: _, ...period } = closedPeriod(1, 'closing_real');

test('closing waits if colleagues used up the changes per minute, and loses no part', async () => {
  const { quota, taken, refusals } = server();
  for (let count = 0; count < WRITES_A_MINUTE - 2; count += 1) quota('a', performance.now());
  const closed = await finished(closePeriod('a', period, new Blob([new Uint8Array(PART_BYTES * 3 + 1)])));
  expect(closed.value).toMatchObject({ closing: 'closing_real', parts: 4 });
  expect(refusals).not.toEqual([]);
  const parts = [0, 1, 2, 3].map((part) => `closed-period-parts/closing_real.${part}`);
  expect(taken).toEqual([...parts, 'closed-periods/1']);
});

test('closing gives up after some minutes and says why', async () => {
  setTransport(async () =>
    Response.json(
      { error: { type: 'team_error', code: 'too_many', message: 'Too many.', request_id: 'req_1' } },
      { status: 429, headers: { 'Retry-After': '5' } },
    ),
  );
  await expect(finished(closePeriod('a', period, new Blob(['x'])))).rejects.toMatchObject({ code: 'too_many' });
});
