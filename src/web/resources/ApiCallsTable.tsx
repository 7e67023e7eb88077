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
import { Link, useLocation } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { narrowing } from '#src/web/list/filters/filterTable.ts';
import { useFilters } from '#src/web/list/filters/useFilters.ts';
import { useOpenId } from '#src/web/list/useList.ts';
import { revealHidden, counted, numberWords } from '#src/shared/text.ts';
import { formatClock, type Zone, zoneName } from '#src/shared/time.ts';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { type Fold, foldReads, type LoggedCall, outcomeClass } from './apiCalls.ts';
import { CALL_FILTERS } from './apiCallFilters.tsx';
import { outcomeWords, type RequestRecord } from '#src/web/api/requestLog.ts';
import { Chip, type ChipTone } from '#src/web/ui/Chip.tsx';

const PATH_MAX = 240;

type Line = { fold: Fold; call?: undefined } | { fold?: undefined; call: LoggedCall };

/** All calls in one table when filtered; else successful reads are folded below the rest. */
export function ApiCallsTable({ rows }: { rows: readonly LoggedCall[] }) {
  const zone = useZone();
  const { search } = useLocation();
  const openId = useOpenId(paths.apiLog());
  const isFiltered = narrowing(useFilters(CALL_FILTERS).filters, CALL_FILTERS).length > 0;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const next = new Set(unfolded);
    if (!next.delete(name)) next.add(name);
    setUnfolded(next);
  };
  const all = columnsOf({ zone, hrefOf: (number) => paths.apiCall(String(number), search), unfolded, toggle });
  // The detail beside the table shows the other columns' data.
  const columns = openId === undefined ? all : all.slice(0, 3);
  const table = (label: string, lines: readonly Line[]) => (
    <DataTable
      label={label}
      className="grid-table labelled"
      rows={lines}
      columns={columns}
      keyOf={({ fold, call }) => fold?.name ?? String(call?.number)}
      rowClass={({ call }) => (call !== undefined && String(call.number) === openId ? 'open' : undefined)}
    />
  );
  if (isFiltered) return table('Calls', rows.map(lineOf));
  const { notable, folds } = foldReads(rows);
  return (
    <>
      {notable.length === 0 && <p className="px-gutter py-3 text-ink-2">No writes and no errors.</p>}
      {notable.length > 0 && table('Writes and errors', notable.map(lineOf))}
      {folds.length > 0 && <h2 className="px-gutter pt-5 pb-2">Reads</h2>}
      {folds.length > 0 && table('Reads', linesOf(folds, unfolded))}
    </>
  );
}

function lineOf(call: LoggedCall): Line {
  return { call };
}

function linesOf(folds: readonly Fold[], unfolded: ReadonlySet<string>): Line[] {
  return folds.flatMap((fold): Line[] => {
    const calls = fold.calls.map(lineOf);
    if (calls.length === 1) return calls;
    return unfolded.has(fold.name) ? [{ fold }, ...calls] : [{ fold }];
  });
}

interface ColumnContext {
  zone: Zone;
  hrefOf: (number: number) => string;
  unfolded: ReadonlySet<string>;
  toggle: (name: string) => void;
}

function columnsOf({ zone, hrefOf, unfolded, toggle }: ColumnContext): DataColumn<Line>[] {
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

/** The result of a call. Its colour says nothing about the payment: see the operation. */
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
  const kind = outcomeClass(record);
  if (kind === '2xx') return ['plain', CircleCheck];
  return kind === 'none' || kind === null ? ['open', CircleQuestionMark] : ['alarm', CircleX];
}
