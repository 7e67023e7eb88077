import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { authorName } from '#src/shared/author.ts';
import type { Job, JobState } from '#src/shared/contract/jobsContract.ts';
import { paths } from '#src/shared/paths.ts';
import { capital, counted, numberWords, revealHidden } from '#src/shared/text.ts';
import { jobsQuery } from '#src/web/api/jobs.ts';
import { useSession } from '#src/web/api/session.ts';
import { DownloadLink } from '#src/web/export/ExportDialog.tsx';
import { ExportStatus } from '#src/web/export/ExportProgress.tsx';
import { EXPORTED_WORDS, stoppedText } from '#src/web/export/exportWords.ts';
import { describeFilters } from '#src/web/list/filters/filterTable.ts';
import { FILTERS } from '#src/web/list/filters/listFilters.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Time, useZone, ZoneHead } from '#src/web/ui/Time.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';

/** The exports that the server has made, or is making. */
export const exportJobs = {
  title: 'My exports',
  path: paths.exports,
  noun: { one: 'export', many: 'exports' },
  label: 'Exports',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  Empty: () => <EmptyState title="No exports">Export a list, and its file is kept here for 24 hours.</EmptyState>,
  Dialog: lazy(async () => ({ default: (await import('./ExportJob.tsx')).ExportJob })),
} satisfies OwnList<Job>;

export function useExportRows({ open }: { open: (job: Job) => void }): OwnListRows<Job> {
  const { account, person } = useSession();
  const zone = useZone();
  const query = useQuery(jobsQuery(account));
  const rows = query.data;
  const scopeOf = ({ filters }: Job) => describeFilters(filters, FILTERS, zone);
  const columns: DataColumn<Job>[] = [
    {
      name: 'Export',
      isHead: true,
      className: 'min-w-40 whitespace-normal wrap-anywhere',
      cell: (job) => (
        <>
          {capital(EXPORTED_WORDS[job.list])}
          <span className="small sub block font-normal">
            <bdi>{scopeOf(job) || 'All rows'}</bdi>
          </span>
        </>
      ),
    },
    { name: 'State', cell: (job) => <JobStateCell job={job} /> },
    { name: 'Rows', className: 'num', cell: (job) => numberWords(job.rows) },
    { name: 'Started', head: <ZoneHead word="Started" />, cell: (job) => <Time unix={job.created_at} /> },
    // With SIGN_IN=key the list has everyone's exports.
    ...(person === null
      ? [
          {
            name: 'By',
            cell: (job: Job) =>
              job.who === null ? <span className="dim">—</span> : <bdi>{revealHidden(authorName(job))}</bdi>,
          },
        ]
      : []),
    {
      name: 'Kept until',
      cell: ({ expires_at: at }) => (at === null ? <span className="dim">—</span> : <Time unix={at} />),
    },
    {
      name: 'Actions',
      head: <span className="vh">Actions</span>,
      cell: (job) => (
        <span className="acts-row flex-nowrap justify-end">
          {job.state === 'done' && job.file && <DownloadLink job={job} size="small" isPrimary={false} />}
          <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => open(job)}>
            Details
          </Button>
        </span>
      ),
    },
  ];
  return {
    rows,
    query,
    isEmpty: rows?.length === 0,
    columns,
    asOf: 'Files are kept for 24 hours',
    foot: rows && `${counted(rows.length, 'export', 'exports')}.`,
  };
}

const CHIPS = {
  waiting: { tone: 'plain', icon: 'dot', chip: 'Waiting' },
  running: { tone: 'motion', icon: 'dot', chip: 'Exporting' },
  stopped: { tone: 'open', icon: 'triangle', chip: 'Stopped' },
  done: { tone: 'proof', icon: 'check', chip: 'Complete' },
  cancelled: { tone: 'plain', icon: 'dash', chip: 'Cancelled' },
} as const satisfies Record<JobState, object>;

function JobStateCell({ job }: { job: Job }) {
  const isUnderWay = job.state === 'running' || job.state === 'waiting';
  return (
    <>
      <StateChip mark={CHIPS[job.state]} big={false} />
      {isUnderWay && (
        <span className="small sub block">
          <ExportStatus job={job} />
        </span>
      )}
      {job.state === 'stopped' && <span className="small sub block">{stoppedText(job)}</span>}
    </>
  );
}
