import { useState, useEffect } from 'react';
import { counted, areOf, numberWords } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import type { ExportableRow, ExportFormat, ExportProgress, ExportSource } from './exportRun.ts';
import { canStream } from './sinks.ts';
import { useExport } from './useExport.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { mayHaveMoved } from './manifest.ts';
import { RowSumsTable } from '#src/web/list/rowSums.tsx';

interface ExportDialogProps<T extends ExportableRow> {
  source: ExportSource<T>;
  /** The filters in words; empty for all rows. */
  scope: string;
  onClose: () => void;
}

const FORMATS = { csv: 'CSV', jsonl: 'JSON Lines' };
const PLACES = { file: 'Choose location…', download: 'Downloads' };

/** Asks for the format, then reads to the end; closing it while it reads cancels and leaves no file. */
export function ExportDialog<T extends ExportableRow>({ source, scope, onClose }: ExportDialogProps<T>) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [place, setPlace] = useState<keyof typeof PLACES>(canStream() ? 'file' : 'download');
  const work = useExport(source);
  const { step, made, error } = work;
  const progress = made && made.run.progress();
  const close = () => {
    work.cancel();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      title={`Export ${source.name.replaceAll('-', ' ')}`}
      wide="max-w-[min(40rem,calc(100vw-2rem))]"
      actions={
        <Actions
          work={work}
          rows={progress?.rows ?? 0}
          onBegin={() => work.begin(format, place === 'file')}
          onClose={close}
        />
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <p className="small sub">{scope === '' ? 'All rows, no filter.' : <bdi>Rows of: {scope}.</bdi>}</p>
        {step === 'choice' && (
          <>
            <div className="flex flex-wrap gap-x-4 gap-y-3">
              <Segmented label="Format" labelVisible value={format} options={FORMATS} onChange={setFormat} />
              {canStream() && (
                <Segmented label="Write to" labelVisible value={place} options={PLACES} onChange={setPlace} />
              )}
            </div>
            <p className="small">
              {format === 'csv'
                ? 'Exact amounts; times as Unix, UTC and local. Safe for spreadsheets.'
                : 'One object per line, with every field the provider sent; no references or notes.'}
            </p>
          </>
        )}
        {step === 'running' && progress?.pages === 0 && <output>Loading…</output>}
        {progress && ((step === 'running' && progress.pages > 0) || step === 'failed') && (
          <ProgressLine
            progress={progress}
            running={step === 'running'}
            elapsedMs={made.elapsedMs}
            ascending={source.filters.order === 'asc'}
          />
        )}
        {step === 'done' && progress && made?.savedAs != null && (
          <ExportedSummary progress={progress} fileName={made.savedAs} filters={source.filters} />
        )}
        {step === 'lost' && <p>Nothing was saved. Export again: into another file, or to Downloads.</p>}
        {error !== null && (
          <ErrorNotice error={error} heading={step === 'lost' ? 'Couldn’t write the file' : 'The export stopped'} />
        )}
      </div>
    </Dialog>
  );
}

interface ProgressLineProps {
  progress: ExportProgress;
  running: boolean;
  elapsedMs: number;
  /** Oldest first. */
  ascending: boolean;
}

function ProgressLine({ progress, running, elapsedMs, ascending }: ProgressLineProps) {
  const { rows, covered, last } = progress;
  const towards = ascending ? 'up to' : 'back to';
  const left = running && covered !== null ? timeLeft(covered, elapsedMs) : null;
  return (
    <>
      {covered !== null && running && (
        <progress
          className="my-2 block h-1.5 w-full appearance-none border-0 bg-skeleton [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-skeleton [&::-webkit-progress-value]:bg-accent"
          max={1}
          value={covered}
          aria-label="Part of the time covered"
        />
      )}
      <output aria-live={running ? 'off' : 'polite'}>
        {counted(rows, 'row', 'rows')}{' '}
        {running ? 'loaded' : rows > 0 ? 'loaded before the error; they are kept.' : 'loaded before the error.'}
        {isPlausibleTime(last?.created_at) && (
          <>
            {running ? `, ${towards} ` : ` They go ${towards} `}
            <Time unix={last.created_at} />
            {!running && '.'}
          </>
        )}
        {left !== null && `, ${left}`}
      </output>
    </>
  );
}

/** By the part of the time that is covered: rows are rarely spread evenly, so it is "about". */
function timeLeft(covered: number, elapsedMs: number): string | null {
  if (covered <= 0.01 || elapsedMs < 1000) return null;
  const seconds = Math.ceil((elapsedMs / 1000) * ((1 - covered) / covered));
  if (seconds < 1) return null;
  return seconds < 90 ? `about ${seconds} s left` : `about ${Math.round(seconds / 60)} min left`;
}

interface ActionsProps {
  work: ReturnType<typeof useExport>;
  /** In the file so far. */
  rows: number;
  onBegin: () => void;
  onClose: () => void;
}

function Actions({ work, rows, onBegin, onClose }: ActionsProps) {
  switch (work.step) {
    case 'choice':
      return (
        <>
          <Button variant="primary" onClick={onBegin}>
            Start export
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      );
    case 'running':
      return <Button onClick={onClose}>Cancel export</Button>;
    case 'failed':
      return (
        <>
          <Button variant="primary" onClick={work.retry}>
            Retry
          </Button>
          {rows > 0 && <Button onClick={work.keep}>Save the rows so far</Button>}
          <Button variant="quiet" onClick={onClose}>
            Discard
          </Button>
        </>
      );
    case 'lost':
      return (
        <>
          <Button variant="primary" onClick={work.chooseAgain}>
            Choose again
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      );
    case 'done':
      break;
  }
  return (
    <>
      <Button variant="primary" onClick={work.saveManifest}>
        Save control totals (JSON)
      </Button>
      <Button onClick={onClose}>Done</Button>
    </>
  );
}

interface ExportedSummaryProps {
  progress: ExportProgress;
  fileName: string;
  filters: PageFilters;
}

const wasOf = (count: number): string => (count === 1 ? 'was' : 'were');
const rowsText = (rows: number): string => counted(rows, 'row', 'rows');

function ExportedSummary({ progress, fileName, filters }: ExportedSummaryProps) {
  const { rows, complete, repeated, malformed, newer, outside, unmatched, totals, sha256 } = progress;
  const withoutId = malformed === 1 ? '1 item had no id and is' : `${numberWords(malformed)} items had no id and are`;
  const leftOut = [
    [repeated, `${rowsText(repeated)} came twice and ${areOf(repeated)} in the file once, as it came first.`],
    [malformed, `${withoutId} not in the file.`],
    [newer, `${rowsText(newer)} came meanwhile and ${areOf(newer)} not in the file.`],
    [outside, `${rowsText(outside)} outside the chosen days ${wasOf(outside)} left out.`],
    [unmatched, `${rowsText(unmatched)} of another chain or amount ${wasOf(unmatched)} left out.`],
  ] as const;
  useEffect(() => announce('Export finished'), []);
  return (
    <>
      <p>
        {rowsText(rows)} exported ({complete ? 'complete' : 'incomplete: rows are missing'})
      </p>
      {leftOut.map(
        ([rows, words]) =>
          rows > 0 && (
            <p key={words} className="small">
              {words}
            </p>
          ),
      )}
      <Facts>
        <TextFact label="File" mono value={fileName} max={120} />
        <Fact label="SHA-256" mono action={<CopyButton value={sha256} label="Copy SHA-256" />}>
          {sha256}
        </Fact>
      </Facts>
      {totals.length > 0 && <RowSumsTable sums={totals} />}
      <p className="small sub">{mayHaveMoved(filters, progress).join(' ')}</p>
    </>
  );
}
