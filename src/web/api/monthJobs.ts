import { JOBS_PATH } from '#src/shared/contract/jobsContract.ts';
import { type MonthJob, type MonthRequest, monthJobSchema } from '#src/shared/contract/monthJobContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { ApiError } from './errors.ts';
import { wait } from './paging/rateLimitPause.ts';
import { isPassing, read, request } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';

/** Small months are read at once; later looks come less often. */
const FIRST_LOOK_MS = 100;
const LOOK_MS = 1_000;
/** A server that starts again answers within this time, and knows the job. */
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
  /** Called each time that the job was looked at. */
  onLook: (job: MonthJob) => void;
}

/** Starts a task of a month close, or joins the same one that the person started before; resolves with its result. */
export async function runMonthTask(account: string, of: MonthRequest, options: FollowOptions): Promise<MonthJob> {
  const { signal } = options;
  const call = { method: 'POST' as const, path: JOBS_PATH, body: stringifyExact(of), account, signal };
  return follow(account, await request(call, parseMonthJob), options);
}

/** Goes on with a task that stopped. */
export async function continueMonthTask(account: string, id: string, options: FollowOptions): Promise<MonthJob> {
  const path = `${JOBS_PATH}/${segment(id)}/continue`;
  const call = { method: 'POST' as const, path, body: '{}', account, signal: options.signal };
  return follow(account, await request(call, parseMonthJob), options);
}

async function follow(account: string, started: MonthJob, { signal, onLook }: FollowOptions): Promise<MonthJob> {
  let job = started;
  let heardAt = performance.now();
  for (let ms = FIRST_LOOK_MS; ; ms = Math.min(LOOK_MS, ms * 2)) {
    onLook(job);
    if (job.state === 'done') return job;
    if (job.state === 'stopped' || job.state === 'cancelled') throw new MonthStopped(job);
    await wait(ms, signal);
    const path = `${JOBS_PATH}/${segment(job.id)}`;
    try {
      job = (await read(path, undefined, parseMonthJob, { account, signal })).data;
      heardAt = performance.now();
    } catch (error) {
      const isAway = error instanceof ApiError && isPassing(error) && performance.now() - heardAt < AWAY_MS;
      if (!isAway) throw error;
    }
  }
}
