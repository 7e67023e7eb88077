import { Download, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { Job } from '#src/shared/contract/jobsContract.ts';
import { paths } from '#src/shared/paths.ts';
import { counted } from '#src/shared/text.ts';
import { continueExport, useExportCommand, useOwnJobs } from '#src/web/api/jobs.ts';
import { Button, IconButton } from '#src/web/ui/Button.tsx';
import { describeFilters } from '#src/web/list/filters/filterTable.ts';
import { FILTERS } from '#src/web/list/filters/listFilters.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { DownloadLink, ExportJobDialog } from './ExportDialog.tsx';
import { ExportMeter, ExportStatus } from './ExportProgress.tsx';
import { EXPORTED_WORDS, rowsText, stoppedText } from './exportWords.ts';

/** The bar shows one job: the one whose state comes first here. */
const URGENCY: readonly Job['state'][] = ['running', 'done', 'stopped', 'waiting', 'cancelled'];

/** Jobs hidden in this tab, by id and state. */
const dismissed = new Set<string>();

/** On every page while one of the person's exports is running, and until its file is downloaded. */
export function ExportBar() {
  const jobs = useOwnJobs();
  const [, setDismissals] = useState(dismissed.size);
  const [openId, setOpenId] = useState<string | null>(null);
  const zone = useZone();
  const dismiss = (id: string) => setDismissals(dismissed.add(id).size);
  const news = (jobs ?? [])
    .filter((job) => isNews(job) && !dismissed.has(`${job.id} ${job.state}`))
    .toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state));
  const open = jobs?.find(({ id }) => id === openId);
  const [first, ...others] = news;
  return (
    <>
      {first && (
        <section
          aria-label="Exports"
          className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-b-rule bg-inset px-gutter py-1.5 text-small"
        >
          <BarText job={first} />
          <span className="ml-auto flex items-center gap-2">
            {others.length > 0 && (
              <Link to={paths.exports}>{counted(others.length, 'more export', 'more exports')}</Link>
            )}
            {first.state === 'stopped' && <ContinueButton job={first} />}
            {first.state === 'done' && (
              <DownloadLink job={first} size="small" onDownload={() => dismiss(`${first.id} done`)} />
            )}
            <Button size="small" variant="quiet" aria-haspopup="dialog" onClick={() => setOpenId(first.id)}>
              Details
            </Button>
            {(first.state === 'done' || first.state === 'stopped') && (
              <IconButton label="Hide" onClick={() => dismiss(`${first.id} ${first.state}`)}>
                <X aria-hidden />
              </IconButton>
            )}
          </span>
        </section>
      )}
      {open && (
        <ExportJobDialog
          job={open}
          scope={describeFilters(open.filters, FILTERS, zone)}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  );
}

function isNews({ state, downloaded_at: downloadedAt, file }: Job): boolean {
  if (state === 'done') return file !== null && downloadedAt === null;
  return state !== 'cancelled';
}

function BarText({ job }: { job: Job }): ReactNode {
  const words = EXPORTED_WORDS[job.list];
  if (job.state === 'done')
    return (
      <span className="min-w-0">
        <Download className="icon-s" aria-hidden /> Export of {words} is ready: {rowsText(job.rows)}.
      </span>
    );
  if (job.state === 'stopped')
    return (
      <span className="min-w-0">
        <b>
          Export of {words}: {stoppedText(job)}.
        </b>{' '}
        <bdi>{job.problem?.message}</bdi>
      </span>
    );
  return (
    <>
      <b>Exporting {words}</b>
      <ExportMeter job={job} className="w-32" />
      <span className="min-w-0 num">
        <ExportStatus job={job} />
      </span>
    </>
  );
}

function ContinueButton({ job }: { job: Job }) {
  const { mutate, isPending } = useExportCommand(continueExport);
  return (
    <Button
      size="small"
      disabledReason={isPending ? 'Continuing' : undefined}
      reasonHidden
      onClick={() => mutate(job.id)}
    >
      Continue
    </Button>
  );
}
