import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';
import { type MonthJob, type MonthRequest, monthJobSchema } from '#src/shared/contract/monthJobContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { ApiError } from './errors.ts';
import { wait } from './paging/rateLimitPause.ts';
import { isPassing, read, request } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';

/** Small months are done quickly, so polling starts fast and then slows down. */
const FIRST_POLL_MS = 100;
const POLL_MS = 1_000;
/** A server that restarts responds within this time, and still has the job. */
const AWAY_MS = 2 * 60_000;

const parseMonthJob = parseWith(monthJobSchema);

/** The reading of a month stopped, or somebody cancelled it. */
export class MonthStopped extends ApiError {
  readonly job: MonthJob;

  constructor(job: MonthJob) {
    const { problem } = job;
    const message = problem?.message ?? 'It was cancelled.';
    super(message, { kind: 'http', code: problem?.code ?? null, requestId: problem?.request_id ?? null });
    this.job = job;
  }
}

interface FollowOptions {
  signal: AbortSignal;
  /** Called with the job each time it was polled. */
  onLook: (job: MonthJob) => void;
}

/** Starts a task of a month close, or joins the same one that the person started before; resolves with its result. */
export async function runMonthTask(account: string, input: MonthRequest, options: FollowOptions): Promise<MonthJob> {
  const { signal } = options;
  const call = { method: 'POST' as const, path: JOBS_PATH, body: stringifyExact(input), account, signal };
  return follow(account, await request(call, parseMonthJob), options);
}

/** Continues a task that stopped. */
export async function continueMonthTask(account: string, id: string, options: FollowOptions): Promise<MonthJob> {
  const path = `${JOBS_PATH}/${segment(id)}/continue`;
  const call = { method: 'POST' as const, path, body: '{}', account, signal: options.signal };
  return follow(account, await request(call, parseMonthJob), options);
}

async function follow(account: string, started: MonthJob, { signal, onLook }: FollowOptions): Promise<MonthJob> {
  let job = started;
  let lastAnswerAt = performance.now();
  for (let ms = FIRST_POLL_MS; ; ms = Math.min(POLL_MS, ms * 2)) {
    onLook(job);
    if (job.state === 'done') return job;
    if (job.state === 'stopped' || job.state === 'cancelled') throw new MonthStopped(job);
    await wait(ms, signal);
    const path = `${JOBS_PATH}/${segment(job.id)}`;
    try {
      job = (await read(path, undefined, parseMonthJob, { account, signal })).data;
      lastAnswerAt = performance.now();
    } catch (error) {
      const isAway = error instanceof ApiError && isPassing(error) && performance.now() - lastAnswerAt < AWAY_MS;
      if (!isAway) throw error;
    }
  }
}
