import { type Ability, refusalOf, type Rights } from '#src/shared/permissions.ts';
import { type Action, STATES } from '#src/shared/operations/states.ts';
import type { CheckNote, OperationView, UnreadableOperation } from '#src/shared/contract/gatewayContract.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { missingApprovals, needsApproval, waitsForApproval } from '#src/shared/operations/stateMark.ts';
import { counted } from '#src/shared/text.ts';
import {
  ABSENCE_PROVES_SECONDS,
  type Clocks,
  type OperationRecord,
  mayBeAbsent,
  mayResend,
  whyTooLate,
} from '#src/shared/operations/record.ts';
import type { ApprovedBy, StoppedBy } from '#src/server/people/signatures.ts';
import {
  hasPassed,
  isInWindow,
  extrapolateClocks,
  isLeased,
  isStartable,
  isWaiting,
  cooldownUntil,
  startableSeconds,
} from './clocks.ts';
import { whyNeverSigned, whySignedBlocksKeyMode } from './contentHash.ts';
import type { Instant } from './events.ts';
import type { UnreadableRow, OperationActor } from './ports.ts';

export interface Circumstances {
  /** The service's clock as last received, extrapolated by this server's. */
  now: Clocks;
  /** Whether `now.service` comes from a Date of the service. */
  isServiceTimeKnown: boolean;
  rights: Rights;
  /** Recorded under another key of this account. */
  checkOnly: boolean;
  /** Recorded before a set-back of the journal, which may have lost its outcome. */
  isBeforeSetBack: boolean;
  /** Why having a signature, or having none, prevents sending; null if it doesn't. */
  signatureProblem: string | null;
  /** The id of the person who asks; null in key mode. */
  person: string | null;
  /** An approver ended its resends. */
  isStopped: boolean;
  /** How many people approved it, whether or not their approvals count now. */
  approvals: number;
}

interface Allowed {
  allowed: Action[];
  disabled: Partial<Record<Action, string>>;
}

export const ONLY_MAKER = 'Only the person who prepared it can withdraw it. An approver can reject it.';
export const OWN_APPROVED = 'It needed approval, so somebody other than the person who prepared it ends it.';
const MAY_BE_NEW = 'The provider may treat it as a new one.';
export const SET_BACK =
  'The database was restored from an older copy: what became of this since isn’t known, so it can only be checked or closed.';
const WAITING = 'It is about to be sent again by itself.';
const FINISHING = 'The last attempt may still be finishing.';

/** The ability that each action requires. */
const ABILITY_OF: Record<Action, Ability> = {
  send: 'send',
  resend: 'send',
  discard: 'discard',
  check: 'check',
  close: 'close',
  'confirm-not-sent': 'confirm-not-sent',
  'edit-as-new': 'prepare',
  'start-another': 'prepare',
};

/** The actions the page offers now. One with an entry in `disabled` is shown with that reason. */
export function allowedActions(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { allowed, disabled } = possibleActions(record, circumstances);
  for (const action of allowed) {
    // A missing permission is the reason to show, even if the action isn't possible now either.
    const refusal = refusalOf(ABILITY_OF[action], circumstances.rights);
    if (refusal !== null) disabled[action] = refusal.message;
  }
  return { allowed, disabled };
}

function possibleActions(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { now, checkOnly } = circumstances;
  if (isLeased(record, now.database)) return { allowed: [], disabled: {} };
  switch (record.state) {
    case 'ready': {
      if (checkOnly) return { allowed: ['discard'], disabled: {} };
      const late = `${tooLate(record, circumstances)}, so it can only be discarded.`;
      return { allowed: ['send', 'discard'], disabled: isInWindow(record.firstSent, now) ? {} : { send: late } };
    }
    case 'unconfirmed':
      return unconfirmed(record, circumstances);
    case 'succeeded':
      return { allowed: KIND[record.kind].isCompared ? ['check', 'start-another'] : ['start-another'], disabled: {} };
    case 'awaiting':
      return awaiting(record, circumstances);
    case 'refused':
    case 'sending':
    case 'not-sent':
    case 'closed':
      return { allowed: [...STATES[record.state].actions], disabled: {} };
  }
}

/** By the number of approvals alone: whether they count is verified when it is sent. */
function whyMoreApprovals(record: OperationRecord, { approvals }: Circumstances): string | null {
  const missing = missingApprovals(record, approvals);
  return missing > 0 ? `It needs ${counted(missing, 'more approval', 'more approvals')}.` : null;
}

function awaiting(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { checkOnly, person, now } = circumstances;
  if (!waitsForApproval(record)) return { allowed: ['discard'], disabled: {} };
  const isMaker = record.signed?.maker === person;
  const late = `More than ${startableSeconds(record) / 3_600} hours have passed since it was recorded.`;
  const noSend = whyMoreApprovals(record, circumstances) ?? (isStartable(record, now) ? null : late);
  return {
    allowed: checkOnly ? ['discard'] : ['send', 'discard'],
    disabled: {
      ...(noSend === null ? {} : { send: noSend }),
      ...(isMaker ? {} : { discard: ONLY_MAKER }),
    },
  };
}

/** Whether the person prepared this payment and it needed approvals: then somebody else must confirm how it ended. */
export function isOwnApproved(
  record: Pick<OperationRecord, 'approval' | 'signed'>,
  { person }: { person: string | null },
): boolean {
  return needsApproval(record) && record.signed?.maker === person;
}

function unconfirmed(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { now, checkOnly } = circumstances;
  const allowed: Action[] = [];
  const disabled: Allowed['disabled'] = {};
  if (KIND[record.kind].isCompared) allowed.push('check');
  // The contract does not say that keys of one account share their idempotency records.
  if (mayResend(record) && !checkOnly && !circumstances.isStopped) {
    allowed.push('resend');
    const why = circumstances.isBeforeSetBack
      ? SET_BACK
      : (circumstances.signatureProblem ??
        whyMoreApprovals(record, circumstances) ??
        whyNoResend(record, circumstances));
    if (why !== null) disabled.resend = why;
  }
  if (!checkOnly && mayBeAbsent(record) && hasPassed(record.lastSent, now, ABSENCE_PROVES_SECONDS)) {
    allowed.push('confirm-not-sent');
  }
  allowed.push('close');
  if (isWaiting(record, now.server)) disabled.close = WAITING;
  if (isOwnApproved(record, circumstances)) {
    disabled.close = OWN_APPROVED;
    if (allowed.includes('confirm-not-sent')) disabled['confirm-not-sent'] = OWN_APPROVED;
  }
  return { allowed, disabled };
}

function whyNoResend(record: OperationRecord, circumstances: Circumstances): string | null {
  const { now } = circumstances;
  if (!isInWindow(record.firstSent, now)) return `${tooLate(record, circumstances)}. ${MAY_BE_NEW}`;
  if (isWaiting(record, now.server)) return WAITING;
  return cooldownUntil(record, now.server) === null ? null : FINISHING;
}

function tooLate(record: OperationRecord, { now, isServiceTimeKnown }: Circumstances): string {
  return whyTooLate(record, isServiceTimeKnown ? now : { ...now, service: null });
}

/** For display only: the journal itself compares positions, which no clock can change. */
function isFromBefore(
  { firstSent }: Pick<OperationRecord, 'firstSent'>,
  { setBackAt }: { setBackAt: number | null },
): boolean {
  return setBackAt !== null && firstSent.database <= setBackAt;
}

interface ViewInput {
  actor: OperationActor;
  at: Instant;
  /** By the database's clock, ms; null if the journal was not set back. */
  setBackAt: number | null;
  /** The service's clock as last received, Unix seconds; null if not yet. */
  serviceNow: number | null;
  checks: CheckNote[];
  /** Whether people sign payments here. */
  peopleSign: boolean;
  /** Who approved it, the oldest first. */
  approved: readonly ApprovedBy[];
  /** The approver who stopped its resends; null if nobody did. */
  stopped: StoppedBy | null;
}

/** A record as the actor may see it, with what may be done now; service, account and credential stay here. */
export function viewOf(
  record: OperationRecord,
  { actor, at, setBackAt, serviceNow, checks, peopleSign, approved, stopped }: ViewInput,
): OperationView {
  const { service: _, account: __, credential, ...operation } = record;
  const carried = extrapolateClocks(record.lastSent, at);
  const now = serviceNow === null ? carried : { ...carried, service: serviceNow };
  const checkOnly = credential !== actor.credential;
  const isBeforeSetBack = isFromBefore(record, { setBackAt });
  return {
    operation,
    checkOnly,
    underWay: isLeased(record, at.database),
    ...allowedActions(record, {
      now,
      isServiceTimeKnown: serviceNow !== null,
      rights: actor.rights,
      checkOnly,
      isBeforeSetBack,
      signatureProblem: peopleSign ? whyNeverSigned(record) : whySignedBlocksKeyMode(record),
      person: actor.person,
      approvals: approved.length,
      isStopped: stopped !== null,
    }),
    asleepUntil: cooldownUntil(record, at.server),
    waiting: isWaiting(record, at.server),
    expired: !isInWindow(record.firstSent, now),
    absenceProvesFrom: record.lastSent.service + ABSENCE_PROVES_SECONDS,
    now: at.server,
    databaseNow: at.database,
    serviceNow,
    checks,
    approved: approved.map(({ person, name, at: approvedAt }) => ({
      person,
      name,
      at: Math.floor(approvedAt / 1_000),
    })),
    ...(stopped && {
      stopped: stoppedView(stopped),
    }),
  };
}

export function unreadableView({ key, why, firstSentAt, closed }: UnreadableRow): UnreadableOperation {
  return { key, why, firstSentAt, closed };
}

export function stoppedView({ name, at, reason }: StoppedBy): NonNullable<OperationView['stopped']> {
  return { name, at: Math.floor(at / 1_000), reason };
}
