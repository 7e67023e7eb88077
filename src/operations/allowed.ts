import type { Action } from './outcomes.ts';
import type { OperationRecord } from './record.ts';
import { isWaiting, sleepsUntil } from './sleep.ts';

/** Which reasons of `unconfirmed` allow to send again; the others can only be checked. */
export function mayResend(record: OperationRecord): boolean {
  return record.state === 'unconfirmed' && (record.reason === 'no-answer' || record.reason === 'signed-out');
}

export interface Circumstances {
  /** Device clock, milliseconds. */
  now: number;
  /** null: the service's clock is not known yet. */
  expired: boolean | null;
  readOnly: boolean;
}

export const EXPIRED_SEND = 'More than 23 hours have passed since this was recorded, so it can only be discarded.';
export const EXPIRED_RESEND =
  'More than 23 hours have passed since it was first sent. The service may have forgotten the key, so this can only be checked.';
export const READ_ONLY = 'This session is read-only.';

/** What the operation's page offers now; an action with an entry in `disabled` is shown with that reason. */
export function allowedActions(
  record: OperationRecord,
  { now, expired, readOnly }: Circumstances,
): { allowed: Action[]; disabled: Partial<Record<Action, string>> } {
  if (record.state === 'ready') {
    return {
      allowed: ['send', 'discard'],
      disabled: {
        ...(expired === true ? { send: EXPIRED_SEND } : {}),
        ...(readOnly ? { send: READ_ONLY } : {}),
      },
    };
  }
  if (record.state === 'unconfirmed') {
    if (!mayResend(record)) return { allowed: ['check'], disabled: {} };
    if (expired === true) return { allowed: ['check', 'resend'], disabled: { resend: EXPIRED_RESEND } };
    if (readOnly) return { allowed: ['check', 'resend'], disabled: { resend: READ_ONLY } };
    if (isWaiting(record, now)) {
      return { allowed: ['check', 'resend'], disabled: { resend: 'It is about to be sent again by itself.' } };
    }
    const asleep = sleepsUntil(record, now) !== null;
    return {
      allowed: ['check', 'resend'],
      disabled: asleep ? { resend: 'The last attempt may still be finishing.' } : {},
    };
  }
  if (record.state === 'succeeded') return { allowed: ['check', 'start-another'], disabled: {} };
  if (record.state === 'refused') return { allowed: ['edit-as-new'], disabled: {} };
  if (record.state === 'sending') return { allowed: [], disabled: {} };
  return { allowed: ['start-another'], disabled: {} };
}
