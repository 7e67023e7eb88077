import { CircleQuestionMark } from 'lucide-react';
import { Link, useMatch } from 'react-router';
import type { OperationRecord } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { What } from './What.tsx';

interface Open {
  id: string;
  /** null: the record is damaged, so only that it exists is known. */
  record: OperationRecord | null;
  firstSentAt: number | null;
}

/** On every page but the operation's own: what this browser recorded and nobody has settled. */
export function Banner() {
  const { operations, damaged } = useOperations();
  const here = useMatch('/operations/:id')?.params.id;
  const open: Open[] = [
    ...operations
      .filter(({ state }) => state === 'unconfirmed' || state === 'ready')
      .map((record) => ({ id: record.id, record, firstSentAt: record.firstSentAt })),
    ...damaged
      .filter(({ closed }) => closed === undefined)
      .map(({ id, firstSentAt }) => ({ id, record: null, firstSentAt })),
  ].filter(({ id }) => id !== here);
  const [first] = open;
  if (!first) return null;
  return (
    <section className="banner" aria-label="Not settled">
      <CircleQuestionMark aria-hidden />
      {open.length === 1 ? <One open={first} /> : <Several open={open} />}
    </section>
  );
}

function One({ open: { id, record, firstSentAt } }: { open: Open }) {
  return (
    <>
      <output className="min-w-0 flex-1">
        <b>{headingOf(record)}</b> {record && <What record={record} />}
        <span className="max-[56rem]:hidden">
          {record ? ', ' : 'recorded '}
          <When record={record} at={firstSentAt} />. {adviceOf(record)}
        </span>
      </output>
      <Link className="go" to={paths.operation(id)}>
        Open it
      </Link>
    </>
  );
}

function Several({ open }: { open: Open[] }) {
  return (
    <div className="min-w-0 flex-1">
      <output>
        <b>{open.length} withdrawals are not settled.</b> Do not pay them another way until they are.
      </output>
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {open.map(({ id, record, firstSentAt }) => (
          <li key={id}>
            <Link className="text-ink [&_.n]:inline" to={paths.operation(id)}>
              {record ? <What record={record} /> : 'A damaged record'}
            </Link>
            <span className="max-[56rem]:hidden">
              , <When record={record} at={firstSentAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function When({ record, at }: { record: OperationRecord | null; at: number | null }) {
  const zone = useZone();
  if (at === null) return 'at an unknown time';
  return (
    <>
      {record?.state === 'unconfirmed' ? 'first sent ' : record?.state === 'ready' ? 'recorded ' : ''}
      <Time unix={at} />
      {zone === 'utc' && ' UTC'}
    </>
  );
}

function headingOf(record: OperationRecord | null): string {
  if (record === null) return 'One record of a withdrawal is damaged:';
  return record.state === 'ready' ? 'One withdrawal is recorded, not sent:' : 'One withdrawal is unconfirmed:';
}

function adviceOf(record: OperationRecord | null): string {
  if (record === null) return 'It cannot be sent, and it holds back the same payment.';
  return record.state === 'ready' ? 'Send it or discard it.' : 'Do not pay it another way until it is settled.';
}
