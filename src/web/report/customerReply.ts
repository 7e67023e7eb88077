import { compareAmounts, formatAmount, isAmount, isZero } from '#src/shared/amount.ts';
import { chainForm } from '#src/shared/chains/names.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { revealHidden, textOrNull, visibleCode } from '#src/shared/text.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import type { PaymentProgress } from '#src/shared/overview/paymentStanding.ts';
import {
  amountSuffix,
  chainName,
  clock,
  dayInWords,
  durationInWords,
  letter,
  orderName,
  type ReplyNames,
  utcDate,
} from './replyWords.ts';

interface PaymentReplyInput extends Partial<ReplyNames> {
  kind: 'deposit' | 'withdrawal';
  row: ListRow;
  standing: PaymentProgress;
  /** Unix seconds. */
  readAt: number;
  /** The chain that the customer named. */
  chainWanted?: string | undefined;
  /** The amount that the customer named; `asset` is null if they named none. */
  amountWanted?: { amount: string; asset: string | null } | undefined;
}

/** A reply about one payment. It contains only facts about the payment: nothing about the account, the team or the journal. */
export function customerReply(input: PaymentReplyInput): string {
  const { kind, row, standing, order = '', ticket = '' } = input;
  const { tx_hash: hash } = row;
  // A failed payment was charged no fee.
  const fee = standing.kind === 'failed' ? null : row['fee'];
  const hasHash = kind === 'deposit' && typeof hash === 'string' && hash !== '';
  return letter(kind === 'deposit' ? depositText(input) : withdrawalText(input), input, [
    // The fee may explain why less arrived; the contract does not say whether it was deducted from the amount.
    ...(isAmount(fee) && !isZero(fee)
      ? [`Fee: ${formatAmount(fee, 'en')} ${visibleCode(row.asset ?? '')}`.trim()]
      : []),
    ...(hasHash ? [`Transaction: ${revealHidden(hash)}`] : []),
    ...(order === '' && ticket === '' ? [`Payment ID: ${revealHidden(row.id)}`] : []),
  ]);
}

/** If the amount differs from the one the customer named, names no order: only the merchant can say whether it is paid. */
function depositText(input: PaymentReplyInput): string {
  const { row, standing, amountWanted } = input;
  const { received_amount: amount, asset } = row;
  const isOther =
    amountWanted !== undefined &&
    standing.kind !== 'failed' &&
    isAmount(amount) &&
    (amountWanted.asset ?? asset) === asset &&
    isAmount(amountWanted.amount) &&
    compareAmounts(amount, amountWanted.amount) !== 0;
  if (!isOther) return depositStandingText(input);
  const [named, received] = [amountWanted.amount, amount].map((of) => amountSuffix(of, asset).replace(/^ of /, ''));
  return `${depositStandingText({ ...input, order: '' })} You mentioned ${named}; we received ${received}.`;
}

function depositStandingText({ row, standing, order = '', readAt, chainWanted }: PaymentReplyInput): string {
  const chain = textOrNull(row['chain']) ?? '';
  const named = orderName(order);
  const isElsewhere = chainWanted !== undefined && chain !== '' && chainForm(chainWanted) !== chainForm(chain);
  const payment = `Your payment${amountSuffix(row['received_amount'], row.asset)}`;
  const on = chain === '' ? '' : ` on ${chainName(chain)}`;
  // Emphasize the chain, which is what the customer got wrong, by putting it right after the verb.
  const reached = isElsewhere
    ? `${payment} reached us${on}, not on ${chainName(chainWanted)}`
    : `${payment}${on} reached us`;
  const arrived = isElsewhere ? reached : `${reached}${whenOf(row.created_at, readAt)}`;
  switch (standing.kind) {
    case 'succeeded':
      if (isElsewhere) return `${arrived}. It has been credited${named === null ? '' : ` to ${named}`}.`;
      return `${arrived} and has been credited${named === null ? '' : ` to ${named}`}.`;
    case 'failed':
      return failedText(`${payment}${on}`, statusOf(row));
    case 'stuck':
      return `${arrived}${isReviewed(row) ? '. Our payments provider is reviewing it' : ' and is being confirmed'}. It is taking longer than it should ${compared(standing)}. We’ve asked our payments provider and will write to you again. You don’t need to pay again.`;
    case 'unconfirmed':
      return `${arrived}. We’re checking it with our payments provider and will write to you again. You don’t need to pay again.`;
    case 'inTime':
      break;
  }
  if (isReviewed(row))
    return `${arrived}. Our payments provider is reviewing it. We’ll write as soon as it’s credited.`;
  const usually = standing.usual === null ? '' : ` That usually takes about ${durationInWords(standing.usual)}.`;
  return `${arrived} and is being confirmed.${usually} We’ll credit ${named ?? 'it'} as soon as it is.`;
}

function failedText(payment: string, status: string | null): string {
  if (status === 'returned') return `${payment} went back to its sender, and nothing was credited.`;
  return `${payment} didn’t complete, and nothing was credited. If the amount left your wallet, send us the transaction hash and we’ll trace it.`;
}

/** A reply about a withdrawal is for a supplier or a payee, who paid nothing. */
function withdrawalText({ row, standing, order = '', readAt }: PaymentReplyInput): string {
  const { created_at: created, tx_hash: hash } = row;
  const what = amountSuffix(row['amount'], row.asset).replace(/^ of /, ' ');
  const chain = textOrNull(row['chain']) ?? '';
  const named = orderName(order);
  const rest = `${chain === '' ? '' : ` on ${chainName(chain)}`}${dayOf(created, readAt)}${named === null ? '' : ` for ${named}`}`;
  const transaction = typeof hash === 'string' && hash !== '' ? `, transaction ${revealHidden(hash)}` : '';
  const isOnChain = knownStatus(statusOf(row))?.isBroadcast === true;
  const sent = isOnChain || transaction !== '';
  switch (standing.kind) {
    case 'succeeded':
      return `We sent you${what}${rest}${transaction}.`;
    case 'failed':
      return `Our payment to you${what === '' ? '' : ` of${what}`}${rest} didn’t go through. We’ll write to you again when we have sent it anew.`;
    case 'unconfirmed':
      return `We’re checking with our payments provider whether our payment to you${what === '' ? '' : ` of${what}`}${rest} went through, and will write to you again.`;
    case 'stuck':
      return `${sent ? 'We sent you' : 'We’re sending you'}${what}${rest}${transaction}. It is taking longer than it should ${compared(standing)}. We’ve asked our payments provider and will write to you again.`;
    case 'inTime':
      return sent
        ? `We sent you${what}${rest}${transaction}. It is waiting to be confirmed on its blockchain.`
        : `We’re sending you${what}${rest}. It hasn’t reached its blockchain yet.`;
  }
}

function statusOf(row: ListRow): string | null {
  return textOrNull(row['status']);
}

/** Whether an undocumented status seems to be a review. The provider's own word is never sent to a customer. */
function isReviewed(row: ListRow): boolean {
  return knownStatus(statusOf(row)) === null && /review|hold/i.test(statusOf(row) ?? '');
}

/** " at 14:03 UTC", with the day if it isn't today. */
function whenOf(created: unknown, now: number): string {
  if (!isPlausibleTime(created)) return '';
  const isToday = utcDate(created) === utcDate(now);
  return `${isToday ? '' : dayOf(created, now)} at ${clock(created)} UTC`;
}

/** " on 25 November", with the year if it isn't this one. */
function dayOf(created: unknown, now: number): string {
  return isPlausibleTime(created) ? ` on ${dayInWords(utcDate(created), utcDate(now))}` : '';
}

/** "(usually a minute, now 26 hours)". */
function compared({ waiting, usual }: Extract<PaymentProgress, { kind: 'stuck' }>): string {
  const now = `now ${durationInWords(waiting)}`;
  return `(${usual === null ? '' : `usually ${durationInWords(usual)}, `}${now})`;
}
