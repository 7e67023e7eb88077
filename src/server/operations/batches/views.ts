import { authorOf } from '#src/shared/author.ts';
import type { BatchLineView, BatchSummary } from '#src/shared/contract/batchContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { BATCH_STARTABLE_SECONDS, knownResultId } from '#src/shared/operations/record.ts';
import { readWithdrawalBody, statusStated, withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { Batch, LineCount, OperationRow } from '#src/server/operations/ports.ts';
import { isLeaseAlive } from './batchRun.ts';

/** `counts`: of this batch and others. `now`: the database's clock, ms. */
export function batchSummary(batch: Batch, counts: readonly LineCount[], now: number): BatchSummary {
  const byState: Record<string, number> = {};
  const own = counts.filter((lines) => lines.batch === batch.id);
  for (const { state, isAbandoned, count } of own) {
    // Its server is gone, so its outcome is unknown.
    const name = isAbandoned ? 'unconfirmed' : state;
    byState[name] = (byState[name] ?? 0) + count;
  }
  // All lines were recorded together, under one policy.
  const hours = own.find((lines) => lines.hours !== null)?.hours;
  const { id, at, fileName, again, revision } = batch;
  return {
    id,
    at,
    ...authorOf(batch),
    again,
    revision,
    lines: batch.lines,
    startable_hours: hours ?? BATCH_STARTABLE_SECONDS / 3_600,
    file_name: fileName,
    ...standing(batch, now),
    counts: byState,
    totals: [],
  };
}

type DisplayedState = Pick<BatchSummary, 'state' | 'why' | 'why_line' | 'lapsed'>;

/** A run whose lease expired counts as paused: its server is gone. */
function standing({ state, why, whyLine, run }: Batch, now: number): DisplayedState {
  if (state === 'running' && run !== null && !isLeaseAlive(run, now))
    return { state: 'paused', why: now >= run.until ? 'time-over' : 'server-stopped', why_line: null, lapsed: true };
  return { state, why, why_line: whyLine, lapsed: false };
}

type Totals = BatchSummary['totals'];

/** Exact sums by asset and chain. Empty if a line can't be read, because the sums would be wrong. */
export function totalsOf(lines: readonly OperationRow[]): Totals {
  const payments = lines.flatMap(({ record }) => {
    const fields = record && withdrawalFieldsOf(record);
    return !record || !fields ? [] : { ...fields, isAccepted: record.state === 'succeeded' };
  });
  if (payments.length < lines.length) return [];
  return byAsset(payments, (group) => amountOf(group.filter(({ isAccepted }) => isAccepted)));
}

/** As totalsOf(), with `accepted` null. `bodies`: one for each line, null if it can't be read. */
export function totalsIn(bodies: readonly (string | null)[]): Totals {
  const payments = bodies.flatMap((body) => (body === null ? [] : (readWithdrawalBody(body) ?? [])));
  return payments.length === bodies.length ? byAsset(payments, () => null) : [];
}

function byAsset<T extends WithdrawalFields>(
  payments: readonly T[],
  acceptedOf: (group: readonly T[]) => string | null,
): Totals {
  return [...groupBy(payments, ({ asset, chain }) => JSON.stringify([asset, chain])).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { asset, chain } = first;
    return { asset, chain, amount: amountOf(group), accepted: acceptedOf(group) };
  });
}

function amountOf(payments: readonly WithdrawalFields[]): string {
  return sum(payments.map(({ amount }) => amount));
}

/** A row that can't be read is shown by its key alone. `approved_by`: the names of those who approved it. */
export function batchLineView({ record, unreadable }: OperationRow, approved_by: string[]): BatchLineView {
  if (record === undefined) {
    const none = { body: '', recipient: null, reference: null, reason: null, withdrawal: null, status: null };
    const row = { line: 0, key: unreadable.key, kind: 'withdrawal', state: 'unreadable', error_code: null };
    return { ...none, ...row, approved_by };
  }
  const { key, kind, body, state, batch, reason = null, result } = record;
  return {
    key,
    kind,
    body,
    state,
    reason,
    line: batch?.line ?? 0,
    recipient: batch?.recipient ?? null,
    reference: batch?.reference ?? null,
    withdrawal: knownResultId(record),
    status: statusStated(result),
    error_code: state === 'refused' ? (record.attempts.at(-1)?.errorCode ?? null) : null,
    approved_by,
  };
}
