import type { CheckNote, OperationView, UnreadableOperation } from '#src/api/gatewayContract.ts';
import { ABSENCE_PROVES_SECONDS, type OperationRecord } from '#src/lib/operations/record.ts';
import { allowedActions, isFromBefore } from './allowed.ts';
import { carriedOn, isInWindow } from './clocks.ts';
import { isLeased, isWaiting, sleepsUntil } from './cooldown.ts';
import type { UnreadableRow } from './rows.ts';
import type { Actor } from './world.ts';

interface Seen {
  actor: Actor;
  /** The database's clock, milliseconds. */
  databaseNow: number;
  /** By the database's clock, milliseconds; null: the journal was not set back. */
  setBackAt: number | null;
  /** The service's clock as last heard, Unix seconds; null: not yet. */
  serviceNow: number | null;
  checks: CheckNote[];
}

/** A record as the actor may see it, with what may be done now; service and account stay here. */
export function viewOf(
  record: OperationRecord,
  { actor, databaseNow, setBackAt, serviceNow, checks }: Seen,
): OperationView {
  const { service: _, account, ...operation } = record;
  const instant = { server: actor.clock.wall(), database: databaseNow };
  const carried = carriedOn(record.lastSent, instant);
  const now = serviceNow === null ? carried : { ...carried, service: serviceNow };
  const checkOnly = account !== actor.account;
  const { readOnly, apiKey } = actor;
  const fromBefore = isFromBefore(record, { setBackAt });
  return {
    operation,
    checkOnly,
    underWay: isLeased(record, databaseNow),
    ...allowedActions(record, { now, readOnly, checkOnly, journalOnly: apiKey === null, fromBefore }),
    asleepUntil: sleepsUntil(record, instant.server),
    waiting: isWaiting(record, instant.server),
    expired: !isInWindow(record.firstSent, now),
    absenceProvesFrom: record.lastSent.service + ABSENCE_PROVES_SECONDS,
    now: instant.server,
    databaseNow,
    serviceNow,
    checks,
  };
}

export function unreadableView({ key, why, firstSentAt, closed }: UnreadableRow): UnreadableOperation {
  return { key, why, firstSentAt, closed };
}
