import { useJob } from '#src/web/api/paging/job.ts';
import { useSession } from '#src/web/api/session.ts';
import { isoUtc } from '#src/shared/time.ts';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { createExport, type ExportableRow, type ExportFormat, type ExportRun, type ExportSource } from './exportRun.ts';
import { manifestText } from './manifest.ts';
import { downloadSink, FileLost, fileSink, type Sink } from './sinks.ts';

interface Made {
  /** Progress is computed when drawn: sums and a hash per page would take longer than loading the page. */
  run: ExportRun;
  sink: Sink;
  format: ExportFormat;
  elapsedMs: number;
  savedAs: string | null;
}

/** failed: the rows so far are kept; lost: the file cannot be gone on with. */
type Step = 'choice' | 'running' | 'failed' | 'lost' | 'done';

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv;charset=utf-8', jsonl: 'application/jsonl;charset=utf-8' };

/** An export from the choice of its format to the saved file; leaving the page cancels it. */
export function useExport<T extends ExportableRow>(source: ExportSource<T>) {
  const zone = useZone();
  const session = useSession();
  const { job, progress: made, running, error } = useJob<Made | null>(null);
  const ended: Step = made?.savedAs == null ? 'choice' : 'done';
  const failed: Step = error instanceof FileLost ? 'lost' : 'failed';
  const step: Step = made === null ? 'choice' : running ? 'running' : error === null ? ended : failed;

  return {
    step,
    made,
    error,
    /** Must be called in a click: the browser asks for the place of a file. */
    begin: (format: ExportFormat, streamed: boolean): void =>
      void job.run(async (signal, show) => {
        const sink = streamed ? await fileSink(fileNameOf(source.name, format, true)) : downloadSink(TYPES[format]);
        if (sink === null) return;
        const run = createExport(source, { format, zone, sink });
        await carryOut(source.name, { run, sink, format, elapsedMs: 0, savedAs: null }, signal, show);
      }),
    retry: (): void => void (made && job.run((signal, show) => carryOut(source.name, made, signal, show))),
    /** Back to the choice, once the file is lost. */
    chooseAgain: (): void => job.reset(() => null),
    /** Gives the person the rows that were read before the error. */
    keep: (): void =>
      void (
        made &&
        job.run(async (_signal, show) => {
          const savedAs = await close(source.name, made);
          show({ ...made, savedAs });
        })
      ),
    cancel: (): void => {
      job.cancel();
      if (step === 'failed') void made?.sink.discard().catch(() => undefined);
    },
    saveManifest: (): void => {
      if (made?.savedAs == null) return;
      const { path, filters } = source;
      const { service, account } = session;
      const { format, savedAs: fileName } = made;
      const what = { fileName, format, zone, service, account, path, filters };
      const text = manifestText({ ...what, progress: made.run.progress() });
      saveFile(`${fileName}.manifest.json`, [text], 'application/json');
    },
  };
}

async function carryOut(name: string, from: Made, signal: AbortSignal, show: (made: Made) => void): Promise<void> {
  const since = performance.now();
  const now = (): Made => ({ ...from, elapsedMs: from.elapsedMs + performance.now() - since });
  show(from);
  try {
    await from.run.run(signal, () => show(now()));
    const savedAs = await close(name, from);
    show({ ...now(), savedAs });
  } catch (error) {
    show(now());
    if (signal.aborted || error instanceof FileLost) await from.sink.discard().catch(() => undefined);
    throw error;
  }
}

async function close(name: string, { run, sink, format }: Made): Promise<string> {
  const fileName = sink.name ?? fileNameOf(name, format, run.progress().complete);
  await sink.close(fileName);
  return fileName;
}

/** The name says when it was made, and that a file is not the whole list. */
function fileNameOf(name: string, format: ExportFormat, complete: boolean): string {
  const now = isoUtc(Math.floor(Date.now() / 1000)).replaceAll(':', '');
  return `${name}-${now}${complete ? '' : '-incomplete'}.${format}`;
}
