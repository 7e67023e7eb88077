import { expect, test, vi } from 'vitest';
import { createJob } from './job.ts';

/** A run that reports steps and ends on command. */
function steps() {
  let end: (error?: Error) => void = () => undefined;
  let tell: (step: number) => void = () => undefined;
  let signal = new AbortController().signal;
  const work = (given: AbortSignal, show: (step: number) => void) =>
    new Promise<void>((resolve, reject) => {
      signal = given;
      tell = show;
      end = (error) => (error ? reject(error) : resolve());
    });
  return {
    work,
    tell: (step: number) => tell(step),
    end: (error?: Error) => end(error),
    aborted: () => signal.aborted,
  };
}

test('a run shows its progress, and keeps it with the error that ended it', async () => {
  const job = createJob(0);
  const { work, tell, end } = steps();
  const run = job.run(work);
  expect(job.get()).toEqual({ running: true, progress: 0, error: null });
  tell(3);
  end(new Error('lost'));
  await run;
  expect(job.get()).toMatchObject({ running: false, progress: 3, error: { message: 'lost' } });
  const again = steps();
  const second = job.run(again.work);
  expect(job.get()).toEqual({ running: true, progress: 3, error: null });
  again.end();
  await second;
  expect(job.get()).toEqual({ running: false, progress: 3, error: null });
});

test('another run, a cancel and a reset abort the run under way, which reports nothing more', async () => {
  const job = createJob(0);
  for (const interrupt of [() => void job.run(async () => undefined), job.cancel, () => job.reset(() => 7)]) {
    job.reset(() => 0);
    const former = steps();
    const run = job.run(former.work);
    former.tell(1);
    interrupt();
    expect(former.aborted()).toBe(true);
    const { progress } = job.get();
    former.tell(2);
    former.end(new Error('late'));
    await run;
    expect(job.get()).toEqual({ running: false, progress, error: null });
  }
});

test('an error aborts the run’s parallel requests', async () => {
  const job = createJob(0);
  const { work, end, tell, aborted } = steps();
  const run = job.run(work);
  end(new Error('lost'));
  await run;
  expect(aborted()).toBe(true);
  tell(4);
  expect(job.get()).toMatchObject({ running: false, progress: 0, error: { message: 'lost' } });
});

test('a run is cancelled when the last subscriber leaves', async () => {
  const job = createJob(0);
  const stop = job.subscribe(() => undefined);
  const { work, end, aborted } = steps();
  const run = job.run(work);
  stop();
  expect(aborted()).toBe(true);
  expect(job.get().running).toBe(false);
  end();
  await run;
});

test('some of many steps are reported, and always the last one', async () => {
  vi.useFakeTimers();
  const job = createJob(0);
  const reported: number[] = [];
  job.subscribe(() => reported.push(job.get().progress));
  const { work, tell, end } = steps();
  const run = job.run(work);
  for (let step = 1; step <= 50; step += 1) tell(step);
  expect(job.get().progress).toBe(50);
  expect(reported).toEqual([0]);
  vi.advanceTimersByTime(250);
  expect(reported).toEqual([0, 50]);
  tell(51);
  end();
  await run;
  expect(reported).toEqual([0, 50, 51]);
  vi.advanceTimersByTime(1000);
  expect(reported).toHaveLength(3);
  vi.useRealTimers();
});

test('a reset continues from the latest progress, reported or not', async () => {
  vi.useFakeTimers();
  const job = createJob({ step: 0, stopped: false });
  const reported: number[] = [];
  job.subscribe(() => reported.push(job.get().progress.step));
  void job.run(async (_signal, show) => {
    show({ step: 1, stopped: false });
    show({ step: 2, stopped: false });
    await new Promise(() => undefined);
  });
  expect(reported.at(-1)).toBe(0);
  job.reset((count) => ({ ...count, stopped: true }));
  expect(job.get().progress).toEqual({ step: 2, stopped: true });

  vi.useRealTimers();
});
