import { byWhom, isSameAuthor } from '#src/shared/author.ts';
import { answerWords, isRunning } from '#src/shared/operations/attemptWords.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { type AttemptNote, CLOCK_SLACK_SECONDS, type Operation } from '#src/shared/operations/record.ts';
import { declinedOf } from '#src/shared/operations/declined.ts';
import { needsApproval } from '#src/shared/operations/stateMark.ts';
import { revealHidden } from '#src/shared/text.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { isPlausibleTime, lasting } from '#src/shared/time.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import type { ListRow } from '#src/web/list/fields.tsx';
import { type LedgerRoles, ledgerRoles, type LedgerMovement, type MovedTogether } from './ledgerRoles.ts';

export type TimelineProof =
  | { kind: 'operation'; key: string; /** Shown instead of the key on a redacted copy. */ shown?: string }
  | { kind: 'attempt' | 'approval'; key: string; number: number }
  /** A response of the service; null if it has no request ID. */
  | { kind: 'request'; id: string | null }
  | { kind: 'payment'; paymentKind: TimelineInput['kind']; id: string }
  | { kind: 'ledger'; ids: readonly string[] }
  | { kind: 'hash'; hash: string; chain: string | null };

export type StepMark =
  | 'saved'
  | 'approved'
  | 'ended'
  | 'sent'
  | 'lost'
  | 'accepted'
  | 'motion'
  | 'chain'
  | 'proof'
  | 'alarm'
  | 'back'
  | 'entry';

/** One event in the history of a payment. Every step has a proof. */
export interface TimelineStep {
  /** Unix seconds; null if the time is unknown. */
  at: number | null;
  /** `at` is when a response first showed it here; it happened earlier. */
  isSeen?: true;
  mark: StepMark;
  what: string;
  more?: string;
  notes: readonly (string | LedgerMovement)[];
  proofs: readonly [TimelineProof, ...TimelineProof[]];
}

export interface SeenStatus {
  status: string | null;
  /** Unix seconds. */
  at: number;
  requestId: string | null;
}

interface TimelineInput {
  kind: 'deposit' | 'withdrawal';
  row: ListRow;
  seen: SeenStatus;
  /** Its ledger entries; empty if there are none or they are not loaded. */
  entries: readonly LedgerEntryRow[];
  /** The operation that created the payment; null if none is recorded here. */
  made: MadeBy | null;
}

/** An operation, and who approved it. */
export interface MadeBy {
  operation: Operation;
  approved: OperationView['approved'];
  stopped?: OperationView['stopped'];
  /** Whether people sign with passkeys. The sandbox's demo people have none. */
  byPasskey: boolean;
}

export function timelineOf({ kind, row, seen, entries, made }: TimelineInput): TimelineStep[] {
  const moved = ledgerRoles(kind, entries);
  const others = movedSteps('Ledger entry', 'entry', moved.other);
  return kind === 'deposit'
    ? [detected(row, moved.begun), ...others, ...timed(depositEnd(seen, moved), row, 'detected')]
    : [
        ...withAccepted(made ? sendingSteps(made) : [], accepted(row, moved.begun, made?.operation ?? null)),
        ...onChain(row, seen),
        ...others,
        ...timed(withdrawalEnd(seen, moved), row, 'created'),
      ];
}

function depositEnd(seen: SeenStatus, { released, left }: LedgerRoles): TimelineStep[] {
  const kind = knownStatus(seen.status);
  if (kind?.tone === 'proof')
    return [statusStep(seen, 'proof', released.length > 0 ? 'Available' : kind.word, released)];
  if (kind?.tone === 'alarm')
    return [statusStep(seen, 'alarm', kind.word, left), ...movedSteps('Available', 'entry', released)];
  return [
    ...inMotion(seen),
    ...movedSteps('Available', 'proof', released),
    ...movedSteps('Left your balance', 'entry', left),
  ];
}

function withdrawalEnd(seen: SeenStatus, { released, left }: LedgerRoles): TimelineStep[] {
  const kind = knownStatus(seen.status);
  if (kind?.tone === 'proof')
    return [statusStep(seen, 'proof', kind.word, left), ...movedSteps('Released', 'back', released)];
  if (kind?.tone === 'alarm') {
    const back = [...left, ...released];
    return [statusStep(seen, 'alarm', kind.word, [], timeIn(back)), ...movedSteps('Released', 'back', back)];
  }
  return [
    ...inMotion(seen),
    ...movedSteps('Released', 'back', released),
    ...movedSteps('Left your balance', 'entry', left),
  ];
}

function inMotion(seen: SeenStatus): TimelineStep[] {
  const { status } = seen;
  const kind = knownStatus(status);
  // The steps "accepted" or "detected", and "broadcast", already cover these statuses.
  if (status === null || kind?.isFirst || kind?.isBroadcast) return [];
  return [statusStep(seen, 'motion', kind?.word ?? revealHidden(status.slice(0, 60)))];
}

export function sendingSteps({ operation: record, approved, stopped, byPasskey }: MadeBy): TimelineStep[] {
  const { key, attempts, firstSent, recorded = firstSent, signed } = record;
  const isForApproval = needsApproval(record);
  const saved: TimelineStep = {
    at: recorded.service,
    mark: 'saved',
    what: isForApproval ? 'Prepared' : 'Saved',
    more: byWhom(record),
    notes:
      signed && !isForApproval ? ['before anything was sent', 'signed by its maker'] : ['before anything was sent'],
    proofs: [{ kind: 'operation', key }],
  };
  const steps = [saved];
  let next = 0;
  const approvalsUntil = (at: number) => {
    for (let one = approved[next]; one !== undefined && one.at <= at; one = approved[next]) {
      next += 1;
      steps.push(approvalStep(record, one, { number: next, byPasskey }));
    }
  };
  for (const [at, attempt] of attempts.entries()) {
    // The two clocks may disagree a little, but the first attempt came after its approvals.
    approvalsUntil(attempt.start / 1000 + (at === 0 ? CLOCK_SLACK_SECONDS : 0));
    steps.push(attemptStep(record, attempt, at));
  }
  approvalsUntil(Infinity);
  return [...steps, ...(stopped ? [stopStep(record, stopped)] : []), ...endStep(record)];
}

function approvalStep(
  { key, approval }: Operation,
  { person, name, at }: MadeBy['approved'][number],
  { number, byPasskey }: { number: number; byPasskey: boolean },
): TimelineStep {
  // An earlier approval may no longer count.
  const needs = approval?.needs ?? number;
  const count = number > needs ? `Approval ${number}` : `${number} of ${needs}`;
  return {
    at,
    mark: 'approved',
    what: 'Approved',
    more: byWhom({ who: name, person }),
    notes: [byPasskey ? `${count}, signed with a passkey` : count],
    proofs: [{ kind: 'approval', key, number }],
  };
}

function stopStep({ key }: Operation, { name, at, reason }: NonNullable<MadeBy['stopped']>): TimelineStep {
  return {
    at,
    mark: 'ended',
    what: 'Resending stopped',
    more: ` by ${revealHidden(name)}`,
    notes: [`“${revealHidden(reason)}”`],
    proofs: [{ kind: 'operation', key }],
  };
}

/** How a payment that waited for approval ended without being sent. */
function endStep(record: Operation): TimelineStep[] {
  const { key, ending } = record;
  const declined = declinedOf(record);
  if (declined === null || !ending) return [];
  return [
    {
      at: Math.floor(ending.at / 1000),
      mark: 'ended',
      what: declined.how,
      more: declined.by,
      notes: declined.words === '' ? [] : [`“${declined.words}”`],
      proofs: [{ kind: 'operation', key }],
    },
  ];
}

function attemptStep(record: Operation, attempt: AttemptNote, at: number): TimelineStep {
  const { start, by, requestId, outcome } = attempt;
  const isLost = outcome !== 'success' && requestId === null;
  const proof: TimelineProof = { kind: 'attempt', key: record.key, number: at + 1 };
  const whose = by === 'automatic' ? ' by itself' : isSameAuthor(attempt, record) && at === 0 ? '' : byWhom(attempt);
  return {
    at: Math.floor(start / 1000),
    mark: isLost && !isRunning(record, attempt) ? 'lost' : 'sent',
    what: outcome === 'not-made' ? 'Not sent' : at === 0 ? 'Sent' : 'Resent',
    more: whose,
    notes: [answerWords(record, attempt)],
    proofs: requestId === null ? [proof] : [proof, { kind: 'request', id: requestId }],
  };
}

/** Inserts the step before later resends, but never before the first attempt, because the times are from different clocks. */
function withAccepted(sent: TimelineStep[], step: TimelineStep): TimelineStep[] {
  const resent = sent.findIndex(({ at }, index) => index > 1 && at !== null && step.at !== null && at > step.at);
  return sent.toSpliced(resent === -1 ? sent.length : resent, 0, step);
}

/** The payment's record at the service, and, if it was sent from here, how we learned that it was accepted. */
function accepted(row: ListRow, reserved: readonly MovedTogether[], made: Operation | null): TimelineStep {
  const answer = made?.attempts.findLast(({ outcome }) => outcome === 'success');
  const more = answer?.replayed
    ? ' (confirmed by the resend)'
    : made?.result?.by === 'check'
      ? ' (confirmed by a check)'
      : ' by the provider';
  return {
    at: isPlausibleTime(row.created_at) ? row.created_at : null,
    mark: 'accepted',
    what: made ? 'Accepted' : 'Created',
    more: made ? more : ' at the provider',
    notes: reserved.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'payment', paymentKind: 'withdrawal', id: row.id }, ...ledgerProofs(reserved)],
  };
}

function detected(row: ListRow, arrived: readonly MovedTogether[]): TimelineStep {
  return {
    at: isPlausibleTime(row.created_at) ? row.created_at : null,
    mark: 'accepted',
    what: 'Detected',
    notes: arrived.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'payment', paymentKind: 'deposit', id: row.id }, ...hashProofs(row), ...ledgerProofs(arrived)],
  };
}

/** The step "broadcast". Only a hash or a status proves it, and neither has a time. */
function onChain(row: ListRow, seen: SeenStatus): TimelineStep[] {
  const [hash] = hashProofs(row);
  const isSeen = knownStatus(seen.status)?.isBroadcast === true;
  if (!hash && !isSeen) return [];
  return [
    {
      at: isSeen ? seen.at : null,
      ...(isSeen && { isSeen: true as const }),
      mark: 'chain',
      what: 'Broadcast',
      notes: [],
      proofs: [hash ?? { kind: 'request', id: seen.requestId }],
    },
  ];
}

function hashProofs({ tx_hash: hash, chain }: ListRow): TimelineProof[] {
  return typeof hash === 'string' && hash !== ''
    ? [{ kind: 'hash', hash, chain: typeof chain === 'string' ? chain : null }]
    : [];
}

/** A status step, at the time of its ledger entries, or else when the status was first received. */
function statusStep(
  seen: SeenStatus,
  mark: StepMark,
  what: string,
  by: readonly MovedTogether[] = [],
  at = timeIn(by),
): TimelineStep {
  return {
    ...(at === null ? { at: seen.at, isSeen: true as const } : { at }),
    mark,
    what,
    notes: by.flatMap(({ moves }) => moves),
    proofs: [{ kind: 'request', id: seen.requestId }, ...ledgerProofs(by)],
  };
}

function timed(steps: TimelineStep[], { created_at: from }: ListRow, begun: string): TimelineStep[] {
  return steps.map((step) => {
    const { at, isSeen, mark } = step;
    if ((mark !== 'proof' && mark !== 'alarm') || isSeen || at === null) return step;
    if (!isPlausibleTime(from) || at < from) return step;
    return { ...step, more: `, ${lasting(at - from)} after it was ${begun}` };
  });
}

function movedSteps(what: string, mark: StepMark, groups: readonly MovedTogether[]): TimelineStep[] {
  return groups.map(({ at, moves, ids }) => ({ at, mark, what, notes: moves, proofs: [{ kind: 'ledger', ids }] }));
}

function timeIn(groups: readonly MovedTogether[]): number | null {
  return groups.find(({ at }) => at !== null)?.at ?? null;
}

function ledgerProofs(groups: readonly MovedTogether[]): [] | [TimelineProof] {
  const ids = groups.flatMap((group) => group.ids);
  return ids.length === 0 ? [] : [{ kind: 'ledger', ids }];
}
