import { useEffect, useRef, useState } from 'react';
import { useSession } from '#src/api/session.ts';
import { isoUtc } from '#src/lib/time.ts';
import { saveFile } from '#src/list/saveFile.ts';
import { useZone } from '#src/ui/zone.tsx';
import {
  createExport,
  type ExportableRow,
  type ExportFormat,
  type ExportProgress,
  type ExportRun,
  type ExportSource,
} from './exportRun.ts';
import { manifestText } from './manifest.ts';
import { downloadSink, FileLost, fileSink, type Sink } from './sinks.ts';

/** One export of a person: under way, failed with all rows so far kept, lost with its file, or saved. */
interface Made {
  step: 'running' | 'failed' | 'lost' | 'done';
  run: ExportRun;
  sink: Sink;
  format: ExportFormat;
  /** null before the first page. */
  progress: ExportProgress | null;
  /** Of the reading under way. */
  elapsedMs: number;
  error: unknown;
  /** The file's name, once the person has it. */
  savedAs: string | null;
}

/** A page comes every few milliseconds; to draw them all would take longer than to read them. */
const SHOWN_EVERY_MS = 100;

const TYPES: Record<ExportFormat, string> = { csv: 'text/csv;charset=utf-8', jsonl: 'application/jsonl;charset=utf-8' };

/** An export from the choice of its format to the saved file; leaving the page cancels it. */
export function useExport<T extends ExportableRow>(source: ExportSource<T>) {
  const zone = useZone();
  const session = useSession();
  const [made, setMade] = useState<Made | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const go = (from: Made): Promise<void> => {
    const abort = new AbortController();
    stop.current = abort;
    return carryOut(source.name, from, abort.signal, setMade);
  };

  return {
    made,
    /** Why no file could be begun; null when none was refused. */
    refused,
    /** Must be called in a click: the browser asks for the place of a file. */
    begin: async (format: ExportFormat, streamed: boolean): Promise<void> => {
      setRefused(null);
      try {
        const sink = streamed ? await fileSink(fileNameOf(source.name, format, true)) : downloadSink(TYPES[format]);
        if (sink === null) return;
        const run = createExport(source, { format, zone, sink });
        const nothing = { progress: null, elapsedMs: 0, error: null, savedAs: null };
        await go({ step: 'running', run, sink, format, ...nothing });
      } catch (error) {
        setRefused(error);
      }
    },
    retry: (): void => void (made && go(made)),
    /** Back to the choice, once the file is lost. */
    chooseAgain: (): void => setMade(null),
    /** Gives the person the rows that were read before the error. */
    keep: async (): Promise<void> => {
      if (!made) return;
      try {
        setMade({
          ...made,
          step: 'done',
          error: null,
          savedAs: await close(source.name, made),
          progress: made.run.progress(),
        });
      } catch (error) {
        setMade({ ...made, ...(await failedWith(made, error)) });
      }
    },
    cancel: (): void => {
      stop.current?.abort();
      if (made?.step === 'failed') void made.sink.discard().catch(() => undefined);
    },
    saveManifest: (): void => {
      if (made?.savedAs == null || session === null) return;
      const { path, filters, columns } = source;
      const { service, account } = session;
      const { format, savedAs: fileName } = made;
      const names = columns.map(({ name }) => name);
      const what = { fileName, format, columns: names, zone, service, account, path, filters };
      const text = manifestText({ ...what, progress: made.run.progress() });
      saveFile(`${fileName}.manifest.json`, [text], 'application/json');
    },
  };
}

/** Reads on and saves the file; what fails is shown, with the rows so far kept. */
async function carryOut(name: string, from: Made, signal: AbortSignal, onChange: (made: Made) => void): Promise<void> {
  const since = performance.now();
  const show = (part: Partial<Made>): void => {
    const progress = from.run.progress();
    onChange({ ...from, error: null, progress, elapsedMs: performance.now() - since, ...part });
  };
  onChange({ ...from, step: 'running', error: null });
  let shownAt: number | null = null;
  const onPage = (): void => {
    const now = performance.now();
    if (shownAt !== null && now - shownAt < SHOWN_EVERY_MS) return;
    shownAt = now;
    show({ step: 'running' });
  };
  try {
    await from.run.run(signal, onPage);
    show({ step: 'done', savedAs: await close(name, from) });
  } catch (error) {
    if (!signal.aborted) show(await failedWith(from, error));
    else await from.sink.discard().catch(() => undefined);
  }
}

async function failedWith({ sink }: Made, error: unknown): Promise<Pick<Made, 'step' | 'error'>> {
  if (!(error instanceof FileLost)) return { step: 'failed', error };
  await sink.discard().catch(() => undefined);
  return { step: 'lost', error };
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
