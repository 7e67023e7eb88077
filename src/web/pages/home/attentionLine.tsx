import type { Ability } from '#src/shared/permissions.ts';
import { Check, CircleQuestionMark, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { batchProgress, batchStatus, isPastStart, progressWords } from '#src/shared/batches/batchWords.ts';
import { FAILED_DAYS } from '#src/shared/overview/openPayments.ts';
import type { Subject } from '#src/shared/contract/teamContract.ts';
import type { ReceivedApproval, useNeededFromMe, WaitingBatch } from '#src/web/api/approvals.ts';
import { channelName, type NoticeProblems } from '#src/web/api/notices.ts';
import { PAYMENTS, paymentWords } from '#src/web/api/payments.ts';
import { type LocationState, paidAgain } from '#src/web/storage/locationState.ts';
import { KIND, titleOf } from '#src/shared/operations/kinds.ts';
import { type Operation, recordedAt } from '#src/shared/operations/record.ts';
import { stateMarkOf } from '#src/shared/operations/stateMark.ts';
import { STATES, type WaitsFor } from '#src/shared/operations/states.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { knownStatus, statusSentence } from '#src/shared/paymentStatus.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { paths } from '#src/shared/paths.ts';
import { capital, counted, listInWords, numberWords, revealHidden, visibleCode } from '#src/shared/text.ts';
import { isPlausibleTime, lasting } from '#src/shared/time.ts';
import type { PaymentName } from '#src/web/list/paymentNames.ts';
import { Expiry } from '#src/web/resources/Expiry.tsx';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Chip, StateChip } from '#src/web/ui/Chip.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { type Attention, differs } from '#src/shared/overview/attention.ts';
import type { MarkHandled } from './useMarkHandled.tsx';

export interface AttentionLine {
  key: string;
  chip: ReactNode;
  what: ReactNode;
  why: ReactNode;
  to: string;
  waiting: ReactNode;
  /** For "Take this"; null if it can't be taken. `what` names it for screen readers. */
  taking: { subject: Subject; what: string } | null;
  /** The next action; links to the line's `to` unless it has its own. */
  act: {
    label: string;
    /** Distinguishes it from the same action of another line, for screen readers. */
    of?: string;
    to?: string;
    state?: LocationState;
    /** The ability it needs, if it does more than open a page. */
    ability?: Ability;
  };
}

type Of<K extends Attention['kind']> = Extract<Attention, { kind: K }>;

interface LineContext {
  name: PaymentName;
  can: (ability: Ability) => boolean;
  markHandled: MarkHandled;
  /** Also hides amounts in the names of buttons and in confirmations. */
  amountsHidden: boolean;
}

export function attentionLine(of: Attention, context: LineContext): AttentionLine {
  switch (of.kind) {
    case 'operation':
      return operationLine(of, context);
    case 'batch':
      return batchLine(of);
    case 'failed':
      return failedLine(of, context);
    case 'failed-deposits':
      return failedDepositsLine(of, context);
    case 'stuck':
      return stuckLine(of, context);
    case 'outside':
      return outsideLine(of, context);
    case 'balance':
      return balanceLine(of);
  }
}

/** "12 USDT withdrawal". */
function wordsOf(payment: Payment, { amountsHidden }: LineContext): string {
  return paymentWords({ ...payment, amount: amountsHidden ? null : payment.amount });
}

/** Lines for notices that could not be delivered, and for what keeps others from being sent. */
export function noticeLines({ undelivered, channels, watch }: NoticeProblems): AttentionLine[] {
  const line = { to: paths.notices, waiting: null, taking: null, act: { label: 'View notices' } };
  return [
    ...(watch === null
      ? []
      : [
          {
            ...line,
            key: 'watch',
            chip: alarm('Not watched'),
            what: 'Not everything could be read from the provider, so some payments that fail or get stuck may not be reported',
            why: revealHidden(watch.problem),
            waiting: <Since at={watch.failing_since} />,
          },
        ]),
    ...channels.map(({ name, problem, failing_since: failing, off_at: off }) => ({
      ...line,
      key: `channel ${name}`,
      chip: alarm(off === null ? 'Failing' : 'Off'),
      what: `${channelName(name)} notices aren’t delivered`,
      why: `${revealHidden(problem ?? '')} ${off === null ? 'The server keeps trying.' : 'Send a test to turn it on again.'}`.trim(),
      waiting: <Since at={off ?? failing} />,
    })),
    ...(undelivered > 0
      ? [
          {
            ...line,
            key: 'notices',
            chip: alarm('Not delivered'),
            what: `${counted(undelivered, 'notice', 'notices')} couldn’t be delivered`,
            why: 'Somebody wasn’t told of what needed attention.',
          },
        ]
      : []),
  ];
}

/** One line for all that this person can approve. */
function approvalsLine(
  approvals: readonly ReceivedApproval[],
  batches: readonly WaitingBatch[],
  isWhole: boolean,
): AttentionLine[] {
  const [firstToExpire] = [
    ...approvals.map(({ expires_at: at, clock }) => ({ at, clock })),
    ...batches.map(({ approval, clock }) => ({ at: approval.expires_at, clock })),
  ].toSorted((a, b) => a.at - b.at);
  const count = approvals.length + batches.length;
  if (count === 0 && isWhole) return [];
  const isOne = count === 1 && isWhole;
  const unusual = approvals.filter((approval) => approval.unusual.length > 0).length;
  const atLeast = isWhole ? '' : 'at least ';
  const parts = [
    ...(approvals.length > 0 ? [`${atLeast}${counted(approvals.length, 'payment', 'payments')}`] : []),
    ...(batches.length > 0 ? [counted(batches.length, 'batch', 'batches')] : []),
  ];
  const need =
    count === 0 ? 'Payments further down the list may need' : `${listInWords(parts)} ${count === 1 ? 'needs' : 'need'}`;
  const since = [...approvals.map(preparedAt), ...batches.map(({ batch }) => Math.floor(batch.at / 1_000))];
  return [
    {
      key: 'approvals',
      chip: <StateChip big={false} mark={{ tone: 'open', icon: 'question', chip: 'Approval' }} />,
      what: capital(`${need} your approval`),
      why: (
        <>
          {batches.every(({ batch }) => batch.state === 'waiting') &&
            `Nothing of ${isOne ? 'it' : 'them'} has been sent. `}
          {unusual > 0 &&
            `${approvals.length === 1 ? 'Something' : capital(`${atLeast}${numberWords(unusual)} ${unusual === 1 ? 'has' : 'have'} something that`)} is unusual. `}
          {firstToExpire && (
            <>
              {isOne ? 'It expires' : 'The first expires'} <Expiry {...firstToExpire} short />.
            </>
          )}
        </>
      ),
      to: paths.approvals,
      waiting: since.length > 0 && <Since at={Math.min(...since)} />,
      taking: null,
      act: { label: 'Review' },
    },
  ];
}

function preparedAt({ view: { operation } }: ReceivedApproval): number {
  return recordedAt(operation).service;
}

/** Lines for what waits for this person's approval, for approved payments that couldn't be sent, and for batches to start. */
export function approvalLines(
  { toApprove, toSend, batches, batchesToSend, isWhole }: ReturnType<typeof useNeededFromMe>,
  name: PaymentName,
): AttentionLine[] {
  return [
    ...toSend.map((approval) => {
      const { operation } = approval.view;
      const { amount, asset } = KIND[operation.kind].aboutOf(operation);
      const sent = withdrawalFieldsOf(operation);
      return {
        key: `approved ${operation.key}`,
        chip: <StateChip big={false} mark={stateMarkOf(operation, { payment: null, approvals: Infinity })} />,
        what: (
          <>
            <Amount value={amount} asset={asset ?? undefined} flow />{' '}
            {sent && name({ ...sent, kind: 'withdrawal', id: '' })} was approved, not sent
          </>
        ),
        why: 'It couldn’t be sent when it had its approvals. Send it or let it expire.',
        to: paths.operation(operation.key),
        waiting: <Since at={preparedAt(approval)} />,
        taking: null,
        act: { label: 'Open' },
      };
    }),
    ...batchesToSend.map(batchToSendLine),
    ...approvalsLine(toApprove, batches, isWhole),
  ];
}

function operationLine({ operation }: Of<'operation'>, { name, amountsHidden }: LineContext): AttentionLine {
  const { key, record, waitsFor, firstSentAt } = operation;
  const line = {
    key,
    to: paths.operation(key),
    waiting: <Since at={firstSentAt} />,
    taking: {
      subject: { kind: 'operation' as const, id: key },
      what: record === null ? 'a record' : titleOf(record, amountsHidden),
    },
  };
  if (record === null)
    return {
      ...line,
      chip: alarm('Unreadable'),
      what: 'A recorded payment can’t be read',
      why: 'Whether it was sent can’t be seen here.',
      act: { label: 'Open' },
    };
  const { aboutOf, one } = KIND[record.kind];
  const { amount, asset } = aboutOf(record);
  const sent = withdrawalFieldsOf(record);
  const figure = <Amount value={amount} asset={asset ?? undefined} flow />;
  const what = (became: string) => (
    <>
      {amount === null ? capital(one) : figure} {sent && name({ ...sent, kind: 'withdrawal', id: '' })} {became}
    </>
  );
  if (differs(operation))
    return {
      ...line,
      chip: alarm('Response differs'),
      what: what('got a response that differs'),
      why: 'The provider’s response names another payment than was sent. Compare both before you pay again.',
      act: { label: 'Compare' },
    };
  return { ...line, ...WAITING_LINES[waitsFor](record, what) };
}

/** A batch that has its approvals, and that this person may start. */
function batchToSendLine({ batch, approval, clock }: WaitingBatch): AttentionLine {
  return {
    key: `approved ${batch.id}`,
    chip: <StateChip big={false} mark={{ tone: 'motion', icon: 'dot', chip: 'Approved' }} />,
    what: (
      <>
        <BatchTitle batch={batch} />: approved, not sent yet
      </>
    ),
    why: (
      <>
        Nothing of it has been sent. It expires <Expiry at={approval.expires_at} clock={clock} short />.
      </>
    ),
    to: paths.batch(batch.id),
    waiting: <Since at={Math.floor(batch.at / 1_000)} />,
    taking: null,
    act: { label: 'Open batch' },
  };
}

function BatchTitle({ batch: { lines, file_name: name } }: Pick<WaitingBatch, 'batch'>) {
  return (
    <>
      Batch of {counted(lines, 'payment', 'payments')}
      {name !== null && (
        <>
          , <UntrustedText value={name} brief />
        </>
      )}
    </>
  );
}

function batchLine({ batch }: Of<'batch'>): AttentionLine {
  return {
    key: `batch ${batch.id}`,
    chip: <StateChip big={false} mark={batchStatus(batch)} />,
    what: (
      <>
        <BatchTitle batch={batch} />: {progressWords(batchProgress(batch))}
      </>
    ),
    why: <WhyPaused batch={batch} />,
    to: paths.batch(batch.id),
    waiting: <Since at={Math.floor(batch.at / 1_000)} />,
    taking: null,
    act: { label: 'Open batch' },
  };
}

function WhyPaused({ batch }: Pick<Of<'batch'>, 'batch'>) {
  const now = useNow(60);
  const { fact, meaning } = batchStatus(batch, { isPastStart: isPastStart(batch, now * 1_000) });
  return `${fact} ${meaning}`;
}

type WaitingLine = Pick<AttentionLine, 'chip' | 'what' | 'why' | 'act'>;

/** The text for an operation that waits for a person. `what` builds a sentence that begins with its amount and name. */
const WAITING_LINES: Record<WaitsFor, (record: Operation, what: (became: string) => ReactNode) => WaitingLine> = {
  send: (_, what) => ({
    chip: <StateChip big={false} mark={{ ...STATES.ready.mark, chip: 'Not sent' }} />,
    what: what('was saved, not sent'),
    why: 'Nothing was sent yet. Send it or discard it.',
    act: { label: 'Open' },
  }),
  outcome: (record, what) => {
    const { pays } = KIND[record.kind];
    const isAnswered = record.attempts.some(({ status }) => status !== null);
    return {
      chip: <StateChip big={false} mark={STATES.unconfirmed.mark} />,
      what: pays ? what('· not known if it was sent') : <UnconfirmedSummary record={record} />,
      why: `${isAnswered ? 'The response doesn’t say what became of it.' : 'No response from the provider.'} ${pays ? 'Don’t pay it any other way' : 'Don’t do it again'} until this is resolved.`,
      act: { label: 'Resolve' },
    };
  },
};

function UnconfirmedSummary({ record }: { record: Operation }) {
  const { aboutOf, one } = KIND[record.kind];
  const { amount, asset } = aboutOf(record);
  if (amount === null) return <>{titleOf(record, true)} is unconfirmed</>;
  return (
    <>
      {capital(one)} of <Amount value={amount} asset={asset ?? undefined} flow /> is unconfirmed
    </>
  );
}

function failedLine({ payment, at }: Of<'failed'>, context: LineContext): AttentionLine {
  const { name, can, markHandled } = context;
  const { kind, id, status, asset, amount, created_at: made } = payment;
  const word = knownStatus(status)?.word.toLowerCase() ?? '';
  const what = wordsOf(payment, context);
  const again = kind === 'withdrawal' && can('prepare') ? paidAgain({ ...payment }) : null;
  return {
    key: `${kind} ${id}`,
    chip: <StatusCell status={status} />,
    what: (
      <>
        <Amount value={amount} asset={asset ?? undefined} flow /> {name(payment)}{' '}
        {word === 'failed' || word === 'expired' ? word : `was ${word}`}
      </>
    ),
    why: (
      <>
        {statusSentence(kind, status)}{' '}
        {can('mark-handled') && (
          <MarkButton label="Mark as handled" what={what} onMark={(what) => markHandled([payment], what)} />
        )}
      </>
    ),
    to: paths[kind](id),
    taking: { subject: { kind, id }, what },
    waiting: <Since at={at ?? made} />,
    act: again ? { label: 'Send again', to: paths.newWithdrawal, state: again } : { label: `View ${kind}` },
  };
}

function failedDepositsLine(
  { payments, status, orMore }: Of<'failed-deposits'>,
  { can, markHandled }: LineContext,
): AttentionLine {
  const word = knownStatus(status)?.word.toLowerCase() ?? '';
  const count = `${counted(payments.length, 'deposit', 'deposits')}${orMore ? ' or more' : ''}`;
  const created = payments.flatMap(({ created_at: at }) => (isPlausibleTime(at) ? at : []));
  const search = new URLSearchParams({ status, created_after: String(Math.min(...created) - 1) });
  return {
    key: `deposits ${status}`,
    chip: <StatusCell status={status} />,
    what: `${count} ${word === 'failed' || word === 'expired' ? word : `were ${word}`} in ${FAILED_DAYS} days`,
    why: (
      <>
        They aren’t credited to your balance.{' '}
        {can('mark-handled') && (
          <MarkButton
            label="Mark all as handled"
            what={counted(payments.length, 'deposit', 'deposits')}
            onMark={(what) => markHandled(payments, what)}
          />
        )}
      </>
    ),
    to: paths.deposits(`?${search.toString()}`),
    taking: null,
    waiting: <Since at={payments.at(-1)?.created_at} />,
    act: { label: 'View' },
  };
}

interface MarkButtonProps {
  label: string;
  /** Names the marked payments for screen readers and in the confirmation. */
  what: string;
  onMark: (what: string) => void;
}

function MarkButton({ label, what, onMark }: MarkButtonProps) {
  return (
    <Button
      size="small"
      icon={<Check className="icon-s" aria-hidden />}
      // The second click of a double click would hit the button of the next payment, which has moved up.
      onClick={({ detail }) => detail < 2 && onMark(what)}
    >
      {label}
      <span className="vh"> ({what})</span>
    </Button>
  );
}

function stuckLine({ payment, waiting, usual }: Of<'stuck'>, context: LineContext): AttentionLine {
  const { kind, id, status, asset, amount } = payment;
  const like = `${visibleCode(asset ?? '')} ${PAYMENTS[kind].noun.many}`.trim();
  return {
    key: `${kind} ${id}`,
    chip: (
      <Chip tone="motion" icon={<Clock aria-hidden />}>
        Stuck
      </Chip>
    ),
    what: (
      <>
        <Amount value={amount} asset={asset ?? undefined} flow /> {context.name(payment)}{' '}
        <StuckStatus status={status} waiting={waiting} />
      </>
    ),
    why:
      usual === null
        ? `Waiting ${lasting(waiting)}. How long ${like} usually take isn’t known yet.`
        : `${capital(like)} usually take ${lasting(Math.max(60, usual))}. This one has waited ${lasting(waiting)}.`,
    to: paths[kind](id),
    taking: { subject: { kind, id }, what: wordsOf(payment, context) },
    waiting: lasting(waiting),
    act: { label: `View ${kind}` },
  };
}

/** For a status that isn't in the contract, the provider's own word is shown as received, too. */
function StuckStatus({ status, waiting }: { status: string | null; waiting: number }) {
  const known = knownStatus(status)?.word.toLowerCase();
  if (known !== undefined || status === null)
    return (
      <>
        has been {known ?? 'without a status'} for {lasting(waiting)}
      </>
    );
  return (
    <>
      has been <UntrustedText value={status.replaceAll('_', ' ')} max={40} /> for {lasting(waiting)} (their word:{' '}
      <UntrustedText value={status} max={40} />)
    </>
  );
}

/** Warns of payments that were not sent from here: the API key may be in use elsewhere, or stolen. */
function outsideLine({ payments }: Of<'outside'>, context: LineContext): AttentionLine {
  const { name, can, markHandled } = context;
  const [newest] = payments;
  const isOne = payments.length === 1 && newest !== undefined;
  const what = isOne ? wordsOf(newest, context) : counted(payments.length, 'withdrawal', 'withdrawals');
  const created = payments.flatMap(({ created_at: at }) => (isPlausibleTime(at) ? at : []));
  const search = new URLSearchParams({ created_after: String(Math.min(...created) - 1) });
  return {
    key: 'outside',
    chip: (
      <Chip tone="open" icon={<CircleQuestionMark aria-hidden />}>
        Not sent here
      </Chip>
    ),
    what: isOne ? (
      <>
        <Amount value={newest.amount} asset={newest.asset ?? undefined} flow /> {name(newest)} wasn’t sent from here
      </>
    ) : (
      `${what} weren’t sent from here`
    ),
    why: (
      <>
        Another system paid with this account’s API key. If it isn’t one of yours, replace the key.{' '}
        {can('mark-handled') && (
          <MarkButton
            label={isOne ? 'Mark as handled' : 'Mark all as handled'}
            what={what}
            onMark={(marked) => markHandled(payments, marked, 'expected')}
          />
        )}
      </>
    ),
    to: isOne ? paths.withdrawal(newest.id) : paths.withdrawals(`?${search.toString()}`),
    taking: null,
    waiting: <Since at={newest?.created_at} />,
    act: { label: isOne ? 'View withdrawal' : 'View' },
  };
}

function balanceLine({ balance: { asset, total }, sum }: Of<'balance'>): AttentionLine {
  return {
    key: `balance ${asset} ${String(total)}`,
    chip: alarm('Check failed'),
    what: (
      <>
        <UntrustedText code value={asset} max={24} /> balance {sum === null ? 'can’t be checked' : 'doesn’t add up'}
      </>
    ),
    why:
      sum === null ? (
        'A part of it is no amount. Shown as received.'
      ) : (
        <>
          Available, pending and locked make <Amount value={sum} compared flow />, the total says{' '}
          <Amount value={total} compared flow />.
        </>
      ),
    to: paths.balance(asset),
    taking: null,
    waiting: null,
    act: { label: 'View balance' },
  };
}

function alarm(chip: string): ReactNode {
  return <StateChip big={false} mark={{ tone: 'alarm', icon: 'triangle', chip }} />;
}

function Since({ at }: { at: unknown }) {
  const now = useNow(10);
  return isPlausibleTime(at) && <span data-tip-unix={at}>{lasting(Math.max(0, now - at))}</span>;
}
