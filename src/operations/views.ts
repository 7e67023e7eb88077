import type { Session } from '#src/api/session.ts';
import type { StoreSnapshot } from './operations.ts';
import type { OperationView, OperationsView } from './outcomes.ts';
import { type DamagedRecord, type OperationRecord, isExpired, isUnresolved } from './record.ts';
import { allowedActions } from './allowed.ts';
import { isWaiting, sleepsUntil } from './sleep.ts';

type Owner = Pick<Session, 'service' | 'account' | 'read_only'>;

/** Operations of another service or account are not shown, unless this session's key proved that it reads them. */
export function viewsOf(snapshot: StoreSnapshot, owner: Owner | null): OperationsView {
  const operations = snapshot.records
    .filter((record) => isShown(snapshot, owner, record))
    .sort((a, b) => b.firstSentAt - a.firstSentAt || startOf(b) - startOf(a));
  return {
    status: snapshot.status,
    ...(snapshot.reason === null ? {} : { reason: snapshot.reason }),
    operations,
    checkOnly: new Set(operations.filter((record) => !owns(owner, record)).map(({ id }) => id)),
    damaged: snapshot.damaged.filter((record) => mayOwn(owner, record)),
    blocks: blocksIn(snapshot, owner),
    mayForget: snapshot.mayForget,
  };
}

/** What holds a place and is not shown: unresolved or damaged, and another account's. */
function blocksIn(snapshot: StoreSnapshot, owner: Owner | null): OperationsView['blocks'] {
  const unresolved = snapshot.records.filter(
    (record) => isUnresolved(record.state) && !isShown(snapshot, owner, record),
  );
  const damaged = snapshot.damaged.filter((record) => record.closed === undefined && !mayOwn(owner, record));
  return [...unresolved, ...damaged]
    .filter(({ service }) => service === owner?.service)
    .flatMap(({ id, firstSentAt }) => (firstSentAt === null ? [] : [{ id, firstSentAt }]));
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
  const record = snapshot.records.find((record) => record.id === id);
  if (record && isShown(snapshot, owner, record)) {
    const expired = serviceNow === null ? null : isExpired(record, serviceNow);
    const checkOnly = !owns(owner, record);
    return {
      status: 'found',
      operation: record,
      checkOnly,
      ...allowedActions(record, { now, serviceNow, expired, readOnly: owner?.read_only ?? true, checkOnly }),
      asleepUntil: sleepsUntil(record, now),
      waiting: isWaiting(record, now),
      expired,
      serviceNow,
      checks: snapshot.checks.get(id) ?? [],
    };
  }
  const damaged = snapshot.damaged.find((record) => record.id === id);
  if (damaged && mayOwn(owner, damaged)) {
    return { status: 'damaged', damaged, ...nothing, allowed: damaged.closed ? [] : ['close'] };
  }
  const foreign = record ?? damaged;
  if (foreign && foreign.firstSentAt !== null && owner !== null && foreign.service === owner.service) {
    const unresolved = record ? isUnresolved(record.state) : damaged?.closed === undefined;
    const blocked = { firstSentAt: foreign.firstSentAt, unresolved };
    return { status: 'blocked', blocked, ...nothing, ...closing(record ?? null, unresolved, now) };
  }
  if (snapshot.status === 'ready') return { status: 'absent', ...nothing };
  return { status: snapshot.status, ...(snapshot.reason === null ? {} : { reason: snapshot.reason }), ...nothing };
}

export function owns(owner: Omit<Owner, 'read_only'> | null, record: Omit<Owner, 'read_only'>): boolean {
  return owner !== null && record.service === owner.service && record.account === owner.account;
}

/** Its own, or another key's that this one proved it can read: that one may be checked and closed, never sent. */
export function isShown(
  { readable }: StoreSnapshot,
  owner: Omit<Owner, 'read_only'> | null,
  record: OperationRecord,
): boolean {
  if (owns(owner, record)) return true;
  return readable !== null && readable.account === owner?.account && readable.ids.has(record.id);
}

/** A block that this session cannot open is closed by hand, when no attempt can still be running. */
function closing(
  record: OperationRecord | null,
  unresolved: boolean,
  now: number,
): Pick<OperationView, 'allowed' | 'disabled'> {
  if (!unresolved) return { allowed: [], disabled: {} };
  const isBusy = record !== null && (record.state === 'sending' || isWaiting(record, now));
  return { allowed: ['close'], disabled: isBusy ? { close: 'It is being sent at this moment.' } : {} };
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
