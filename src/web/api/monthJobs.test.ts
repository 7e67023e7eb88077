import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MonthJob, MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import { ApiError } from './errors.ts';
import { setTransport } from './http.ts';
import { runMonthTask } from './monthJobs.ts';

// Following a job on the server while that server starts again.

const JOB: MonthJob = {
  id: 'job_1',
  task: 'read',
  from: 1,
  to: 2,
  closed: 0,
  state: 'running',
  doing: 'reading',
  progress: null,
  waits_until: null,
  problem: null,
  month: null,
  late: null,
  moved: [],
  sha256: null,
  prepared_at: null,
};
const REQUEST: MonthRequest = { kind: 'month-close', task: 'read', from: 1, to: 2, closed: 0, reading: null };

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  setTransport(null);
  vi.useRealTimers();
});

/** A server that starts the job, and is away for as long as `isAway` says. */
function serve(isAway: () => boolean, refusal: () => Response = () => new Response('', { status: 502 })): void {
  let asked = 0;
  setTransport(async () => {
    asked += 1;
    if (asked === 1) return Response.json(JOB);
    return isAway() ? refusal() : Response.json({ ...JOB, state: 'done' });
  });
}

async function outcome(): Promise<unknown> {
  const done = runMonthTask('a', REQUEST, { signal: new AbortController().signal, onLook: () => undefined }).catch(
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return done;
}

test('a job is still followed after the server was away for a minute', async () => {
  const since = performance.now();
  serve(() => performance.now() - since < 60_000);
  expect(await outcome()).toMatchObject({ id: 'job_1', state: 'done' });
});

test('two minutes without a response end in an error', async () => {
  const since = performance.now();
  serve(() => performance.now() - since < 10 * 60_000);
  expect(await outcome()).toBeInstanceOf(ApiError);
  expect(performance.now() - since).toBeLessThan(3 * 60_000);
});

test('a refusal ends in an error at once', async () => {
  serve(
    () => true,
    () =>
      Response.json({ error: { type: 't', code: 'not_permitted', message: 'm', request_id: 'r' } }, { status: 403 }),
  );
  const since = performance.now();
  expect(await outcome()).toMatchObject({ code: 'not_permitted' });
  expect(performance.now() - since).toBeLessThan(1_000);
});
