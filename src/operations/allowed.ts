import type { Action } from './outcomes.ts';
import { ABSENCE_PROVES_SECONDS, type OperationRecord, mayBeAbsent } from './record.ts';
import { isWaiting, sleepsUntil } from './sleep.ts';

/** Which reasons of `unconfirmed` allow to send again; the others can only be checked. */
export function mayResend(record: OperationRecord): boolean {
  return record.state === 'unconfirmed' && (record.reason === 'no-answer' || record.reason === 'signed-out');
}

export interface Circumstances {
  /** Device clock, milliseconds. */
  now: number;
  /** Unix seconds by the service's clock; null: not known yet. */
  serviceNow: number | null;
  /** null: the service's clock is not known yet. */
  expired: boolean | null;
  readOnly: boolean;
  /** Recorded under another key of this account. */
  checkOnly: boolean;
}

interface Allowed {
  allowed: Action[];
  disabled: Partial<Record<Action, string>>;
}

export const EXPIRED_SEND = 'More than 23 hours have passed since this was recorded, so it can only be discarded.';
export const EXPIRED_RESEND =
  'More than 23 hours have passed since it was first sent. The service may have forgotten the key, so this can only be checked.';
export const READ_ONLY = 'This session is read-only.';
const WAITING = 'It is about to be sent again by itself.';

/** What the operation's page offers now; an action with an entry in `disabled` is shown with that reason. */
export function allowedActions(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { expired, readOnly, checkOnly } = circumstances;
  switch (record.state) {
    case 'ready': {
      if (checkOnly) return { allowed: ['discard'], disabled: {} };
      const why = readOnly ? READ_ONLY : expired === true ? EXPIRED_SEND : null;
      return { allowed: ['send', 'discard'], disabled: why === null ? {} : { send: why } };
    }
    case 'unconfirmed':
      return unconfirmed(record, circumstances);
    case 'succeeded':
      return { allowed: record.kind === 'withdrawal' ? ['check', 'start-another'] : ['start-another'], disabled: {} };
    case 'refused':
      return { allowed: ['edit-as-new'], disabled: {} };
    case 'sending':
      return { allowed: [], disabled: {} };
    case 'not-sent':
    case 'closed':
      break;
  }
  return { allowed: ['start-another'], disabled: {} };
}

function unconfirmed(record: OperationRecord, circumstances: Circumstances): Allowed {
  const { now, serviceNow } = circumstances;
  const allowed: Action[] = [];
  const disabled: Allowed['disabled'] = {};
  if (record.kind === 'withdrawal') allowed.push('check');
  // The contract does not say that keys of one account share their idempotency records.
  if (mayResend(record) && !circumstances.checkOnly) {
    allowed.push('resend');
    const why = whyNoResend(record, circumstances);
    if (why !== null) disabled.resend = why;
  }
  if (
    !circumstances.checkOnly &&
    mayBeAbsent(record) &&
    serviceNow !== null &&
    serviceNow - record.firstSentAt >= ABSENCE_PROVES_SECONDS
  ) {
    allowed.push('confirm-not-sent');
  }
  allowed.push('close');
  if (isWaiting(record, now)) disabled.close = WAITING;
  return { allowed, disabled };
}

function whyNoResend(record: OperationRecord, { now, expired, readOnly }: Circumstances): string | null {
  if (expired === true) return EXPIRED_RESEND;
  if (readOnly) return READ_ONLY;
  if (isWaiting(record, now)) return WAITING;
  return sleepsUntil(record, now) === null ? null : 'The last attempt may still be finishing.';
}
