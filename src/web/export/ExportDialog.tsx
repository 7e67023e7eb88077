import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ListName } from '#src/shared/contract/contract.ts';
import {
  type ExportFilters,
  type ExportFormat,
  type ExportSummary,
  FILE_KEPT_HOURS,
  type Job,
} from '#src/shared/contract/jobsContract.ts';
import { paths } from '#src/shared/paths.ts';
import { areOf, numberWords } from '#src/shared/text.ts';
import { type Zone, zoneName, zoneNamed } from '#src/shared/time.ts';
import {
  continueExport,
  deleteJob,
  exportFilePath,
  jobQuery,
  startExport,
  useDownloadStarted,
  useExportCommand,
  useExportJob,
} from '#src/web/api/jobs.ts';
import { useSession } from '#src/web/api/session.ts';
import { CommandButton } from '#src/web/list/CommandButton.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { RowSumsTable } from '#src/web/list/rowSums.tsx';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, buttonClass } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Dialog } from '#src/web/ui/Dialog.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { saveFile } from '#src/web/ui/saveFile.ts';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { DeleteExportButton } from './DeleteExportButton.tsx';
import { ExportMeter, ExportStatus } from './ExportProgress.tsx';
import { EXPORTED_WORDS, rowsText } from './exportWords.ts';

export interface ExportChoice {
  list: ListName;
  filters: ExportFilters;
  /** The filters in words; empty for all rows. */
  scope: string;
}

const FORMATS = { csv: 'CSV', jsonl: 'JSON Lines' };

/** Asks for the format, starts the export on the server, and shows how it goes. */
export function ExportDialog({ list, filters, scope, onClose }: ExportChoice & { onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [id, setId] = useState<string | null>(null);
  const zone = useZone();
  const start = useExportCommand(startExport);
  const job = useExportJob(id);
  const begin = () => {
    const request = { kind: 'export' as const, list, format, zone: requestZone(zone), filters };
    start.mutate(request, { onSuccess: (started) => setId(started === true ? null : started.id) });
  };
  if (job && id !== null) return <ExportJobDialog job={job} scope={scope} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={titleOf(list)}
      wide={WIDE}
      actions={
        <>
          <CommandButton mutation={start} busy="Starting" variant="primary" onPress={begin}>
            Start export
          </CommandButton>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <Scope scope={scope} />
        <Segmented label="Format" labelVisible value={format} options={FORMATS} onChange={setFormat} />
        <p className="small">
          {format === 'csv'
            ? 'Exact amounts; times as Unix, UTC and local. Safe for spreadsheets.'
            : 'One object per line, with every field the provider sent; no references or notes.'}
        </p>
        <p className="small sub">
          The server does this. You can leave the page and download the file later, for {FILE_KEPT_HOURS} hours.
        </p>
      </div>
    </Dialog>
  );
}

/** UTC if the device doesn't name its zone, or names one that the server doesn't know. */
function requestZone(zone: Zone): string {
  const name = zoneName(zone);
  return zoneNamed(name) === null || name === 'local time' ? 'UTC' : name;
}

const WIDE = 'max-w-[min(40rem,calc(100vw-2rem))]';

function titleOf(list: ListName): string {
  return `Export ${EXPORTED_WORDS[list]}`;
}

function Scope({ scope }: { scope: string }) {
  return <p className="small sub">{scope === '' ? 'All rows, no filter.' : <bdi>Rows of: {scope}.</bdi>}</p>;
}

interface ExportJobDialogProps extends Pick<ExportChoice, 'scope'> {
  job: Job;
  onClose: () => void;
}

/** One export, in any state. Closing it changes nothing. */
export function ExportJobDialog({ job, scope, onClose }: ExportJobDialogProps) {
  const isUnderWay = job.state === 'waiting' || job.state === 'running';
  const [wasUnderWay] = useState(isUnderWay);
  useEffect(() => {
    if (wasUnderWay && job.state === 'done') announce('Export finished');
  }, [wasUnderWay, job.state]);
  return (
    <Dialog
      open
      onClose={onClose}
      title={titleOf(job.list)}
      wide={WIDE}
      actions={
        isUnderWay ? <RunningActions job={job} onClose={onClose} /> : <EndedActions job={job} onClose={onClose} />
      }
    >
      <div className="grid grid-cols-1 gap-3">
        <Scope scope={scope} />
        {isUnderWay && (
          <>
            <ExportMeter job={job} />
            <output aria-live="off">
              <ExportStatus job={job} />
            </output>
          </>
        )}
        {job.state === 'stopped' && <StoppedText job={job} />}
        {job.file && <ExportedSummary job={job} file={job.file} />}
        {job.expires_at !== null && (
          <p className="small sub">
            Kept until <Time unix={job.expires_at} />, then deleted.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function StoppedText({ job: { rows, problem } }: { job: Job }) {
  return (
    <div role="alert" className="grid gap-1">
      <h3>The export stopped</h3>
      <p>
        <bdi>{problem?.message}</bdi> {rows > 0 ? `${rowsText(rows)} loaded; they are kept.` : 'No row was loaded.'}
      </p>
      {problem?.request_id != null && (
        <Facts>
          <TextFact label="Request ID" mono value={problem.request_id} max={80} copy="Copy request ID" />
        </Facts>
      )}
    </div>
  );
}

interface ActionsProps {
  job: Job;
  onClose: () => void;
}

function RunningActions({ job, onClose }: ActionsProps) {
  const remove = useExportCommand(deleteJob);
  const navigate = useNavigate();
  return (
    <>
      <CommandButton mutation={remove} busy="Cancelling" onPress={() => remove.mutate(job.id, { onSuccess: onClose })}>
        Cancel export
      </CommandButton>
      <Button
        variant="quiet"
        onClick={() => {
          onClose();
          void navigate(paths.exports);
        }}
      >
        My exports
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Close, keep exporting
      </Button>
    </>
  );
}

function EndedActions({ job, onClose }: ActionsProps) {
  const { account } = useSession();
  const resume = useExportCommand(continueExport);
  const { data } = useQuery({ ...jobQuery(account, job), enabled: job.file !== null });
  const { file } = job;
  return (
    <>
      {job.state === 'stopped' && (
        <CommandButton mutation={resume} busy="Continuing" variant="primary" onPress={() => resume.mutate(job.id)}>
          Continue
        </CommandButton>
      )}
      {file && (file.complete || job.rows > 0) && <DownloadLink job={job} isPrimary={file.complete} />}
      {file && (
        <Button
          disabledReason={data?.manifest == null ? 'Loading' : undefined}
          reasonHidden
          onClick={() =>
            data?.manifest != null && saveFile(`${file.name}.manifest.json`, [data.manifest], 'application/json')
          }
        >
          Save control totals (JSON)
        </Button>
      )}
      <DeleteExportButton job={job} onDeleted={onClose} />
      <Button variant="quiet" onClick={onClose}>
        Done
      </Button>
    </>
  );
}

interface DownloadLinkProps {
  job: Job;
  isPrimary?: boolean;
  size?: 'small';
  onDownload?: () => void;
}

/** A download by the browser. */
export function DownloadLink({ job: { id, file }, isPrimary = true, size, onDownload }: DownloadLinkProps) {
  const downloadStarted = useDownloadStarted();
  return (
    <a
      className={buttonClass(isPrimary ? 'primary' : 'plain', size)}
      href={exportFilePath(id)}
      download={file?.name}
      onClick={() => {
        onDownload?.();
        downloadStarted();
      }}
    >
      {file?.complete === false ? 'Download the rows so far' : 'Download'}
    </a>
  );
}

const wasOf = (count: number): string => (count === 1 ? 'was' : 'were');

function leftOutOf({ repeated, malformed, newer, outside, unmatched }: ExportSummary): [rows: number, words: string][] {
  const withoutId = malformed === 1 ? '1 item had no id and is' : `${numberWords(malformed)} items had no id and are`;
  return [
    [repeated, `${rowsText(repeated)} came twice and ${areOf(repeated)} in the file once, as it came first.`],
    [malformed, `${withoutId} not in the file.`],
    [newer, `${rowsText(newer)} came meanwhile and ${areOf(newer)} not in the file.`],
    [outside, `${rowsText(outside)} outside the chosen days ${wasOf(outside)} left out.`],
    [unmatched, `${rowsText(unmatched)} of another chain or amount ${wasOf(unmatched)} left out.`],
  ];
}

function ExportedSummary({ job, file }: { job: Job; file: NonNullable<Job['file']> }) {
  const { account } = useSession();
  const query = useQuery(jobQuery(account, job));
  const summary = query.data?.summary;
  return (
    <>
      {file.complete && <p>{rowsText(job.rows)} exported (complete)</p>}
      {summary &&
        leftOutOf(summary).map(
          ([rows, words]) =>
            rows > 0 && (
              <p key={words} className="small">
                {words}
              </p>
            ),
        )}
      <Facts>
        <TextFact label="File" mono value={file.name} max={120} />
        <Fact label="SHA-256" mono action={<CopyButton value={file.sha256} label="Copy SHA-256" />}>
          {file.sha256}
        </Fact>
      </Facts>
      {query.error !== null && <LoadError of={query} heading="Couldn’t load the control totals" />}
      {summary && summary.totals.length > 0 && <RowSumsTable sums={summary.totals} />}
      {summary && <p className="small sub">{summary.may_have_moved.join(' ')}</p>}
    </>
  );
}
