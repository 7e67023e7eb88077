import { TriangleAlert } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'react-router';
import { needsTick, type ReviewedPayment, type UnusualReason } from '#src/shared/batches/unusual.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, shorten } from '#src/shared/text.ts';
import type { BatchReviewed } from '#src/shared/contract/batchContract.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Check } from '#src/web/ui/Check.tsx';
import { GroupedAddress, UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface Ticks {
  isTicked: (payment: ReviewedPayment) => boolean;
  onTick: (payment: ReviewedPayment, isTicked: boolean) => void;
}

interface UnusualLinesProps {
  payments: readonly ReviewedPayment[];
  /** Absent if payments aren't confirmed one by one. */
  ticks?: Ticks;
}

/** All payments that a person should look at. The list is never cut, because the last one matters as much as the first. */
export function UnusualLines({ payments, ticks }: UnusualLinesProps) {
  if (payments.length === 0) return <p className="sub">Nothing unusual was found.</p>;
  const left = ticks && payments.filter((payment) => needsTick(payment) && !ticks.isTicked(payment)).length;
  return (
    <section className="grid gap-2" aria-label="Unusual payments">
      <h2 className="flex flex-wrap items-baseline gap-x-3">
        {counted(payments.length, 'unusual payment', 'unusual payments')}
        {left !== undefined && (
          <output className="small sub font-normal">{left === 0 ? 'All confirmed.' : `${left} to confirm.`}</output>
        )}
      </h2>
      <ul className="-mx-gutter border-t border-rule-strong" aria-label="Unusual payments">
        {payments.map((payment) => (
          <UnusualLine
            key={payment.line}
            payment={payment}
            isTicked={ticks?.isTicked(payment) ?? false}
            onTick={ticks?.onTick}
          />
        ))}
      </ul>
    </section>
  );
}

/** Says what the payments were compared with, so that "nothing unusual" doesn't promise too much. */
export function ComparisonGaps({
  review: { listed },
  list,
}: {
  review: Pick<BatchReviewed, 'listed'>;
  list: AddressHistory['list'];
}) {
  const gaps = [
    listed === 'unreadable' && 'The provider’s latest payments couldn’t be loaded, so repeats of them weren’t found.',
    listed === 'partly' &&
      'Not all withdrawals that the provider lists could be compared, so repeats of them may be missing here.',
    list.status === 'reading' && 'Earlier payments are still being loaded.',
    list.status === 'unreadable' &&
      'Earlier payments couldn’t be loaded: first payments and unusual amounts are found only among what was sent from here.',
    list.status === 'not-offered' &&
      'The provider lists no withdrawals: first payments and unusual amounts are found only among what was sent from here.',
    list.status === 'read' &&
      !list.complete &&
      `Compared with the latest ${counted(list.count, 'withdrawal', 'withdrawals')} of the provider, and what was sent from here.`,
  ].filter((gap) => gap !== false);
  return gaps.map((gap) => (
    <p key={gap} className="sub small">
      {gap}
    </p>
  ));
}

interface UnusualLineProps {
  payment: ReviewedPayment;
  isTicked: boolean;
  onTick: Ticks['onTick'] | undefined;
}

const UnusualLine = memo(function UnusualLine({ payment, isTicked, onTick }: UnusualLineProps) {
  const id = useId();
  const { line, fields, unusual, remarks, usedReference } = payment;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2 border-b border-rule px-gutter py-3 wrap-anywhere narrow:grid-cols-1">
      <div className="grid gap-1 [&_.chunks]:max-w-none [&_.chunks]:text-small" id={id}>
        <PaymentLine payment={payment} />
        <GroupedAddress value={fields.address} />
        {usedReference !== null && <UsedReference operation={usedReference} reference={payment.reference ?? ''} />}
        {unusual.map((reason) => (
          <Reason key={`${reason.kind} ${reason.ids.join(' ')}`} reason={reason} />
        ))}
        {remarks.map((note) => (
          <p key={note} className="small sub pl-5.5">
            {note}
          </p>
        ))}
      </div>
      {onTick && needsTick(payment) && (
        <Check isChecked={isTicked} onChange={(isNow) => onTick(payment, isNow)} describedBy={id}>
          <span className="vh">Line {line} is right</span>
          <span className="whitespace-nowrap" aria-hidden>
            This is right
          </span>
        </Check>
      )}
    </li>
  );
});

function PaymentLine({ payment: { line, fields, recipient } }: { payment: ReviewedPayment }) {
  return (
    <p>
      <b className="text-lead">
        <Amount value={fields.amount} asset={fields.asset} flow always /> to{' '}
        {recipient === null ? (
          <bdi className="mono" translate="no">
            {shorten(fields.address)}
          </bdi>
        ) : (
          <UntrustedText value={recipient} max={120} />
        )}
      </b>{' '}
      <span className="small sub">
        on {chainLabel(fields.chain)}, line {line}
      </span>
    </p>
  );
}

/** An error that can only be fixed in the file: the reference was used before. */
function UsedReference({ operation, reference }: { operation: string; reference: string }) {
  return (
    <p className="msg msg-alarm">
      <TriangleAlert className="icon-s" aria-hidden />
      <span>
        Another payment has this reference.{' '}
        <Link to={paths.operation(operation)} target="_blank" rel="noopener noreferrer">
          See it
        </Link>
        , and change the reference in the file. A payment that failed after the provider accepted it keeps its
        reference: add to it, such as “<UntrustedText value={reference} brief /> again”.
      </span>
    </p>
  );
}

function Reason({ reason: { words, operation, batch } }: { reason: UnusualReason }) {
  const to = operation !== undefined ? paths.operation(operation) : batch !== undefined ? paths.batch(batch) : null;
  return (
    <p className="msg msg-open">
      <TriangleAlert className="icon-s" aria-hidden />
      <span>
        {words}{' '}
        {to !== null && (
          <Link to={to} target="_blank" rel="noopener noreferrer">
            See it
          </Link>
        )}
      </span>
    </p>
  );
}
