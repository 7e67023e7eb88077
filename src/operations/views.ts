import type { Session } from '#src/api/session.ts';
import type { StoreSnapshot } from './operations.ts';
import type { OperationView, OperationsView } from './outcomes.ts';
import { type DamagedRecord, type OperationRecord, isExpired, isUnresolved } from './record.ts';
import { allowedActions } from './allowed.ts';
import { isWaiting, sleepsUntil } from './sleep.ts';

type Owner = Pick<Session, 'service' | 'account' | 'read_only'>;

/** Operations of another service or account are not shown. */
export function viewsOf(snapshot: StoreSnapshot, owner: Owner | null): OperationsView {
  const operations = snapshot.records
    .filter((record) => owns(owner, record))
    .sort((a, b) => b.firstSentAt - a.firstSentAt || startOf(b) - startOf(a));
  return {
    status: snapshot.status,
    ...(snapshot.reason === null ? {} : { reason: snapshot.reason }),
    operations,
    checkOnly: new Set(),
    damaged: snapshot.damaged.filter((record) => mayOwn(owner, record)),
    blocks: snapshot.records
      .filter(
        (record) => record.service === owner?.service && isUnresolved(record.state) && !operations.includes(record),
      )
      .map(({ id, firstSentAt }) => ({ id, firstSentAt })),
    mayForget: snapshot.mayForget,
  };
}

/** `now` in milliseconds of the device, `serviceNow` in unix seconds of the service or null. */
export function viewOf(
  snapshot: StoreSnapshot,
  owner: Owner | null,
  id: string,
  now: number,
  serviceNow: number | null,
): OperationView {
  const nothing = {
    checkOnly: false,
    allowed: [],
    disabled: {},
    asleepUntil: null,
    waiting: false,
    expired: null,
    serviceNow,
    checks: [],
  };
  const operation = snapshot.records.find((record) => record.id === id && owns(owner, record));
  if (operation) {
    const expired = serviceNow === null ? null : isExpired(operation, serviceNow);
    return {
      status: 'found',
      operation,
      checkOnly: false,
      ...allowedActions(operation, { now, serviceNow, expired, readOnly: owner?.read_only ?? true, checkOnly: false }),
      asleepUntil: sleepsUntil(operation, now),
      waiting: isWaiting(operation, now),
      expired,
      serviceNow,
      checks: snapshot.checks.get(id) ?? [],
    };
  }
  const damaged = snapshot.damaged.find((record) => record.id === id && mayOwn(owner, record));
  if (damaged) return { status: 'damaged', damaged, ...nothing };
  const foreign = snapshot.records.find((record) => record.id === id && record.service === owner?.service);
  if (foreign) {
    const blocked = { firstSentAt: foreign.firstSentAt, unresolved: isUnresolved(foreign.state) };
    return { status: 'blocked', blocked, ...nothing };
  }
  if (snapshot.status === 'ready') return { status: 'absent', ...nothing };
  return { status: snapshot.status, ...(snapshot.reason === null ? {} : { reason: snapshot.reason }), ...nothing };
}

export function owns(owner: Omit<Owner, 'read_only'> | null, record: Omit<Owner, 'read_only'>): boolean {
  return owner !== null && record.service === owner.service && record.account === owner.account;
}

function mayOwn(owner: Owner | null, record: DamagedRecord): boolean {
  if (owner === null) return false;
  return (
    (record.service === null || record.service === owner.service) &&
    (record.account === null || record.account === owner.account)
  );
}

function startOf(record: OperationRecord): number {
  return record.attempts[0]?.start ?? 0;
}
