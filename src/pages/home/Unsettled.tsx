import { Link } from 'react-router';
import type { Operations } from '#src/api/useOperations.ts';
import type { OperationKind } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { shortChipOf } from '#src/lib/operations/stateMark.ts';
import { type Unsettled as UnsettledOperation, unsettledOf } from '#src/lib/operations/unsettled.ts';
import { paths } from '#src/lib/paths.ts';
import { capital } from '#src/lib/text.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { StateChip } from '#src/ui/Chip.tsx';
import { Time } from '#src/ui/Time.tsx';
import { HomeSection, Reading } from './HomeSection.tsx';

/** What was recorded and nobody has resolved. */
export function Unsettled({ read }: { read: Operations }) {
  const open = unsettledOf(read);
  return (
    <HomeSection title="Operations not resolved">
      {read.status === 'unavailable' && (
        <Notice tone="alarm" title="Operations couldn’t be loaded.">
          {read.reason} What waits for a response is not known here.
        </Notice>
      )}
      {read.status === 'loading' && <Reading what="operations" />}
      {read.status === 'ready' && open.length === 0 && (
        <p className="home-line sub">
          None of the <Link to={paths.operations}>operations</Link> waits for a person.
        </p>
      )}
      {read.setBack && (
        <p className="home-line sub">
          The journal was set back: what was sent in between is not in it.{' '}
          <Link to={paths.operations}>See operations</Link>
        </p>
      )}
      {open.length > 0 && (
        <>
          <p className="home-line sub">
            Don’t pay these any other way until they’re resolved.{' '}
            <Link to={`${paths.operations}${open.every(isUnconfirmed) ? '?state=unconfirmed' : ''}`}>
              See operations
            </Link>
          </p>
          <OpenTable open={open} />
        </>
      )}
    </HomeSection>
  );
}

function isUnconfirmed({ record }: UnsettledOperation): boolean {
  return record?.state === 'unconfirmed';
}

function OpenTable({ open }: { open: readonly UnsettledOperation[] }) {
  return (
    <div className="table-scroll">
      <DataTable
        className="grid-table labelled home-table"
        label="Operations not resolved"
        style={{ '--int': integerWidth(open.map((each) => aboutOf(each)?.amount)).css }}
        rows={open}
        columns={columns}
        keyOf={({ key }) => key}
      />
    </div>
  );
}

function aboutOf({ record }: UnsettledOperation) {
  return record && KIND[record.kind].aboutOf(record);
}

const columns: DataColumn<UnsettledOperation>[] = [
  {
    name: 'Operation',
    isHead: true,
    cell: ({ key, record }) => (
      <Link to={paths.operation(key)}>{record === null ? 'A record' : capital(KIND[record.kind].one)}</Link>
    ),
  },
  {
    name: 'State',
    cell: ({ record }) => <StateChip mark={record === null ? UNREADABLE : shortChipOf(record)} big={false} />,
  },
  {
    name: 'For',
    cell: (open) => {
      const place = aboutOf(open)?.place;
      return place != null && <For kind={open.record?.kind} place={place} />;
    },
  },
  {
    name: 'Recorded',
    cell: ({ firstSentAt: at }) => (at === null ? 'at an unknown time' : <Time unix={at} age />),
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: (open) => {
      const about = aboutOf(open);
      return about?.amount != null && <Amount value={about.amount} asset={about.asset ?? undefined} />;
    },
  },
];

function For({ kind, place }: { kind: OperationKind | undefined; place: string }) {
  return kind && KIND[kind].placeIs === 'words' ? <UntrustedText value={place} max={60} /> : <ShortId value={place} />;
}

const UNREADABLE = { tone: 'alarm', icon: 'triangle', chip: 'Cannot be read' } as const;
