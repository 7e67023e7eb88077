// A batch's state and progress, in words.
import { BATCH_REASONS, type BatchReason, type BatchSummary } from '#src/shared/contract/batchContract.ts';
import type { StateMark } from '#src/shared/operations/states.ts';
import { counted, numberWords, revealHidden } from '#src/shared/text.ts';

export interface BatchProgress {
  lines: number;
  accepted: number;
  /** Unconfirmed: a person has to find out the outcome. */
  needYou: number;
  refused: number;
  sending: number;
  /** Recorded and not sent, so that starting it sends them. */
  left: number;
  /** Withdrawn with the batch, or ended on its own, such as excluded. */
  notSent: number;
  /** Closed by a person while unconfirmed. */
  closed: number;
}

export function batchProgress({ lines, counts }: Pick<BatchSummary, 'lines' | 'counts'>): BatchProgress {
  const of = (state: string): number => counts[state] ?? 0;
  return {
    lines,
    accepted: of('succeeded'),
    needYou: of('unconfirmed'),
    refused: of('refused'),
    sending: of('sending'),
    left: of('awaiting'),
    notSent: of('not-sent'),
    closed: of('closed'),
  };
}

/** Whether a person has to continue or withdraw it. */
export function waitsForPerson(batch: Pick<BatchSummary, 'state' | 'lines' | 'counts'>): boolean {
  return batch.state === 'paused' && batchProgress(batch).left > 0;
}

/** "212 of 500 accepted, 3 need you, 1 refused, about 4 min left". `msPerLine`: null if no time is to be stated. */
export function progressWords(progress: BatchProgress, msPerLine: number | null = null): string {
  const { lines, accepted, needYou, refused, notSent, closed, left } = progress;
  return [
    `${numberWords(accepted)} of ${numberWords(lines)} accepted`,
    needYou > 0 && needYouWords(needYou),
    refused > 0 && `${numberWords(refused)} refused`,
    notSent > 0 && `${numberWords(notSent)} not sent`,
    closed > 0 && `${numberWords(closed)} closed manually`,
    msPerLine !== null && left > 0 && timeLeft(left * msPerLine),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** "1 needs you" */
export function needYouWords(needYou: number): string {
  return `${numberWords(needYou)} ${needYou === 1 ? 'needs' : 'need'} you`;
}

function timeLeft(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes === 0 ? 'less than a minute left' : `about ${numberWords(minutes)} min left`;
}

export interface BatchStatus extends StateMark {
  fact: string;
  meaning: string;
}

/** Whether the server no longer starts it. `now`: the database's clock, ms. */
export function isPastStart(
  { at, startable_hours: hours }: Pick<BatchSummary, 'at' | 'startable_hours'>,
  now: number,
): boolean {
  return now - at >= hours * 3_600_000;
}

type StatedBatch = Pick<BatchSummary, 'state' | 'why' | 'why_line' | 'lines' | 'counts' | 'startable_hours'>;

interface BatchStartFacts {
  /** The server no longer starts it: isPastStart(). */
  isPastStart?: boolean;
  /** How many more people must approve it. */
  missingApprovals?: number;
}

export function batchStatus(
  batch: StatedBatch,
  { isPastStart: pastStart = false, missingApprovals = 0 }: BatchStartFacts = {},
): BatchStatus {
  const progress = batchProgress(batch);
  const { left } = progress;
  const isTooLate = pastStart && left > 0;
  switch (batch.state) {
    case 'waiting':
      if (missingApprovals > 0 && left > 0 && !isTooLate)
        return {
          tone: 'open',
          icon: 'question',
          chip: 'Waiting for approval',
          fact: 'Nothing has been sent.',
          meaning: `It needs ${counted(missingApprovals, 'more approval', 'more approvals')}. An operator sends it then.`,
        };
      return {
        tone: 'open',
        icon: 'dot',
        chip: 'Not started',
        fact: waitingFact(progress),
        meaning: isTooLate
          ? tooLate(batch)
          : left === 0
            ? ''
            : `It can be started within ${batch.startable_hours} hours of its recording.`,
      };
    case 'running':
      return {
        tone: 'motion',
        icon: 'plane',
        chip: 'Sending',
        fact: 'Payments are being sent, one after another.',
        meaning: 'You can leave this page; the server goes on while you are signed in.',
      };
    case 'paused':
      return { tone: 'open', icon: 'triangle', chip: 'Paused', ...reasonWords(batch, progress, isTooLate) };
    case 'stopped':
      return { ...doneStatus(progress), ...withdrawn(progress) };
    case 'done':
      return doneStatus(progress, batch.why);
    default:
      return {
        tone: 'open',
        icon: 'question',
        chip: revealHidden(batch.state.slice(0, 40)),
        fact: 'This state is from a newer version of the server.',
        meaning: 'Reload the page. Until then, look at the payments below.',
      };
  }
}

function tooLate({ startable_hours: hours }: Pick<BatchSummary, 'startable_hours'>): string {
  return `More than ${hours} hours have passed since it was recorded, so it can’t be started. Withdraw the rest and make a new batch.`;
}

/** A batch that never ran may still have lines in other states: after a database restore their outcome is unknown. */
function waitingFact({ lines, left, notSent, needYou }: BatchProgress): string {
  const recorded = `${counted(lines, 'payment is', 'payments are')} recorded.`;
  if (left + notSent === lines) return `${recorded} Nothing has been sent.`;
  return `${recorded} ${needYou > 0 ? unconfirmedWords(needYou) : 'Not all of them wait to be sent: look at them below.'}`;
}

function unconfirmedWords(count: number): string {
  const [them, each] = count === 1 ? ['it', 'it'] : ['them', 'each'];
  return `${counted(count, 'payment is', 'payments are')} unconfirmed: don’t pay ${them} again. Open ${each} to resolve it.`;
}

function sendingWords(count: number): string {
  return `${counted(count, 'payment is', 'payments are')} still being sent.`;
}

function closedWords(count: number): string {
  const closed = `${counted(count, 'payment was', 'payments were')} closed manually`;
  return `${closed}: whether ${count === 1 ? 'it' : 'they'} went through isn’t proven.`;
}

/** For a stopped batch: no further line is started, but one that is being sent may still finish. */
function withdrawn({ notSent, needYou, refused, sending, closed }: BatchProgress): Partial<BatchStatus> {
  // Not all of them may have been withdrawn: some may have been excluded or rejected before.
  const never =
    notSent === 0
      ? 'It was withdrawn.'
      : `What was left was withdrawn. ${counted(notSent, 'payment wasn’t', 'payments weren’t')} sent, and never will be.`;
  if (sending > 0) return { fact: `${never} ${sendingWords(sending)}` };
  // What needs a person is more important than why it ended.
  const isOpen = needYou > 0 || refused > 0;
  if (isOpen) return { fact: never };
  const meaning = closed > 0 ? closedWords(closed) : '';
  return { tone: 'plain', icon: 'slash', chip: 'Withdrawn', fact: never, meaning };
}

/** How the remaining payments of a batch ended, by the batch's `why`, if they were never sent. */
const RESTS: Partial<Record<string, { chip: string; fact: string }>> = {
  rejected: { chip: 'Rejected', fact: 'was rejected' },
  lapsed: { chip: 'Expired', fact: 'expired before it was approved and sent' },
  'maker-not-permitted': { chip: 'Withdrawn', fact: 'was withdrawn, since whoever prepared it may not send any more' },
};

function doneStatus(progress: BatchProgress, why: string | null = null): BatchStatus {
  const { needYou, refused, notSent, accepted, sending, closed, lines } = progress;
  const rest = why === null ? undefined : RESTS[why];
  if (rest !== undefined && notSent === lines)
    return { tone: 'plain', icon: 'slash', chip: rest.chip, fact: `It ${rest.fact}. Nothing was sent.`, meaning: '' };
  const ended = rest === undefined ? '' : `What was left ${rest.fact}. `;
  const done =
    sending > 0
      ? { chip: 'Sending', fact: `${ended}${sendingWords(sending)} Nothing else is left to send.` }
      : { chip: 'Done', fact: `${ended}Nothing is left to send.` };
  const closedToo = closed > 0 ? ` ${closedWords(closed)}` : '';
  if (needYou > 0) return { ...done, tone: 'open', icon: 'question', meaning: unconfirmedWords(needYou) + closedToo };
  if (refused > 0)
    return {
      ...done,
      tone: 'alarm',
      icon: 'cross',
      meaning: `The provider refused ${counted(refused, 'payment', 'payments')}. Nothing was paid by ${refused === 1 ? 'it' : 'them'}.${closedToo}`,
    };
  if (sending > 0) return { ...done, tone: 'motion', icon: 'plane', meaning: closedToo.trim() };
  if (accepted === lines)
    return {
      ...done,
      tone: 'proof',
      icon: 'check',
      meaning: `The provider has accepted ${lines === 1 ? 'the payment' : `all ${numberWords(lines)} payments`}.`,
    };
  const meaning = notSent > 0 ? `${counted(notSent, 'payment was', 'payments were')} not sent.` : '';
  return { ...done, tone: 'plain', icon: 'dash', meaning: (meaning + closedToo).trim() };
}

type Reasoned = Pick<BatchSummary, 'why' | 'why_line' | 'startable_hours'>;

/** What happened, and what to do next. */
function reasonWords(batch: Reasoned, progress: BatchProgress, isTooLate: boolean): { fact: string; meaning: string } {
  const { why, why_line: number } = batch;
  const known = BATCH_REASONS.find((reason) => reason === why);
  const rest = restWords(progress, known === 'set-back');
  if (known === undefined) {
    const named = why === null ? 'no reason' : `a reason of a newer version (“${revealHidden(why.slice(0, 60))}”)`;
    const next = isTooLate ? tooLate(batch) : 'Look at the payments below before you continue.';
    return { fact: `It stopped for ${named}.`, meaning: `${rest} ${next}` };
  }
  const { fact, next } = REASONS[known];
  const line = number === null ? 'A line' : `Line ${numberWords(number)}`;
  const meaning = progress.left === 0 ? rest : `${rest} ${isTooLate ? tooLate(batch) : next}`;
  return { fact: fact(line, number === null ? '' : ` (line ${numberWords(number)})`), meaning };
}

/** `isSetBack`: what is recorded may be older than what happened. */
function restWords({ left, needYou, sending }: BatchProgress, isSetBack: boolean): string {
  const notYet = isSetBack
    ? `${counted(left, 'payment is', 'payments are')} recorded as not sent.`
    : `${counted(left, 'payment isn’t', 'payments aren’t')} sent yet.`;
  return [
    needYou > 0 && isSetBack && unconfirmedWords(needYou),
    sending > 0 && sendingWords(sending),
    left > 0 ? notYet : sending > 0 ? 'Nothing else is left to send.' : 'Nothing is left to send.',
  ]
    .filter((part) => part !== false)
    .join(' ');
}

interface ReasonWords {
  /** `line`: "Line 7". `at`: " (line 7)", or nothing if no line is named. */
  fact: (line: string, at: string) => string;
  /** What to do next. */
  next: string;
}

const REASONS: Readonly<Record<BatchReason, ReasonWords>> = {
  unconfirmed: {
    fact: (line) => `${line} is unconfirmed: we don’t know yet whether it went through.`,
    next: 'Open that payment and resolve it, then continue.',
  },
  mismatch: {
    fact: (line) => `The provider’s response to ${lower(line)} is for another payment.`,
    next: 'Don’t send that one again. Take it to the provider with its evidence before you continue.',
  },
  'insufficient-funds': {
    fact: (line) => `${line} was refused: not enough is available.`,
    next: 'Add funds, then continue. The refused one isn’t sent again: put it into a new batch.',
  },
  'key-refused': {
    fact: () => 'The provider didn’t accept the API key.',
    next: 'Sign in with a key that it accepts, then continue.',
  },
  refusals: {
    fact: (line) => `Three payments in a row were refused, the last one in ${lower(line)}.`,
    next: 'Find out why first: the others may be refused too. Then continue.',
  },
  skipped: {
    fact: (_line, at) => `Lines left wait for another payment to the same recipient that isn’t resolved yet${at}.`,
    next: 'Resolve that one, then continue.',
  },
  'service-away': {
    fact: () => 'The provider couldn’t be reached.',
    next: 'Try again in a few minutes: continue then.',
  },
  'journal-away': {
    fact: () => 'The database couldn’t be reached, and nothing is sent without its record.',
    next: 'Continue once it is back.',
  },
  'session-ended': {
    fact: () => 'The session of whoever started it ended, or they may no longer send.',
    next: 'Continue to send the rest.',
  },
  'time-over': {
    fact: () => 'It ran for 4 hours, the longest that a batch runs by itself.',
    next: 'Continue to send the rest.',
  },
  'server-stopped': {
    fact: () => 'The server that was sending it stopped, or lost the database.',
    next: 'Look at the payments below, then continue.',
  },
  'set-back': {
    fact: () => 'The database was restored from an older copy, so newer records may be missing.',
    next: 'Nothing can be sent until whoever runs the server ends this.',
  },
  'line-refused': {
    fact: (line) => `${line} breaks a rule of this server, so it wasn’t sent.`,
    next: 'Exclude it, or open it to see why. Then continue.',
  },
  person: {
    fact: () => 'It was stopped by a person.',
    next: 'Continue to send the rest, or withdraw it.',
  },
  'paid-meanwhile': {
    fact: (line) =>
      `The recipient of ${lower(line)} got another payment, which wasn’t confirmed when the batch was recorded.`,
    next: 'Exclude these lines, and put them into a new batch if they are still due.',
  },
  unapproved: {
    fact: (line) => `${line} needs more approvals: the rules became stricter, or an approval doesn’t count any more.`,
    next: 'Have it approved, and then continue.',
  },
  unsigned: {
    fact: (line) =>
      `${line} can’t be sent: whoever prepared it may no longer send, or their signature doesn’t count any more.`,
    next: 'Withdraw the rest, and make a new batch of what is still due.',
  },
  rejected: { fact: () => 'What was left was rejected.', next: 'Make a new batch of what is still due.' },
  lapsed: {
    fact: () => 'What was left expired before it was approved and sent.',
    next: 'Make a new batch of what is still due.',
  },
  'maker-not-permitted': {
    fact: () => 'What was left was withdrawn, since whoever prepared it may not send any more.',
    next: 'Make a new batch of what is still due.',
  },
  unreadable: {
    fact: (line) => `${line} can’t be read by this version of the server.`,
    next: 'Ask whoever runs the server before you continue.',
  },
};

function lower(line: string): string {
  return line.charAt(0).toLowerCase() + line.slice(1);
}
