import { numberWords } from '#src/lib/count.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { Time } from '#src/ui/Time.tsx';
import type { ExportProgress } from './exportRun.ts';

interface ExportProgressLineProps {
  progress: ExportProgress;
  running: boolean;
  /** How long this reading has taken so far. */
  elapsedMs: number;
}

/** Rows, the time that they cover, and the time left as far as that can be told. */
export function ExportProgressLine({ progress, running, elapsedMs }: ExportProgressLineProps) {
  const { rows, covered, last } = progress;
  const left = running && covered !== null ? timeLeft(covered, elapsedMs) : null;
  return (
    <>
      {covered !== null && running && (
        <progress className="export-bar" max={1} value={covered} aria-label="Part of the time covered" />
      )}
      <output aria-live={running ? 'off' : 'polite'}>
        {rowsText(rows)} {running ? 'loaded' : 'loaded before the error; they are kept.'}
        {isPlausibleTime(last?.created_at) && (
          <>
            {running ? ', back to ' : ' They go back to '}
            <Time unix={last.created_at} />
            {!running && '.'}
          </>
        )}
        {left !== null && `, ${left}`}
      </output>
    </>
  );
}

export function rowsText(rows: number): string {
  return `${numberWords(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

/** By the part of the time that is covered: rows are rarely spread evenly, so it is "about". */
export function timeLeft(covered: number, elapsedMs: number): string | null {
  if (covered <= 0.01 || elapsedMs < 1000) return null;
  const seconds = Math.ceil((elapsedMs / 1000) * ((1 - covered) / covered));
  if (seconds < 1) return null;
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}
