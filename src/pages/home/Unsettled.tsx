import { Link } from 'react-router';
import type { Operations } from '#src/api/useOperations.ts';
import type { OperationKind } from '#src/lib/operations/kind.ts';
import { KIND } from '#src/lib/operations/kinds.ts';
import { shortChipOf } from '#src/lib/operations/stateMark.ts';
import { type Unsettled as UnsettledOperation, unsettledOf } from '#src/lib/operations/unsettled.ts';
import { paths } from '#src/lib/paths.ts';
import { capital } from '#src/lib/text.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { Time } from '#src/ui/Time.tsx';
import { Part, Reading } from './Part.tsx';

/** What was recorded and nobody has resolved. */
export function Unsettled({ read }: { read: Operations }) {
  const open = unsettledOf(read);
  return (
    <Part title="Operations not resolved">
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
    </Part>
  );
}

function isUnconfirmed({ record }: UnsettledOperation): boolean {
  return record?.state === 'unconfirmed';
}

function OpenTable({ open }: { open: readonly UnsettledOperation[] }) {
  const amounts = open.map(({ record }) => (record === null ? null : KIND[record.kind].aboutOf(record).amount));
  return (
    <div className="table-scroll">
      <table
        className="grid-table labelled home-table"
        aria-label="Operations not resolved"
        style={{ '--int': integerWidth(amounts).css }}
      >
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">State</th>
            <th scope="col">For</th>
            <th scope="col">Recorded</th>
            <th scope="col" className="cash">
              <span>Amount</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {open.map((each) => (
            <OpenRow key={each.key} open={each} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OpenRow({ open: { key, record, firstSentAt } }: { open: UnsettledOperation }) {
  const about = record === null ? null : KIND[record.kind].aboutOf(record);
  return (
    <tr>
      <th scope="row">
        <Link to={paths.operation(key)}>{record === null ? 'A record' : capital(KIND[record.kind].one)}</Link>
      </th>
      <td>
        <StateChip mark={record === null ? UNREADABLE : shortChipOf(record)} big={false} />
      </td>
      <td data-label="For">{about?.place != null && <For kind={record?.kind} place={about.place} />}</td>
      <td data-label="Recorded">{firstSentAt === null ? 'at an unknown time' : <Time unix={firstSentAt} age />}</td>
      <td className="cash" data-label="Amount">
        {about?.amount != null && <Amount value={about.amount} asset={about.asset ?? undefined} />}
      </td>
    </tr>
  );
}

function For({ kind, place }: { kind: OperationKind | undefined; place: string }) {
  return kind && KIND[kind].placeIs === 'words' ? <RawText value={place} max={60} /> : <ShortId value={place} />;
}

const UNREADABLE = { tone: 'alarm', icon: 'triangle', chip: 'Cannot be read' } as const;
