import { useMemo } from 'react';
import type { Meta } from '#src/api/read.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { knownResultId, type Operation } from '#src/lib/operations/record.ts';
import { type Payment, STORIES, type Story } from '#src/lib/operations/story.ts';
import { type ListRow, textOf } from '#src/list/fields.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import type { LedgerPart } from './caseFile.ts';
import { type SeenStatus, type Step, timelineOf } from './timeline.ts';

/** A payment as a response had it. */
export interface PaymentRead {
  row: ListRow;
  read: Meta;
}

/** What is known of a payment besides its row. */
export interface PaymentSteps {
  steps: Step[];
  story: Story;
  /** The operation that made it; null: none that is recorded here. */
  made: Operation | null;
  /** Nothing is still on its way that would push the rest down; or it takes so long that the rest is shown without. */
  ready: boolean;
}

/** Longer nobody waits for the ledger to see the rest; milliseconds. */
const PATIENCE_MS = 800;

/** The steps of a payment from its row, the journal and the ledger. */
export function usePaymentSteps(of: Payment, id: string, found: PaymentRead | null, ledger: LedgerPart): PaymentSteps {
  const view = useOperationsAbout(id);
  const row = found?.row;
  const seen = found && firstSeen(id, statusIn(row), found.read);
  const story = useMemo(() => STORIES[of](view, id, row), [of, view, id, row]);
  const made = of === 'withdrawal' ? (view.operations.find((record) => isMade(record, id)) ?? null) : null;
  const entries = ledger.kind === 'read' ? ledger.entries : NONE;
  const waiting = ledger.kind === 'reading' || story.status === 'loading';
  const late = useDelay(waiting, PATIENCE_MS);
  const steps = useMemo(
    () => (row && seen ? timelineOf({ of, row, seen, entries, made }) : []),
    [of, row, seen, entries, made],
  );
  return { steps, story, made, ready: !waiting || late };
}

const NONE = [] as const;

function isMade(record: Operation, id: string): boolean {
  return record.kind === 'withdrawal' && record.state === 'succeeded' && knownResultId(record) === id;
}

export function statusIn(row: ListRow | undefined): string | null {
  return textOf(row?.['status']);
}

/** For as long as the page lives. */
const firsts = new Map<string, SeenStatus>();

/** What first told this status here. */
export function firstSeen(id: string, status: string | null, { readAt, requestId }: Meta): SeenStatus {
  const key = `${id} ${status}`;
  const known = firsts.get(key) ?? { status, at: readAt, requestId };
  firsts.set(key, known);
  return known;
}
