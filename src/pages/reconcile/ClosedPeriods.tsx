import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Link } from 'react-router';
import type { ClosedPeriod } from '#src/api/statementContract.ts';
import type { TeamItem } from '#src/api/teamContract.ts';
import { numberWords } from '#src/lib/count.ts';
import { byWhom } from '#src/lib/text.ts';
import { paths } from '#src/lib/paths.ts';
import { Button } from '#src/ui/Button.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { Time } from '#src/ui/Time.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { searchOf } from './period.ts';

interface ClosedPeriodsProps {
  /** Oldest first. */
  closed: readonly Period[];
  onDownload: (period: ClosedPeriod) => void;
}

/** Gives the person a closed period again, byte for byte; `problem`: why the last one could not be given. */
export function useDownload(account: string) {
  const { mutate, error } = useMutation({
    networkMode: 'always',
    mutationFn: async (period: ClosedPeriod) => {
      const [{ readZip }, { saveBlob }] = await Promise.all([import('./archive.ts'), import('#src/ui/saveFile.ts')]);
      saveBlob(period.zip.name, await readZip(period, { account }));
    },
  });
  return { problem: error, download: (period: ClosedPeriod) => mutate(period) };
}

/** The periods that were closed, the newest first. */
export function ClosedPeriods({ closed, onDownload }: ClosedPeriodsProps) {
  if (closed.length === 0) return null;
  return (
    <section aria-labelledby="closed-periods" className="grid gap-3 pb-6">
      <h2 id="closed-periods" className="px-gutter">
        Closed periods
      </h2>
      <DataTable
        className="grid-table labelled"
        label="Closed periods"
        rows={closed.toReversed()}
        columns={columnsOf(onDownload)}
        keyOf={({ id }) => id}
      />
    </section>
  );
}

type Period = TeamItem<ClosedPeriod>;

function columnsOf(onDownload: (period: ClosedPeriod) => void): DataColumn<Period>[] {
  return [
    {
      name: 'Period',
      isHead: true,
      cell: ({ value }) => (
        <Link to={`${paths.reconcile}?${searchOf(value)}`}>
          <UntrustedText value={value.name} max={80} />
        </Link>
      ),
    },
    { name: 'Statement', className: 'num', cell: ({ value }) => value.number },
    { name: 'Deposits', className: 'num', cell: ({ value }) => numberWords(value.rows.deposits) },
    { name: 'Adjustments', className: 'num', cell: ({ value }) => numberWords(value.rows.adjustments) },
    {
      name: 'Closed',
      cell: ({ who, created_at: at }) => (
        <>
          <Time unix={at} />
          {byWhom(who)}
        </>
      ),
    },
    { name: 'SHA-256', cell: ({ value }) => <Hash value={value.zip.sha256} /> },
    {
      name: 'File',
      cell: ({ value }) => (
        <Button
          size="small"
          icon={<Download className="icon-s" aria-hidden />}
          aria-label={`Download ${value.name}`}
          onClick={() => onDownload(value)}
        >
          ZIP
        </Button>
      ),
    },
  ];
}

function Hash({ value }: { value: string }) {
  return (
    <span className="whitespace-nowrap">
      <span className="mono" data-tip={value}>
        {value.slice(0, 12)}…
      </span>{' '}
      <CopyButton value={value} label="Copy SHA-256" />
    </span>
  );
}
