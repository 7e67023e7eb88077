import { ArrowRight, Ban, Check, CircleQuestionMark, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { KIND } from '#src/shared/operations/kinds.ts';
import {
  type Operation,
  SEND_WINDOW_SECONDS,
  knownResultId,
  mayBeAbsent,
  mayResend,
  wasAccepted,
} from '#src/shared/operations/record.ts';
import type { ReceivedView } from '#src/web/api/operations/operations.ts';
import { byWhom, asText } from '#src/shared/text.ts';
import { lasting } from '#src/shared/time.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { lateness, type Standing } from '#src/shared/operations/operationStatus.ts';
import { useCarriedClock } from './StatusBlock.tsx';
import { isObject, parseJson } from '#src/shared/answers.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { compareWithSent } from '#src/shared/operations/compare.ts';
import { COMPARED, type ComparedField } from '#src/shared/operations/kind.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Chip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { RawAnswer } from './Result.tsx';

/** What is known, what is not, what happens next and what must not be done, while nobody has settled it. */
export function KnownFacts({ record, view }: { record: Operation; view: Standing }) {
  const count = record.attempts.length;
  const id = knownResultId(record);
  const { doNot, unseen } = KIND[record.kind];
  const heard =
    wasAccepted(record) || record.attempts.some(({ requestId, lost }) => requestId !== null || lost === 'redirect');
  return (
    <div className="grid grid-cols-4 border-b border-rule max-[72rem]:grid-cols-2 narrow:grid-cols-1">
      <Part title="Known" icon={<Check className="icon-s" aria-hidden />}>
        <span>
          Recorded at <Time unix={record.firstSent.service} />
          {byWhom(record.who)}, before it left
        </span>
        <span>{count === 1 ? 'One attempt' : `${count} attempts, one key, identical bytes`}</span>
        {id !== null && (
          <span>
            A response under this key named <UntrustedText mono value={id} max={80} />
          </span>
        )}
      </Part>
      <Part title="Not known" icon={<CircleQuestionMark className="icon-s" aria-hidden />}>
        <span>
          {heard ? 'Whether the provider processed any attempt' : 'Whether the provider received any attempt'}
        </span>
        {id === null && <span>{unseen}</span>}
      </Part>
      <Part title="What happens next" icon={<ArrowRight className="icon-s" aria-hidden />}>
        {nextSteps(record, view)}
      </Part>
      <Part title="Please do not" icon={<Ban className="icon-s" aria-hidden />}>
        {[<span key="not">{doNot}</span>]}
      </Part>
    </div>
  );
}

function Part({ title, icon, children }: { title: string; icon: ReactNode; children: ReactNode[] }) {
  const items = children.flatMap((item, at) => (item === false ? [] : [{ item, at }]));
  return (
    <section className="border-rule px-gutter pt-4 pb-5 not-first:border-l max-[72rem]:odd:border-l-0 max-[72rem]:nth-[n+3]:border-t narrow:border-l-0! narrow:not-first:border-t">
      <h2 className="pb-1 text-body">{title}</h2>
      <ul>
        {items.map(({ item, at }) => (
          <li key={at} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-2 py-1 wrap-anywhere [&>.lucide]:mt-0.75">
            {icon}
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}

function nextSteps(record: Operation, view: Standing): ReactNode[] {
  const { waiting, asleepUntil } = view;
  const first =
    waiting && asleepUntil !== null ? (
      <span key="self">
        It is resent by itself at <Time unix={Math.ceil(asleepUntil / 1000)} />, three times at most
      </span>
    ) : (
      <span key="self">Nothing is sent by itself</span>
    );
  return [first, sending(record, view), absence(record, view)];
}

function sending(record: Operation, view: Standing): ReactNode {
  const { expired, checkOnly } = view;
  const end = <Time unix={record.firstSent.service + SEND_WINDOW_SECONDS} />;
  if (!mayResend(record)) {
    const why = record.reason === 'stored-failure' ? 'a repeat brings the same failure' : 'it can’t be resent';
    return <span key="send">Ask the provider what became of it, with the evidence: {why}</span>;
  }
  if (expired) return <span key="send">{lateness(record, view)}, so it can’t be resent</span>;
  if (checkOnly) return <span key="send">Signed in with the key that recorded it, it can be resent until {end}</span>;
  return <span key="send">It can be resent until {end}: if it was processed, the first response comes back</span>;
}

function absence(record: Operation, { serviceNow, absenceProvesFrom }: Standing): ReactNode {
  if (!KIND[record.kind].isCompared) {
    return <span key="absence">No list tells what became of it: only a response does, or the provider’s own word</span>;
  }
  if (!mayBeAbsent(record)) {
    return <span key="absence">Absence from a list proves nothing here: a 2xx response came under its key</span>;
  }
  if (serviceNow !== null && serviceNow >= absenceProvesFrom) {
    return <span key="absence">Absent from the provider’s complete list, it can be confirmed as not sent</span>;
  }
  return (
    <span key="absence">
      If it’s still missing from the provider’s complete list on <Time unix={absenceProvesFrom} />, you can safely mark
      it as not sent
    </span>
  );
}

/** How much of the 23 hours is left, by the service's clock. */
export function ResendWindow({ seen }: { seen: ReceivedView }) {
  const { operation: record } = seen;
  const { serviceNow } = useCarriedClock(seen);
  const end = record.firstSent.service + SEND_WINDOW_SECONDS;
  const used = serviceNow === null ? null : Math.max(0, serviceNow - record.firstSent.service);
  const share = used === null ? 0 : Math.min(1, used / SEND_WINDOW_SECONDS) * 100;
  return (
    <section aria-labelledby="window">
      <h2 id="window">Time left to resend safely</h2>
      <div className="in-pad grid gap-1">
        <svg
          className="block h-3 w-full"
          role="img"
          aria-label={used === null ? 'Not known yet' : `${lasting(used)} of 23 h used`}
        >
          <rect className="fill-inset stroke-rule-strong" x="0.5" y="0.5" width="99.6%" height="11" />
          <rect className="fill-open-rule" x="1" y="1" width={`${share}%`} height="10" />
          <line className="stroke-ink stroke-2" x1={`${share}%`} x2={`${share}%`} y1="0" y2="12" />
        </svg>
        <div className="flex flex-wrap justify-between gap-x-2 text-label text-ink-2">
          <Time unix={record.firstSent.service} />
          <b>
            {serviceNow === null
              ? 'not known yet'
              : serviceNow >= end
                ? 'over'
                : seen.expired
                  ? 'a clock is wrong'
                  : `${lasting(end - serviceNow)} left`}
          </b>
          <Time unix={end} />
        </div>
        <p className="sub small">After that the provider could treat a resend as a new payment, so resending stops.</p>
      </div>
    </section>
  );
}

/** What was sent beside what came under its key, as it came; the fields that differ are marked. */
export function Compare({ record }: { record: Operation }) {
  const { contradiction } = record;
  const sent = readWithdrawalBody(record.body);
  if (!contradiction || !sent) return null;
  const parsed = parseJson(contradiction.text);
  const came: Record<string, unknown> = isObject(parsed) ? parsed : {};
  const { differing, equal } = compareWithSent(sent, came);
  const isTaken = equal.length === COMPARED.length;
  return (
    <section aria-labelledby="compare" className="compare border-b border-rule pt-4 pb-5">
      <h2 id="compare" className="px-gutter pb-1">
        Compare both
      </h2>
      <p className="in-pad sub small pb-3">
        {contradiction.by === 'answer' ? 'It came as the response to the POST' : 'It came when the ID was looked up'},
        named <UntrustedText mono value={contradiction.id} max={80} />, request ID{' '}
        <UntrustedText mono value={contradiction.requestId ?? 'none'} max={80} />.
        {isTaken && ' Every field is equal, but that ID belongs to an earlier payment.'}
      </p>
      <DataTable
        label="Sent and came"
        className="grid-table labelled op-table"
        rows={COMPARED.map((field) => ({
          field,
          sent,
          came,
          differs: differing.includes(field),
          equal: equal.includes(field),
        }))}
        columns={columns}
        keyOf={({ field }) => field}
        rowClass={({ differs }) => (differs ? 'differs' : undefined)}
      />
      <div className="in-pad pt-3">
        <RawAnswer text={contradiction.text} />
      </div>
    </section>
  );
}

interface Row {
  field: ComparedField;
  sent: WithdrawalFields;
  came: Record<string, unknown>;
  differs: boolean;
  equal: boolean;
}

const columns: DataColumn<Row>[] = [
  { name: 'Field', isHead: true, cell: ({ field }) => field },
  { name: 'Sent', className: 'answer mono', cell: ({ field, sent }) => <Value field={field} value={sent[field]} /> },
  {
    name: 'Came',
    className: 'answer mono',
    cell: ({ field, came }) =>
      Object.hasOwn(came, field) ? <Value field={field} value={came[field]} /> : 'not provided',
  },
  {
    name: 'Result',
    cell: ({ differs, equal }) =>
      differs ? (
        <Chip tone="alarm" icon={<TriangleAlert aria-hidden />}>
          differs
        </Chip>
      ) : equal ? (
        'equal'
      ) : (
        <span className="dim">not compared</span>
      ),
  },
];

function Value({ field, value }: { field: ComparedField; value: unknown }) {
  return field === 'amount' ? <Amount value={value} compared flow /> : <UntrustedText value={asText(value)} />;
}
