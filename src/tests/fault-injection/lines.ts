import type { Act } from '#src/server/activity/activityLog.ts';
import type { ActKind } from '#src/shared/contract/activityContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Batch } from '#src/server/operations/ports.ts';

/** The changes of one committed transaction. */
export interface Written {
  records: readonly (readonly [next: OperationRecord, before: OperationRecord | null])[];
  batches: readonly (readonly [next: Batch, before: Batch | null])[];
  /** Keys of unreadable rows that were closed. */
  closed: readonly string[];
  /** Keys that were discarded without a record. */
  discarded: readonly string[];
  /** Keys that will never send, whether discarded or refused, in a journal that was set back. */
  spent: readonly string[];
  acts: readonly Act[];
}

const ENDINGS = {
  hand: 'operation.closed',
  absence: 'operation.confirmed-not-sent',
  discard: 'operation.discarded',
  reject: 'operation.rejected',
  lapse: 'operation.lapsed',
} as const satisfies Record<string, ActKind>;

/** Compares the acts that the records show with the lines of the activity; each difference in words. */
export function differingLines({ records, batches, closed, discarded, spent, acts }: Written): string[] {
  const withdrawn = new Set(batches.flatMap(([{ id, state }]) => (state === 'stopped' ? id : [])));
  // Withdrawing a batch writes one line, not one for each payment.
  const hasOwnLine = ({ batch }: OperationRecord): boolean => batch === undefined || !withdrawn.has(batch.id);
  const expected = [
    ...records
      .filter(([next]) => hasOwnLine(next))
      .flatMap(([next, before]) => actsIn(next, before).map((kind) => `${kind} ${next.key}`)),
    ...batches.flatMap(([next, before]) => actsOnBatch(next, before).map((kind) => `${kind} ${next.id}`)),
    ...closed.map((key) => `operation.closed ${key}`),
    ...discarded.map((key) => `operation.discarded ${key}`),
  ];
  const lines = acts
    .filter(({ kind }) => kind.startsWith('operation.') || kind.startsWith('batch.'))
    .filter(({ subject }) => !spent.includes(subject ?? ''))
    .map(({ kind, subject }) => `${kind} ${subject}`);
  return [
    ...without(expected, lines).map((act) => `no line of ${act}`),
    ...without(lines, expected).map((act) => `a line of ${act}, which nobody did`),
  ];
}

function actsIn(next: OperationRecord, before: OperationRecord | null): ActKind[] {
  const pressed = (record: OperationRecord | null) => record?.attempts.filter(({ by }) => by === 'person').length ?? 0;
  const { ending } = next;
  return [
    ...(before === null && next.batch === undefined ? (['operation.recorded'] as const) : []),
    ...Array.from({ length: pressed(next) - pressed(before) }, () => 'operation.sent' as const),
    ...(ending === undefined || ending === before?.ending || isUnmadeLine(next, before) ? [] : [ENDINGS[ending.by]]),
  ];
}

/** A line whose attempt was never made ends automatically with its batch. */
function isUnmadeLine({ attempts }: OperationRecord, before: OperationRecord | null): boolean {
  return before?.state === 'sending' && attempts.at(-1)?.outcome === 'not-made';
}

function actsOnBatch(next: Batch, before: Batch | null): ActKind[] {
  if (before === null) return ['batch.recorded'];
  if (next.state === 'stopped') return ['batch.withdrawn'];
  if (next.state === 'running') return ['batch.started'];
  return next.state === 'paused' && next.why === 'person' ? ['batch.stopped'] : [];
}

function without(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...all];
  for (const one of taken) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
