import { CircleQuestionMark } from 'lucide-react';
import { Link, useMatch } from 'react-router';
import type { OperationRecord } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { capital } from '#src/lib/text.ts';
import { Time } from '#src/ui/Time.tsx';
import { useZone } from '#src/ui/zone.tsx';
import { KIND_WORDS } from '#src/operations/kindWords.ts';
import { type Unsettled, unsettledOf } from '#src/operations/unsettled.ts';
import { What } from './What.tsx';

/** More than these are behind the link to all of them. */
const SHOWN = 3;

/** On every page but the operation's own: what this browser recorded and nobody has settled. */
export function Banner() {
  const view = useOperations();
  const here = useMatch('/operations/:id')?.params.id;
  const open = unsettledOf(view).filter(({ id }) => id !== here);
  const [first] = open;
  if (!first) return null;
  return (
    <section className="banner" aria-label="Not settled">
      <CircleQuestionMark aria-hidden />
      {open.length === 1 ? <One open={first} /> : <Several open={open} />}
    </section>
  );
}

function One({ open: { id, record, firstSentAt } }: { open: Unsettled }) {
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

function Several({ open }: { open: Unsettled[] }) {
  const shown = open.slice(0, SHOWN);
  const pay = open.every(({ record }) => record?.kind === 'withdrawal');
  return (
    <>
      <div className="min-w-0 flex-1">
        <output>
          <b>{open.length} operations are not settled.</b> Do not {pay ? 'pay' : 'do'} them another way until they are.
        </output>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 max-[56rem]:hidden">
          {shown.map(({ id, record }) => (
            <li key={id}>
              <Link className="text-ink [&_.n]:inline" to={paths.operation(id)}>
                {record ? (
                  <>
                    {record.kind !== 'withdrawal' && `${capital(KIND_WORDS[record.kind].one)} `}
                    <What record={record} />
                  </>
                ) : (
                  'A damaged record'
                )}
              </Link>
            </li>
          ))}
          {open.length > SHOWN && <li>and {open.length - SHOWN} more</li>}
        </ul>
      </div>
      <Link className="go" to={paths.operations}>
        All operations
      </Link>
    </>
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
  if (record === null) return 'One record of an operation is damaged:';
  const { one } = KIND_WORDS[record.kind];
  return record.state === 'ready' ? `One ${one} is recorded, not sent:` : `One ${one} is unconfirmed:`;
}

function adviceOf(record: OperationRecord | null): string {
  if (record === null) return 'It cannot be sent, and it holds back whatever would do the same again.';
  if (record.state === 'ready') return 'Send it or discard it.';
  return record.kind === 'withdrawal'
    ? 'Do not pay it another way until it is settled.'
    : 'Do not do it another way until it is settled.';
}
