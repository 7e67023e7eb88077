import type { CheckNote, OperationView, UnreadableOperation } from '#src/api/gatewayContract.ts';
import { ABSENCE_PROVES_SECONDS, type OperationRecord } from '#src/lib/operations/record.ts';
import { allowedActions, isFromBefore } from './allowedActions.ts';
import { carriedOn, isInWindow } from './clocks.ts';
import { isLeased, isWaiting, sleepsUntil } from './cooldown.ts';
import type { Instant } from './events.ts';
import type { UnreadableRow } from './rows.ts';
import type { Actor } from './ports.ts';

interface Seen {
  actor: Actor;
  at: Instant;
  /** By the database's clock, milliseconds; null: the journal was not set back. */
  setBackAt: number | null;
  /** The service's clock as last heard, Unix seconds; null: not yet. */
  serviceNow: number | null;
  checks: CheckNote[];
}

/** A record as the actor may see it, with what may be done now; service and account stay here. */
export function viewOf(record: OperationRecord, { actor, at, setBackAt, serviceNow, checks }: Seen): OperationView {
  const { service: _, account, ...operation } = record;
  const carried = carriedOn(record.lastSent, at);
  const now = serviceNow === null ? carried : { ...carried, service: serviceNow };
  const checkOnly = account !== actor.account;
  const { readOnly, apiKey } = actor;
  const fromBefore = isFromBefore(record, { setBackAt });
  return {
    operation,
    checkOnly,
    underWay: isLeased(record, at.database),
    ...allowedActions(record, { now, readOnly, checkOnly, journalOnly: apiKey === null, fromBefore }),
    asleepUntil: sleepsUntil(record, at.server),
    waiting: isWaiting(record, at.server),
    expired: !isInWindow(record.firstSent, now),
    absenceProvesFrom: record.lastSent.service + ABSENCE_PROVES_SECONDS,
    now: at.server,
    databaseNow: at.database,
    serviceNow,
    checks,
  };
}

export function unreadableView({ key, why, firstSentAt, closed }: UnreadableRow): UnreadableOperation {
  return { key, why, firstSentAt, closed };
}
