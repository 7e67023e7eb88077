import { CalendarClock } from 'lucide-react';
import { batchProgress, progressWords } from '#src/shared/batches/batchWords.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { dayFromToday, dueWords, rhythmWords } from '#src/shared/due/dueWords.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { missingApprovals } from '#src/shared/operations/stateMark.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { type NextPayment, preparedFrom } from '#src/web/api/standingPayments.ts';
import type { PaymentName } from '#src/web/list/paymentNames.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { Chip } from '#src/web/ui/Chip.tsx';
import type { AttentionLine } from './attentionLine.tsx';
import type { DueItem } from './useDue.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface DueContext {
  today: string;
  name: PaymentName;
  skip: (next: NextPayment) => void;
  /** Why the person can't skip a date; undefined if they can. */
  skipRefusal: string | undefined;
}

export function dueLine(item: DueItem, context: DueContext): AttentionLine {
  const { date } = item;
  const { today } = context;
  const chip = (
    <Chip tone={date < today ? 'open' : 'motion'} icon={<CalendarClock aria-hidden />}>
      {date < today ? 'Overdue' : 'Due'}
    </Chip>
  );
  const line = { chip, waiting: dayWords(date) };
  switch (item.kind) {
    case 'standing':
      return { ...line, ...standingLine(item.next, context) };
    case 'payment':
      return { ...line, ...paymentLine(item, context) };
    case 'batch':
      return { ...line, ...batchLine(item, context) };
  }
}

type DueWords = Omit<AttentionLine, 'chip' | 'waiting'>;

function standingLine(next: NextPayment, { today, skip, skipRefusal }: DueContext): DueWords {
  const { item, date } = next;
  const { name, amount, asset, reference } = item.value;
  const shown = revealHidden(name);
  return {
    key: `standing ${item.id}`,
    what: (
      <>
        <Amount value={amount} asset={asset} flow /> to <bdi>{shown}</bdi>
      </>
    ),
    why: (
      <>
        {rhythmWords(item.value)}, {dueWords(date, today)}.{reference !== '' && <bdi> {revealHidden(reference)}. </bdi>}{' '}
        <Button
          size="small"
          disabledReason={skipRefusal}
          // The second click of a double click would hit the button of the next payment, which has moved up.
          onClick={({ detail }) => detail < 2 && skip(next)}
        >
          Skip this time
          <span className="vh">
            {' '}
            ({shown}, {dayWords(date)})
          </span>
        </Button>
      </>
    ),
    to: paths.standingPayments,
    taking: null,
    act: {
      label: 'Prepare',
      of: `${shown}, ${dayWords(date)}`,
      to: paths.newWithdrawal,
      state: preparedFrom(next),
      ability: 'prepare',
    },
  };
}

function paymentLine({ approval, date }: Extract<DueItem, { kind: 'payment' }>, { name, today }: DueContext): DueWords {
  const { operation, approved } = approval.view;
  const { amount, asset } = KIND[operation.kind].aboutOf(operation);
  const sent = withdrawalFieldsOf(operation);
  const isApproved = missingApprovals(operation, approved.length) === 0;
  return {
    key: `due ${operation.key}`,
    what: (
      <>
        <Amount value={amount} asset={asset ?? undefined} flow />{' '}
        {sent && name({ ...sent, kind: 'withdrawal', id: '' })} {isApproved ? 'isn’t sent yet' : 'waits for approval'}
      </>
    ),
    why: `Its pay-by date ${date < today ? 'was' : 'is'} ${dayFromToday(date, today)}. Nothing has been sent.`,
    to: paths.operation(operation.key),
    taking: null,
    act: { label: 'Open' },
  };
}

function batchLine({ batch: { batch }, date }: Extract<DueItem, { kind: 'batch' }>, { today }: DueContext): DueWords {
  return {
    key: `due batch ${batch.id}`,
    what: (
      <>
        Batch of {counted(batch.lines, 'payment', 'payments')}
        {batch.file_name !== null && (
          <>
            , <UntrustedText value={batch.file_name} brief />
          </>
        )}
        : {progressWords(batchProgress(batch))}
      </>
    ),
    why: `Its pay-by date ${date < today ? 'was' : 'is'} ${dayFromToday(date, today)}.`,
    to: paths.batch(batch.id),
    taking: null,
    act: { label: 'Open batch' },
  };
}
