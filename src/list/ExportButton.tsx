import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import type { Page } from '#src/api/paging.ts';
import { isoUtc } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { Dialog } from '#src/ui/Dialog.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Time } from '#src/ui/Time.tsx';
import { continueExport, type CsvColumn, type CsvExport, newExport } from './exportCsv.ts';
import { saveFile } from './saveFile.ts';

interface ExportButtonProps<T> {
  /** Begins the file's name: "deposits". */
  name: string;
  columns: readonly CsvColumn<T>[];
  /** A page with the list's filters, as large as the service gives. */
  fetchPage: (cursor: string | null, signal: AbortSignal | undefined) => Promise<Page<T>>;
  /** The filters in words; empty for all rows. */
  scope: string;
}

type Run = { state: 'running' } | { state: 'failed'; error: unknown } | { state: 'done' };

/** Saves every row of the current filter as CSV: progress while it reads, nothing cut silently. */
export function ExportButton<T extends { id: string }>({ name, columns, fetchPage, scope }: ExportButtonProps<T>) {
  const [run, setRun] = useState<Run | null>(null);
  const [made, setMade] = useState<CsvExport | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const go = async (from: CsvExport) => {
    const abort = new AbortController();
    stop.current = abort;
    setRun({ state: 'running' });
    setMade({ ...from });
    try {
      const onProgress = (now: CsvExport) => setMade({ ...now });
      await continueExport(from, columns, fetchPage, { signal: abort.signal, onProgress });
      save(name, from);
      setRun({ state: 'done' });
    } catch (error) {
      if (abort.signal.aborted) return;
      setRun({ state: 'failed', error });
    }
    setMade({ ...from });
  };
  const close = () => {
    stop.current?.abort();
    setRun(null);
    setMade(null);
  };
  return (
    <>
      <Button variant="quiet" icon={<Download aria-hidden />} onClick={() => void go(newExport(columns))}>
        Export
      </Button>
      <Dialog
        open={run !== null}
        onClose={close}
        title={`Export ${name} as CSV`}
        actions={
          run && made && <Actions run={run} made={made} name={name} onRetry={() => void go(made)} onClose={close} />
        }
      >
        {run && made && <Progress run={run} made={made} scope={scope} />}
      </Dialog>
    </>
  );
}

interface StepProps {
  run: Run;
  made: CsvExport;
}

function Progress({ run, made, scope }: StepProps & { scope: string }) {
  const rows = `${made.rows.toLocaleString()} ${made.rows === 1 ? 'row' : 'rows'}`;
  return (
    <>
      <p className="small sub">{scope === '' ? 'All rows, no filter.' : <bdi>Rows of: {scope}.</bdi>}</p>
      <output aria-live={run.state === 'running' ? 'off' : 'polite'}>
        {run.state === 'running' && `${rows} read`}
        {run.state === 'done' && `${rows} saved, read to the end of the list.`}
        {run.state === 'failed' && `${rows} read before the error; they are kept.`}
        {made.reached !== null && run.state !== 'done' && (
          <>
            , as far as <Time unix={made.reached} />
          </>
        )}
      </output>
      {made.repeated > 0 && <p className="small">{made.repeated} rows came twice and stand in the file once.</p>}
      {made.malformed > 0 && <p className="small">{made.malformed} items had no id and are not in the file.</p>}
      {run.state === 'failed' && <ErrorNotice error={describeError(run.error)} heading="The export stopped" />}
    </>
  );
}

interface ActionsProps extends StepProps {
  name: string;
  onRetry: () => void;
  onClose: () => void;
}

function Actions({ run, made, name, onRetry, onClose }: ActionsProps) {
  if (run.state === 'running') return <Button onClick={onClose}>Cancel export</Button>;
  if (run.state === 'done') {
    return (
      <>
        <Button onClick={() => save(name, made)}>Save again</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </>
    );
  }
  return (
    <>
      <Button variant="primary" onClick={onRetry}>
        Retry
      </Button>
      <Button onClick={() => save(name, made)}>Save the rows so far</Button>
      <Button variant="quiet" onClick={onClose}>
        Discard
      </Button>
    </>
  );
}

/** The name says when it was made, and that a file is not the whole list. */
function save(name: string, made: CsvExport): void {
  const now = isoUtc(Math.floor(Date.now() / 1000)).replaceAll(':', '');
  saveFile(`${name}-${now}${made.complete ? '' : '-incomplete'}.csv`, made.lines);
}
