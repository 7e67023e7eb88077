import { Link } from 'react-router';
import { counted } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { capital } from '#src/lib/text.ts';
import { KIND_WORDS, aboutOf } from '#src/operations/kindWords.ts';
import type { OperationsView } from '#src/operations/outcomes.ts';
import { shortChipOf } from '#src/operations/stateMark.ts';
import { type Unsettled as UnsettledOperation, unsettledOf } from '#src/operations/unsettled.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { StateChip } from '#src/ui/StateChip.tsx';
import { Time } from '#src/ui/Time.tsx';
import { Part, Reading } from './Part.tsx';

/** What this browser recorded and nobody has settled. */
export function Unsettled({ view }: { view: OperationsView }) {
  const open = unsettledOf(view);
  const { blocks } = view;
  return (
    <Part title="Operations not settled">
      {view.status === 'unavailable' && (
        <Notice tone="alarm" title="The records of this browser cannot be read.">
          {view.reason} What waits for an answer is not known here.
        </Notice>
      )}
      {view.status === 'loading' && <Reading what="records of this browser" />}
      {view.status === 'ready' && open.length === 0 && (
        <p className="home-line sub">
          No operation of this browser waits for an answer. Other browsers keep their own{' '}
          <Link to={paths.operations}>operations</Link>.
        </p>
      )}
      {open.length > 0 && (
        <>
          <p className="home-line sub">
            Recorded in this browser; others keep their own. Do none of them another way until it is settled.{' '}
            <Link to={`${paths.operations}${open.every(isUnconfirmed) ? '?state=unconfirmed' : ''}`}>
              See operations
            </Link>
          </p>
          <OpenTable open={open} />
        </>
      )}
      {blocks.length > 0 && (
        <p className="home-line sub">
          {counted(blocks.length, 'operation', 'operations')} of another account {blocks.length === 1 ? 'is' : 'are'}{' '}
          not settled in this browser. <Link to={paths.operations}>See operations</Link>
        </p>
      )}
    </Part>
  );
}

function isUnconfirmed({ record }: UnsettledOperation): boolean {
  return record?.state === 'unconfirmed';
}

function OpenTable({ open }: { open: readonly UnsettledOperation[] }) {
  const amounts = open.map(({ record }) => (record === null ? null : aboutOf(record).amount));
  return (
    <div className="table-scroll">
      <table
        className="grid-table labelled home-table"
        aria-label="Operations not settled"
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
            <OpenRow key={each.id} open={each} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OpenRow({ open: { id, record, firstSentAt } }: { open: UnsettledOperation }) {
  const about = record === null ? null : aboutOf(record);
  return (
    <tr>
      <th scope="row">
        <Link to={paths.operation(id)}>
          {record === null ? 'Damaged record' : capital(KIND_WORDS[record.kind].one)}
        </Link>
      </th>
      <td>
        <StateChip mark={record === null ? DAMAGED : shortChipOf(record)} big={false} />
      </td>
      <td data-label="For">{about?.place != null && <For record={record} place={about.place} />}</td>
      <td data-label="Recorded">{firstSentAt === null ? 'at an unknown time' : <Time unix={firstSentAt} age />}</td>
      <td className="cash" data-label="Amount">
        {about?.amount != null && <Amount value={about.amount} asset={about.asset ?? undefined} />}
      </td>
    </tr>
  );
}

function For({ record, place }: { record: UnsettledOperation['record']; place: string }) {
  return record?.kind === 'deposit-address' ? <RawText value={place} max={60} /> : <ShortId value={place} />;
}

const DAMAGED = { tone: 'alarm', icon: 'triangle', chip: 'Cannot be read' } as const;
