import type { Job } from '#src/shared/contract/jobsContract.ts';
import { Time } from '#src/web/ui/Time.tsx';
import { rateWords, rowsText, timeLeft } from './exportWords.ts';

export function ExportMeter({ job: { covered }, className = 'my-2 w-full' }: { job: Job; className?: string }) {
  if (covered === null) return null;
  return (
    <progress
      className={`block h-1.5 appearance-none border-0 bg-skeleton [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-skeleton [&::-webkit-progress-value]:bg-accent ${className}`}
      max={1}
      value={covered}
      aria-label="Part of the time covered"
    />
  );
}

/** The progress of a job that is waiting or running. */
export function ExportStatus({ job }: { job: Job }) {
  const { state, rows, filters, reached_at: reachedAt, waits_until: waitsUntil } = job;
  if (waitsUntil !== null)
    return (
      <>
        {rowsText(rows)} loaded. Waiting for the provider until <Time unix={Math.ceil(waitsUntil / 1_000)} />
      </>
    );
  if (state === 'waiting') return <>{rows > 0 ? `${rowsText(rows)} loaded. ` : ''}Waiting to start</>;
  if (rows === 0) return <>Loading…</>;
  const more = [rateWords(job), timeLeft(job)].filter((words) => words !== null);
  return (
    <>
      {rowsText(rows)} loaded
      {reachedAt !== null && (
        <>
          , {filters.order === 'asc' ? 'up to' : 'back to'} <Time unix={reachedAt} />
        </>
      )}
      {more.map((words) => `, ${words}`).join('')}
    </>
  );
}
