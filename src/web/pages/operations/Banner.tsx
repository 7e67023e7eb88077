import type { QueryClient } from '@tanstack/react-query';
import { CircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useMatch } from 'react-router';
import { operationsQuery } from '#src/web/api/operations/operations.ts';
import { type PendingStart, usePendingStarts } from '#src/web/api/operations/pendingStarts.ts';
import { OPEN, useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { useRecipientAt } from '#src/web/api/recipients.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import type { WaitsFor } from '#src/shared/operations/states.ts';
import { type Unsettled, unsettledOf } from '#src/shared/operations/unsettled.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { capital } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';

const GO = 'ml-auto font-semibold whitespace-nowrap text-ink narrow:ml-6';
/** Operations listed by name; the rest are behind "All operations". */
const LISTED_MAX = 3;

/** Loads the data of the banner before it is mounted. */
export const loadOpenOperations = (client: QueryClient, account: string) =>
  client.fetchQuery(operationsQuery(account, OPEN));

/** Unresolved operations, on every page except their own. It is always mounted, so it also keeps their list up to date. */
export function Banner() {
  const read = useOpenOperations(true);
  const here = useMatch('/operations/:key')?.params.key;
  const open = unsettledOf(read).filter(({ key }) => key !== here);
  const unseenStarts = [...usePendingStarts().values()].filter(
    (start) => start.key !== here && (start.status === 'concluded' ? !start.isRead : start.visibleOn === null),
  );
  const [first] = open;
  return (
    <>
      {unseenStarts.map((start) => (
        <Row key={start.key} label="Not recorded">
          <StartSummary start={start} />
        </Row>
      ))}
      {first && (
        <Row label="Not resolved">
          {open.length === 1 ? <OneUnresolved open={first} /> : <SeveralUnresolved open={open} more={read.more} />}
        </Row>
      )}
    </>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      className="banner flex min-h-10 items-center gap-3 border-b border-l border-rule border-b-open-rule bg-open-tint px-gutter py-2 text-ink narrow:flex-wrap narrow:items-start narrow:gap-x-2 narrow:gap-y-1 narrow:border-l-0 [&_.lucide]:text-open narrow:[&_.lucide]:mt-0.5 [&_b]:whitespace-nowrap narrow:[&_b]:whitespace-normal"
      aria-label={label}
    >
      <CircleQuestionMark aria-hidden />
      {children}
    </section>
  );
}

/** A start whose page was closed before the server responded. */
function StartSummary({ start }: { start: PendingStart }) {
  const { key, kind, notAfter, status } = start;
  const isOver = useNow(1) > notAfter / 1000;
  const { one } = KIND[kind];
  return (
    <>
      <output className="min-w-0 flex-1">
        {start.status !== 'concluded' ? (
          <>
            <b>One {one} has no record yet.</b> It {isOver ? 'should have arrived by' : 'may still arrive until'}{' '}
            <Time unix={Math.ceil(notAfter / 1000)} />. Opening it{' '}
            {status === 'discarding' ? 'goes on discarding it' : 'asks for it again'}.
          </>
        ) : start.conclusion.kind === 'not-sent' ? (
          <b>One {one} was not sent.</b>
        ) : (
          <b>One {one} was not recorded as it was typed.</b>
        )}
      </output>
      <Link className={GO} to={paths.operation(key)}>
        Open it
      </Link>
    </>
  );
}

function OneUnresolved({ open: { key, record, waitsFor, firstSentAt } }: { open: Unsettled }) {
  if (waitsFor === 'outcome' && KIND[record.kind].aboutOf(record).amount !== null)
    return <UnconfirmedPayment record={record} />;
  const { heading, advice } = record ? WAITING[waitsFor](KIND[record.kind]) : UNREADABLE;
  return (
    <>
      <output className="min-w-0 flex-1">
        <b>{heading}</b> {record && <OperationSummary record={record} />}
        <span className="max-[56rem]:hidden">
          {record && ', '}
          <RecordedAt at={firstSentAt} />. {advice}
        </span>
      </output>
      <Link className={GO} to={paths.operation(key)}>
        Open it
      </Link>
    </>
  );
}

/** "55 USDT to Acme Hosting is unconfirmed. Don't pay it again." */
function UnconfirmedPayment({ record }: { record: Operation }) {
  const { pays, one } = KIND[record.kind];
  return (
    <>
      <output className="min-w-0 flex-1">
        <span className="font-semibold">
          {!pays && `${capital(one)} of `}
          <OperationSummary record={record} /> is unconfirmed.
        </span>{' '}
        Don’t {pays ? 'pay' : 'do'} it again.
      </output>
      <Link className={GO} to={paths.operation(record.key)}>
        Resolve
      </Link>
    </>
  );
}

function SeveralUnresolved({ open, more }: { open: Unsettled[]; more: boolean }) {
  const listed = open.slice(0, LISTED_MAX);
  const pay = open.every(({ record }) => record !== null && KIND[record.kind].pays);
  const state = pay && open.every(({ waitsFor }) => waitsFor === 'outcome') ? 'unconfirmed' : 'not resolved';
  return (
    <>
      <div className="min-w-0 flex-1">
        <output>
          <b>
            {open.length}
            {more && ' or more'} {pay ? 'payments' : 'operations'} are {state}.
          </b>{' '}
          Don’t {pay ? 'pay' : 'do'} them again.
        </output>
        <ul className="flex flex-wrap gap-x-4 gap-y-1 max-[56rem]:hidden">
          {listed.map(({ key, record }) => (
            <li key={key}>
              <Link className="text-ink [&_.n]:inline" to={paths.operation(key)}>
                {record ? (
                  <>
                    {!KIND[record.kind].pays && `${capital(KIND[record.kind].one)} `}
                    <OperationSummary record={record} />
                  </>
                ) : (
                  'A record that cannot be read'
                )}
              </Link>
            </li>
          ))}
          {open.length > LISTED_MAX && <li>and {open.length - LISTED_MAX} more</li>}
        </ul>
      </div>
      <Link className={GO} to={paths.operations}>
        All operations
      </Link>
    </>
  );
}

function OperationSummary({ record }: { record: Operation }) {
  const { amount, asset, destination } = KIND[record.kind].aboutOf(record);
  if (amount !== null) {
    return (
      <>
        <Amount value={amount} asset={asset ?? undefined} flow />
        {destination !== null && (
          <>
            {' to '}
            <RecipientOf record={record} address={destination} />
          </>
        )}
      </>
    );
  }
  if (destination === null) return <>a {KIND[record.kind].one}</>;
  return KIND[record.kind].destinationIs === 'words' ? (
    <UntrustedText value={destination} max={60} />
  ) : (
    <ShortId value={destination} />
  );
}

function RecipientOf({ record, address }: { record: Operation; address: string }) {
  const recipient = useRecipientAt({ chain: withdrawalFieldsOf(record)?.chain ?? '', address });
  return recipient ? <UntrustedText value={recipient.name} max={60} brief /> : <ShortId value={address} />;
}

function RecordedAt({ at }: { at: number | null }) {
  const zone = useZone();
  if (at === null) return <>recorded at an unknown time</>;
  return (
    <>
      recorded <Time unix={at} />
      {zone === 'utc' && ' UTC'}
    </>
  );
}

interface BannerWords {
  heading: string;
  advice: string;
}

const WAITING: Record<WaitsFor, (kind: { one: string; pays: boolean }) => BannerWords> = {
  send: ({ one }) => ({
    heading: `One ${one} is recorded, not sent:`,
    advice: 'Send it or discard it.',
  }),
  outcome: ({ one, pays }) => ({
    heading: `One ${one} is unconfirmed:`,
    advice: `Do not ${pays ? 'pay' : 'do'} it another way until it is resolved.`,
  }),
};

const UNREADABLE: BannerWords = {
  heading: 'One record of an operation cannot be read:',
  advice: 'It can’t be sent, and the same can’t be sent again until it is closed.',
};

export function UnsettledCount() {
  const open = useOpenOperations();
  const count = unsettledOf(open).length;
  if (count === 0) return null;
  return (
    <span className="tab-open">
      {count}
      {open.more && '+'} to resolve
    </span>
  );
}
