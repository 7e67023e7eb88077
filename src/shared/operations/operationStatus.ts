import { failureOf, knownStatus, statusMeaning } from '#src/shared/paymentStatus.ts';
import { addressIn } from './addressIn.ts';
import { isHtml, notMade } from './attemptWords.ts';
import { readDepositAddressBody } from './depositAddress.ts';
import { amountText, KIND } from './kinds.ts';
import { type Operation, type UnconfirmedReason, mayBeAbsent, whyTooLate } from './record.ts';
import { stateMarkOf, isBeingSent, missingApprovals, waitsForApproval } from './stateMark.ts';
import type { StateMark } from './states.ts';
import { statusStated } from './withdrawal.ts';
import { isUnsentBeforeRestore } from './unsettled.ts';
import { revealHidden } from '#src/shared/text.ts';

export interface OperationStatus extends StateMark {
  fact: string;
  meaning: string;
}

export interface OperationTiming {
  expired: boolean;
  /** The server's clock, milliseconds. */
  now: number;
  /** The database's clock, milliseconds. */
  databaseNow: number;
  /** Unix seconds by the service's clock; null if not read yet. */
  serviceNow: number | null;
  absenceProvesFrom: number;
  checkOnly: boolean;
  underWay: boolean;
  waiting: boolean;
  /** The server's clock, milliseconds. */
  asleepUntil: number | null;
  /** The people who approved it. */
  approved: readonly unknown[];
}

interface PaymentReading {
  /** The payment's status if it was loaded since; undefined if not. */
  payment?: string | null | undefined;
  amountsHidden?: boolean;
}

export function operationStatus(
  record: Operation,
  standing: OperationTiming,
  seen: PaymentReading = {},
): OperationStatus {
  const { outcomeClause, nothingDone } = KIND[record.kind];
  if (isBeingSent({ ...standing, operation: record })) return sending(record);
  switch (record.state) {
    case 'ready':
      return ready(record, standing);
    case 'awaiting':
      return awaiting(record, standing);
    case 'sending':
      return sending(record);
    case 'unconfirmed':
      return unconfirmed(record, standing);
    case 'succeeded':
      return succeeded(record, seen);
    case 'refused': {
      const last = record.attempts.findLast((attempt) => attempt.outcome === 'refused');
      const code = last?.errorCode ? `: ${revealHidden(last.errorCode.slice(0, 80))}` : '';
      const fact = `The provider refused it${code}.`;
      return { ...stateMarkOf(record), fact, meaning: `This is final. ${nothingDone}` };
    }
    case 'not-sent':
      return { ...stateMarkOf(record), ...notSent(record) };
    case 'closed':
      return {
        ...stateMarkOf(record),
        fact: 'A person closed this operation.',
        meaning: `Whether ${outcomeClause} is not proven here: the reason below is what that person had to go on.`,
      };
  }
}

/** Reports the payment's status if it is loaded: an accepted request proves nothing about the money. */
function succeeded(record: Operation, { payment, amountsHidden = false }: PaymentReading): OperationStatus {
  const { one, accepted, aboutOf } = KIND[record.kind];
  const mark = stateMarkOf(record, { payment });
  const addressRequest = record.kind === 'deposit-address' ? readDepositAddressBody(record.body) : null;
  const isAddress = addressRequest !== null && addressIn(record.result?.text ?? '', addressRequest).kind === 'one';
  const fact = isAddress ? 'Deposit address created.' : `The provider has accepted this ${one}.`;
  if (record.kind !== 'withdrawal') return { ...mark, fact, meaning: accepted };
  const status = payment === undefined ? statusStated(record.result) : payment;
  const failure = failureOf(status, amountsHidden ? 'The amount' : amountText(aboutOf(record), false));
  if (failure !== null) return { ...mark, fact: `${failure.word}.`, meaning: failure.rest };
  const isNews = status !== null && !knownStatus(status)?.isFirst;
  return { ...mark, fact, meaning: isNews ? statusMeaning('withdrawal', status) : accepted };
}

function sending(record: Operation): OperationStatus {
  const { length } = record.attempts;
  return {
    ...stateMarkOf(record, { beingSent: true }),
    fact: record.state === 'sending' ? `Attempt ${length} is under way.` : 'It is being sent.',
    meaning: 'This can’t be cancelled. You can leave; we’ll keep waiting.',
  };
}

function ready(record: Operation, standing: OperationTiming): OperationStatus {
  const { expired, checkOnly } = standing;
  const before = notMade(record);
  const meaning = checkOnly
    ? 'It is recorded under another API key of this account, so this session can only discard it.'
    : expired
      ? `${latenessText(record, standing)}, so it can only be discarded.`
      : 'It is recorded with its key. It goes out only when somebody sends it.';
  return {
    ...stateMarkOf(record),
    fact: 'Nothing has been sent.',
    meaning: before === null ? meaning : `${before} ${meaning}`,
  };
}

function awaiting(record: Operation, { approved }: OperationTiming): OperationStatus {
  if (!waitsForApproval(record))
    return {
      ...stateMarkOf(record),
      fact: 'Waits in a batch. Nothing has been sent.',
      meaning: 'It is sent when a person starts or continues that batch.',
    };
  const missing = missingApprovals(record, approved.length);
  const more = approved.length === 0 ? '' : ' more';
  const meaning =
    missing > 0
      ? `It is sent once ${missing === 1 ? `one${more} person has` : `${missing}${more} people have`} approved it.`
      : 'It has its approvals, but couldn’t be sent then. It goes out when an operator sends it.';
  const before = notMade(record);
  return {
    ...stateMarkOf(record, { approvals: approved.length }),
    fact: 'Nothing has been sent.',
    meaning: before === null ? meaning : `${before} ${meaning}`,
  };
}

function notSent({ ending, approval }: Operation): Pick<OperationStatus, 'fact' | 'meaning'> {
  if (ending?.by === 'absence') {
    return {
      fact: 'It was not sent: the provider’s complete list doesn’t have it.',
      meaning: 'A person confirmed that more than 26 hours after it was last sent. Its key is never used again.',
    };
  }
  const discarded = `It was ${approval === undefined ? 'discarded' : 'withdrawn'} before anything was sent.`;
  const fact = {
    discard: discarded,
    hand: discarded,
    reject: 'It was rejected. Nothing was sent.',
    lapse: 'It expired before it was approved and sent. Nothing was sent.',
  }[ending?.by ?? 'discard'];
  return { fact, meaning: 'Its key was never used and never will be.' };
}

function unconfirmed(record: Operation, standing: OperationTiming): OperationStatus {
  const chip = stateMarkOf(record);
  const reason = record.reason ?? 'no-answer';
  const { fact, meaning } = reasonWords(record)[reason];
  if (reason === 'mismatch') return { ...chip, fact, meaning };
  if (standing.expired) return { ...chip, ...expired(record, reason, standing) };
  if (isUnsentBeforeRestore(record)) return { ...chip, fact, meaning };
  const before = notMade(record);
  const parts = [
    before === null ? meaning : `${before} Whether an earlier one was processed isn’t known.`,
    standing.waiting ? 'It is resent by itself, with the same key.' : '',
  ];
  return { ...chip, fact, meaning: parts.filter(Boolean).join(' ') };
}

export function latenessText(
  record: Operation,
  { now, databaseNow, serviceNow }: Pick<OperationTiming, 'now' | 'databaseNow' | 'serviceNow'>,
): string {
  return whyTooLate(record, { service: serviceNow, server: now, database: databaseNow });
}

/** After 23 hours nothing is sent any more, whatever the reason; after 26, absence can be proof. */
function expired(
  record: Operation,
  reason: UnconfirmedReason,
  standing: OperationTiming,
): Pick<OperationStatus, 'fact' | 'meaning'> {
  const { serviceNow, absenceProvesFrom } = standing;
  const { outcomeClause, isCompared } = KIND[record.kind];
  const fact =
    reason === 'stored-failure' || reason === 'key-conflict'
      ? reasonWords(record)[reason].fact
      : `We don’t know whether ${outcomeClause}, and it can’t be resent now.`;
  if (!isCompared) return { fact, meaning: 'Too late to resend. Ask the provider, then close it manually.' };
  if (mayBeAbsent(record) && serviceNow !== null && serviceNow >= absenceProvesFrom) {
    const meaning = 'More than 26 hours have passed, so this operation is check only.';
    return {
      fact,
      meaning: `${meaning} A complete list of the provider that does not have it proves that it was not sent.`,
    };
  }
  const late = latenessText(record, standing);
  return { fact, meaning: `${late}. The provider may treat the key as new by now, so this operation is check only.` };
}

function reasonWords(record: Operation): Record<UnconfirmedReason, { fact: string; meaning: string }> {
  const { one, outcomeClause, pays } = KIND[record.kind];
  const twice = pays ? 'that could pay twice' : `that could create a second ${one}`;
  return {
    'no-answer': { fact: `We don’t know yet whether ${outcomeClause}.`, meaning: noAnswer(record) },
    'signed-out': signedOut(record),
    'stored-failure': {
      fact: 'The provider stored a failure.',
      meaning: `It answers every repeat with the same failure, and whether ${outcomeClause} cannot be seen from it. Sending again would change nothing.`,
    },
    'key-conflict': {
      fact: 'The provider says that the key was used for another body.',
      meaning: `Whether ${outcomeClause} is not known. No new key is made: ${twice}. Take this to the provider with the evidence.`,
    },
    mismatch: {
      fact: `The response is for another ${pays ? 'payment' : one}.`,
      meaning:
        'A response under this key differs from what was sent. Do not send it again; take it to the provider with the evidence.',
    },
  };
}

function signedOut(record: Operation): { fact: string; meaning: string } {
  const { outcomeClause } = KIND[record.kind];
  const last = record.attempts.at(-1);
  if (last && isHtml(last)) {
    return {
      fact: 'A web page came back in place of the provider’s response.',
      meaning: `It may be a sign-in page between this server and the provider. Whether ${outcomeClause} is not known. Once the provider itself responds, it can be sent again.`,
    };
  }
  return {
    fact: 'The provider did not accept the API key that it was sent with.',
    meaning: `Whether ${outcomeClause} is not known. Once the provider accepts that key again, it can be sent again.`,
  };
}

function noAnswer(record: Operation): string {
  const last = record.attempts.at(-1);
  if (isUnsentBeforeRestore(record))
    return 'It waited to be sent in the older copy from which the database was restored. It may have been sent since.';
  const open = 'It may have been processed, or may never have arrived.';
  if (!last || (last.status === null && last.lost === null)) {
    return `The server stopped before a response came. ${open}`;
  }
  if (last.status === null) return `The request left and no usable response came back. ${open}`;
  if (isHtml(last) || last.outcome === 'unclean-success') {
    return `What answered with ${last.status} is not the payment provider, or not whole. ${open}`;
  }
  return `The response was ${last.status}, which does not say what became of it. ${open}`;
}
