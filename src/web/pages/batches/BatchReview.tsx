import { memo } from 'react';
import { Link } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { type BatchTotal, batchTotals } from '#src/shared/batches/batchTotals.ts';
import { batchStatus } from '#src/shared/batches/batchWords.ts';
import { needsAttention, repeatedPayments, type ReviewedPayment, tickOfRepeated } from '#src/shared/batches/unusual.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { isDay } from '#src/shared/due/dueDates.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, listInWords, numberWords, shorten } from '#src/shared/text.ts';
import type { ReceivedBatch, ReceivedBatchReview } from '#src/web/api/batches.ts';
import { ErrorNotice } from '#src/web/list/ErrorNotice.tsx';
import { FormFoot } from '#src/web/send/SendFormPage.tsx';
import { CONFIRM_FIRST } from '#src/web/send/SecondSend.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Field, inputClass, TextField } from '#src/web/ui/Field.tsx';
import { approvalWords } from '#src/shared/operations/approvalWords.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { ShortTime } from '#src/web/ui/Time.tsx';
import { ShortId, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import { ENTER_A_DAY, payByHelp } from '#src/web/send/payBy.ts';
import { type FreshBalances, PaymentTotalsTable } from '#src/web/send/PaymentTotals.tsx';
import { LastBatch } from './LastBatch.tsx';
import { RepeatedNotice } from './RepeatedNotice.tsx';
import { ShortNotice } from './ShortNotice.tsx';
import { ComparisonGaps, UnusualLines } from './UnusualLines.tsx';
import { isForApproval, isRepeatConfirmed, type NewBatch } from './useNewBatch.ts';

interface BatchReviewProps {
  batch: NewBatch;
  payments: readonly ReviewedPayment[];
  review: ReceivedBatchReview;
  balances: FreshBalances;
}

/** Totals, what is unusual, all payments, and one button that sends them. */
export function BatchReview({ batch, payments, review, balances }: BatchReviewProps) {
  const totals = batchTotals(
    payments.map(({ fields }) => fields),
    balances,
  );
  const noted = payments.filter(needsAttention);
  const repeated = repeatedPayments(payments);
  const { sending, confirmed, confirm } = batch;
  return (
    <div className="grid gap-6">
      <BatchSentence payments={payments} totals={totals} />
      <PaymentTotalsTable totals={totals} />
      {review.approval && isForApproval(review) && (
        <>
          <Notice tone="plain" title={approvalWords(review.approval)}>
            The batch counts as one payment of its total.
          </Notice>
          <PayByField batch={batch} />
        </>
      )}
      <ShortNotice
        totals={totals}
        confirmation="The amounts are right. Send them all the same."
        isConfirmed={confirmed.isOverBalance}
        onConfirm={(isOverBalance) => confirm({ isOverBalance })}
      />
      {review.same !== null && (
        <SameBatch same={review.same} again={confirmed.again} onAgain={(again) => confirm({ again })} />
      )}
      {review.same === null && repeated !== null && (
        <RepeatedNotice
          repeated={repeated}
          total={payments.length}
          confirmation={{
            isConfirmed: isRepeatConfirmed(payments, confirmed),
            onConfirm: (isNow) => confirm({ repeated: isNow ? tickOfRepeated(repeated) : '' }),
          }}
        />
      )}
      <ComparisonGaps review={review} list={batch.history.list} />
      {(noted.length > 0 || repeated === null) && (
        <UnusualLines payments={noted} ticks={{ isTicked: batch.isTicked, onTick: batch.tick }} />
      )}
      <LastBatch payments={payments} />
      <AllPayments payments={payments} />
      {sending.at === 'unknown' && <Unknown error={sending.error} />}
      {sending.at === 'taken' && <Taken other={sending.other} />}
      {sending.at === 'refused' && <ErrorNotice error={sending.error} heading="Nothing was recorded or sent" />}
      <FormFoot wide>
        <Button
          variant="primary"
          disabledReason={whyNotYet(batch, payments, review, totals)}
          aria-busy={sending.at === 'sending'}
          onClick={({ detail }) => {
            // The second click of a double click elsewhere may land on this button.
            if (detail < 2) batch.send();
          }}
        >
          {sending.at === 'unknown'
            ? 'Try again'
            : isForApproval(review)
              ? `Submit ${counted(payments.length, 'payment', 'payments')} for approval`
              : `Send ${counted(payments.length, 'payment', 'payments')}`}
        </Button>
        <Button
          disabledReason={sending.at === 'sending' || sending.at === 'unknown' ? 'Recording…' : undefined}
          reasonHidden
          onClick={batch.change}
        >
          {batch.pasted === '' ? 'Choose another file' : 'Change the rows'}
        </Button>
        <output className="small sub narrow:hidden">
          {isForApproval(review)
            ? 'Nothing is sent before it is approved.'
            : 'One is sent after another. You can stop at any time.'}
        </output>
      </FormFoot>
    </div>
  );
}

/** Saved separately from the batch, and never sent to the provider. */
function PayByField({ batch: { payBy, setPayBy } }: Pick<BatchReviewProps, 'batch'>) {
  const today = useToday();
  return (
    <div className="max-w-48">
      <TextField
        label="Pay by"
        hint="(optional)"
        type="date"
        help={payByHelp(payBy, today)}
        error={isPayBy(payBy) ? undefined : ENTER_A_DAY}
        text={payBy}
        onText={setPayBy}
      />
    </div>
  );
}

function isPayBy(day: string): boolean {
  return day === '' || isDay(day);
}

function whyNotYet(
  { unticked, confirmed, sending, payBy }: NewBatch,
  payments: readonly ReviewedPayment[],
  review: ReceivedBatchReview,
  totals: readonly BatchTotal[],
): string | undefined {
  if (sending.at === 'sending') return 'Recording…';
  if (sending.at === 'taken') return 'Reload this page first.';
  const used = payments.filter(({ usedReference }) => usedReference !== null).map(({ line }) => String(line));
  if (used.length > 0) return `Change the reference in line ${listInWords(used)} of the file.`;
  if (unticked > 0) return `Confirm ${counted(unticked, 'unusual payment', 'unusual payments')} above.`;
  if (isForApproval(review) && !isPayBy(payBy)) return ENTER_A_DAY;
  if (review.same !== null && confirmed.again.trim() === '') return 'Say above why the same payments are made again.';
  if (review.same === null && !isRepeatConfirmed(payments, confirmed)) return 'Confirm above that they are due again.';
  return totals.some(({ isShort }) => isShort) && !confirmed.isOverBalance ? CONFIRM_FIRST : undefined;
}

function BatchSentence({ payments, totals }: Pick<BatchReviewProps, 'payments'> & { totals: readonly BatchTotal[] }) {
  const recipients = new Set(payments.map(({ recipient, fields }) => recipient ?? fields.address)).size;
  return (
    <p className="border-t-2 border-b-3 border-ink border-b-rule-cash py-4 text-figure wrap-anywhere [border-bottom-style:double] narrow:text-title">
      Send <b>{counted(payments.length, 'payment', 'payments')}</b> to{' '}
      <b>{counted(recipients, 'recipient', 'recipients')}</b>
      {totals.length === 1 && totals[0] && (
        <>
          {' '}
          for{' '}
          <b className="[&_.a]:font-semibold [&_.a]:text-ink">
            <Amount value={totals[0].amount} asset={totals[0].asset} flow always />
          </b>
        </>
      )}
    </p>
  );
}

interface SameBatchProps {
  same: NonNullable<ReceivedBatchReview['same']>;
  again: string;
  onAgain: (again: string) => void;
}

function SameBatch({ same, again, onAgain }: SameBatchProps) {
  return (
    <div className="grid gap-3">
      <Notice tone="alarm" live title="There is a batch with exactly these payments.">
        It is the{' '}
        <Link to={paths.batch(same.id)} target="_blank" rel="noopener noreferrer">
          batch of <ShortTime unix={Math.floor(same.at / 1000)} />
        </Link>
        {byWhom(same)}. If this is the same file once more, don’t send it.
      </Notice>
      <Field label="Why are they made again?" required>
        {(control) => (
          <textarea
            {...control}
            className={inputClass}
            rows={2}
            maxLength={2_000}
            value={again}
            onChange={({ target }) => onAgain(target.value)}
          />
        )}
      </Field>
    </div>
  );
}

const COLUMNS: DataColumn<ReviewedPayment>[] = [
  { name: 'Line', className: 'num', cell: ({ line }) => numberWords(line) },
  {
    name: 'Recipient',
    isHead: true,
    className: 'min-w-40 whitespace-normal wrap-anywhere',
    cell: ({ recipient, fields }) =>
      recipient === null ? (
        <span className="mono">{shorten(fields.address)}</span>
      ) : (
        <UntrustedText value={recipient} max={80} />
      ),
  },
  { name: 'Address', cell: ({ fields }) => <ShortId value={fields.address} /> },
  { name: 'Chain', cell: ({ fields }) => <UntrustedText value={chainLabel(fields.chain)} max={40} brief /> },
  {
    name: 'Reference',
    className: 'whitespace-normal wrap-anywhere',
    cell: ({ reference }) => reference !== null && <UntrustedText value={reference} max={80} />,
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ fields }) => <Amount value={fields.amount} asset={fields.asset} always />,
  },
];

/** Memoized, because a tick must not render all payments again. */
const AllPayments = memo(function AllPayments({ payments }: Pick<BatchReviewProps, 'payments'>) {
  const { shown, more } = useShowMore(payments);
  return (
    <section className="grid gap-2" aria-label="All payments">
      <h2>All {counted(payments.length, 'payment', 'payments')}</h2>
      <div className="-mx-gutter">
        <DataTable
          label="All payments"
          className="grid-table labelled fitted"
          style={{ '--int': integerWidth(payments.map(({ fields }) => fields.amount)).css }}
          rows={shown}
          columns={COLUMNS}
          keyOf={({ line }) => String(line)}
        />
      </div>
      {more}
    </section>
  );
});

/** Another request with this page's id recorded other payments, such as a request whose response was lost. */
function Taken({ other }: { other: ReceivedBatch | null }) {
  return (
    <Notice tone="open" live title="This page has already recorded another batch.">
      {other !== null && (
        <>
          It is the{' '}
          <Link to={paths.batch(other.batch.id)} target="_blank" rel="noopener noreferrer">
            batch of <ShortTime unix={Math.floor(other.batch.at / 1000)} />
          </Link>{' '}
          with {counted(other.batch.lines, 'payment', 'payments')}: {batchStatus(other.batch).fact}{' '}
        </>
      )}
      The payments above weren’t recorded or sent. To send them as well, reload this page.
    </Notice>
  );
}

/** The response was lost. Recording sends nothing, so it can be repeated with the same id. */
function Unknown({ error }: { error: Error }) {
  return (
    <Notice tone="open" live title="We don’t know yet whether the batch was recorded.">
      {error.message} Nothing was sent: a batch is only sent once it is started. Try again: it is the same batch, so it
      can’t be paid twice.
    </Notice>
  );
}
