import type { OperationRecord, UnconfirmedReason } from '#src/operations/record.ts';
import { isHtml, notForwarded } from './attemptWords.ts';

export type VerdictTone = 'plain' | 'motion' | 'open' | 'proof' | 'alarm';
export type VerdictIcon = 'dot' | 'plane' | 'question' | 'check' | 'cross' | 'slash' | 'dash' | 'triangle';

export interface Verdict {
  tone: VerdictTone;
  icon: VerdictIcon;
  chip: string;
  /** One sentence of fact. */
  fact: string;
  /** What it may mean. */
  meaning: string;
}

/** What an operation's page says first. `expired` null: not known yet. */
export function verdictOf(record: OperationRecord, expired: boolean | null): Verdict {
  if (record.state === 'ready') return ready(record, expired);
  if (record.state === 'sending') return sending(record);
  if (record.state === 'unconfirmed') return unconfirmed(record, expired);
  if (record.state === 'refused') return refused(record);
  return SETTLED[record.state];
}

const SETTLED: Record<'succeeded' | 'not-sent' | 'closed', Verdict> = {
  succeeded: {
    tone: 'proof',
    icon: 'check',
    chip: 'Accepted by the service',
    fact: 'The service has accepted this withdrawal.',
    meaning: 'Lists and balances may take a moment to show it.',
  },
  'not-sent': {
    tone: 'plain',
    icon: 'slash',
    chip: 'Not sent',
    fact: 'It was discarded before anything was sent.',
    meaning: 'Its key was never used and never will be.',
  },
  closed: {
    tone: 'plain',
    icon: 'dash',
    chip: 'Closed by hand, outcome not proven here',
    fact: 'A person closed this operation.',
    meaning: 'Whether the service carried it out is not known here.',
  },
};

function sending(record: OperationRecord): Verdict {
  return {
    tone: 'motion',
    icon: 'plane',
    chip: 'Sending',
    fact: `Attempt ${record.attempts.length} is under way.`,
    meaning:
      'There is no cancel: to stop waiting would not stop the payment. You may leave this page; the record stays.',
  };
}

function ready(record: OperationRecord, expired: boolean | null): Verdict {
  const words = { tone: 'plain', icon: 'dot', chip: 'Recorded, not sent', fact: 'Nothing has been sent.' } as const;
  const before = notForwarded(record);
  const meaning =
    expired === true
      ? 'More than 23 hours have passed since it was recorded, so it can only be discarded.'
      : 'It is recorded in this browser with its key. It goes out only when somebody sends it.';
  return { ...words, meaning: before === null ? meaning : `${before} ${meaning}` };
}

function unconfirmed(record: OperationRecord, expired: boolean | null): Verdict {
  const words = { tone: 'open', icon: 'question', chip: 'Unconfirmed' } as const;
  if (record.reason === 'mismatch') {
    return {
      tone: 'alarm',
      icon: 'triangle',
      chip: 'Unconfirmed, answer differs',
      fact: 'The answer is for another payment.',
      meaning:
        'An answer under this key differs from what was sent. Do not send it again; take it to the service with the evidence.',
    };
  }
  if (expired === true) {
    return {
      ...words,
      fact: 'Nobody knows whether this withdrawal was made, and it is too late to send it again.',
      meaning: '23 hours have passed. The service may treat the key as new by now, so this operation is check only.',
    };
  }
  const before = notForwarded(record);
  const { fact, meaning } = REASONS[record.reason ?? 'no-answer'];
  if (before !== null) return { ...words, fact, meaning: `${before} Whether an earlier one was carried out is open.` };
  return { ...words, fact, meaning: record.reason === 'no-answer' ? noAnswer(record) : meaning };
}

const REASONS: Record<UnconfirmedReason, { fact: string; meaning: string }> = {
  'no-answer': { fact: 'Nobody knows yet whether this withdrawal was made.', meaning: '' },
  'signed-out': {
    fact: 'The service did not accept the key of this session.',
    meaning: 'Whether the withdrawal was made is not known. Signed in to the same account, it can be sent again.',
  },
  'stored-failure': {
    fact: 'The service stored a failure.',
    meaning:
      'It answers every repeat with the same failure, and whether money moved cannot be seen from it. Sending again would change nothing.',
  },
  'key-conflict': {
    fact: 'The service says that the key was used for another body.',
    meaning: 'No new key is made: that could pay twice. Take this to the service with the evidence.',
  },
  mismatch: { fact: '', meaning: '' },
};

function noAnswer(record: OperationRecord): string {
  const last = record.attempts.at(-1);
  const open = 'It may have been carried out, or may never have arrived.';
  if (!last || (last.status === null && last.lost === null)) {
    return `The page was closed before an answer came. ${open}`;
  }
  if (last.status === null) return `The request left this browser and no answer came back. ${open}`;
  if (isHtml(last) || last.outcome === 'unclean-success') {
    return `What answered with ${last.status} is not the payment service, or not whole. ${open}`;
  }
  if (last.gatewayError !== null) return `The gateway lost the service on the way (${last.status}). ${open}`;
  return `The answer was ${last.status}, which does not say what became of it. ${open}`;
}

function refused(record: OperationRecord): Verdict {
  const last = record.attempts.findLast((attempt) => attempt.outcome === 'refused');
  return {
    tone: 'alarm',
    icon: 'cross',
    chip: 'Refused',
    fact: `The service refused it${last?.errorCode ? `: ${last.errorCode}` : ''}.`,
    meaning: 'This is final for this key. Nothing was paid.',
  };
}
