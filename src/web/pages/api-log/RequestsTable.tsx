import {
  Ban,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Clock,
  type LucideIcon,
  WifiOff,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { revealHidden, counted, numberWords } from '#src/shared/text.ts';
import { formatClock, type Zone, zoneName } from '#src/shared/time.ts';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { type Fold, foldReads, type LoggedCall, outcomeOf } from './calls.ts';
import { outcomeWords, type RequestRecord } from '#src/web/api/requestLog.ts';
import { Chip, type ChipTone } from '#src/web/ui/Chip.tsx';

const PATH_MAX = 240;

interface RequestsTableProps {
  rows: readonly LoggedCall[];
  hrefOf: (number: number) => string;
  openNumber: number | null;
  /** Whether reads that went well stand as one row for each kind of path. */
  folded: boolean;
}

type Line = { fold: Fold; call?: undefined } | { fold?: undefined; call: LoggedCall };

export function RequestsTable({ rows, hrefOf, openNumber, folded }: RequestsTableProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const zone = useZone();
  const { telling, folds } = folded ? foldReads(rows) : { telling: rows, folds: [] };
  const toggle = (name: string) => {
    const next = new Set(unfolded);
    if (!next.delete(name)) next.add(name);
    setUnfolded(next);
  };
  const lines = folds.flatMap((fold): Line[] => {
    const calls = fold.calls.map((call) => ({ call }));
    if (calls.length === 1) return calls;
    return unfolded.has(fold.name) ? [{ fold }, ...calls] : [{ fold }];
  });
  const all = columnsOf({ zone, hrefOf, unfolded, toggle });
  // Beside an open call the rest is said there.
  const columns = openNumber === null ? all : all.slice(0, 3);
  const table = (label: string, rows: readonly Line[]) => (
    <DataTable
      label={label}
      className="grid-table labelled"
      rows={rows}
      columns={columns}
      keyOf={({ fold, call }) => fold?.name ?? String(call?.number)}
      rowClass={({ call }) => (call?.number === openNumber ? 'open' : undefined)}
    />
  );
  const alone = telling.map((call) => ({ call }));
  if (!folded) return table('Calls', alone);
  return (
    <>
      {alone.length === 0 && <p className="px-gutter py-3 text-ink-2">No writes and no errors.</p>}
      {alone.length > 0 && table('Writes and errors', alone)}
      {lines.length > 0 && <h2 className="px-gutter pt-5 pb-2">Reads</h2>}
      {lines.length > 0 && table('Reads', lines)}
    </>
  );
}

interface Columns {
  zone: Zone;
  hrefOf: (number: number) => string;
  unfolded: ReadonlySet<string>;
  toggle: (name: string) => void;
}

function columnsOf({ zone, hrefOf, unfolded, toggle }: Columns): DataColumn<Line>[] {
  return [
    {
      name: 'Started',
      head: (
        <>
          Started <span className="zone">{zoneName(zone)}</span>
        </>
      ),
      cell: ({ fold, call = fold?.calls[0] }) => {
        const unix = Math.floor((call?.attempts[0]?.at ?? 0) / 1000);
        return <span data-tip-unix={unix}>{formatClock(unix, zone)}</span>;
      },
    },
    {
      name: 'Call',
      className: 'w-full max-w-0 narrow:max-w-none',
      cell: ({ fold, call }) =>
        fold ? (
          <FoldButton fold={fold} open={unfolded.has(fold.name)} onToggle={() => toggle(fold.name)} />
        ) : (
          <CallLink call={call} href={hrefOf(call.number)} />
        ),
    },
    {
      name: 'Result',
      className: 'min-w-40 narrow:min-w-0',
      cell: ({ fold, call }) => <Result call={fold?.calls[0] ?? call} />,
    },
    {
      name: 'Took',
      className: 'num min-w-24',
      cell: ({ call }) => (call?.last.ms == null ? '' : `${numberWords(call.last.ms)} ms`),
    },
    {
      name: 'Request ID',
      className: 'hide-narrow min-w-34',
      cell: ({ call }) => call?.last.requestId != null && <ShortId value={call.last.requestId} />,
    },
  ];
}

function FoldButton({ fold: { name, calls }, open, onToggle }: { fold: Fold; open: boolean; onToggle: () => void }) {
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      className="link flex max-w-full items-center gap-1 text-left"
      aria-expanded={open}
      onClick={onToggle}
    >
      <Icon className="icon-s" aria-hidden />
      <span className="mono min-w-0 truncate" data-tip={name}>
        {name}
      </span>{' '}
      ×{numberWords(calls.length)}
    </button>
  );
}

function CallLink({ call: { last }, href }: { call: LoggedCall; href: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={last.method === 'GET' ? 'sub' : 'font-semibold'}>{last.method}</span>
      <Link to={href} className="id min-w-0 truncate" data-row-link>
        <bdi translate="no" data-tip={last.path}>
          {revealHidden(last.path.slice(0, PATH_MAX))}
        </bdi>
      </Link>
    </span>
  );
}

function Result({ call }: { call: LoggedCall | undefined }) {
  if (!call) return null;
  const { attempts, last } = call;
  const notes = [
    ...(attempts.length > 1 ? [counted(attempts.length, 'attempt', 'attempts')] : []),
    ...(last.replayed ? ['replayed'] : []),
    ...(last.answer?.gatewayError == null ? [] : ['by the gateway']),
  ];
  return (
    <span className="flex flex-wrap items-center gap-x-2 narrow:justify-end">
      <OutcomeChip record={last} />
      {notes.length > 0 && <span className="small sub">{notes.join(', ')}</span>}
    </span>
  );
}

/** How a call ended, or that it runs. Its colour is about the call; what became of the money its operation says. */
export function OutcomeChip({ record }: { record: RequestRecord }) {
  const [tone, Icon] = lookOf(record);
  return (
    <Chip tone={tone} icon={<Icon aria-hidden />}>
      {outcomeWords(record)}
    </Chip>
  );
}

function lookOf(record: RequestRecord): [ChipTone, LucideIcon] {
  if (record.outcome === 'running') return ['motion', Clock];
  if (record.outcome === 'aborted') return ['plain', Ban];
  if (record.outcome === 'offline') return ['plain', WifiOff];
  const kind = outcomeOf(record);
  if (kind === '2xx') return ['plain', CircleCheck];
  return kind === 'none' || kind === null ? ['open', CircleQuestionMark] : ['alarm', CircleX];
}
