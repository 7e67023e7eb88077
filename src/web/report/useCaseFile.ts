import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError, saysNotFound } from '#src/web/api/errors.ts';
import { ledgerQueries } from '#src/web/api/lists.ts';
import type { Meta } from '#src/web/api/read.ts';
import { useRequestLog } from '#src/web/api/requestLog.ts';
import { useSession } from '#src/web/api/session.ts';
import { useOperationsAbout } from '#src/web/api/operations/useOperations.ts';
import { type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { type Payment, HISTORIES } from '#src/shared/operations/paymentHistory.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { type ListRow } from '#src/web/list/fields.tsx';
import { accountName, usePreferences } from '#src/web/storage/preferences.ts';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { callsAbout, type CaseFile, type LedgerPart } from './caseFile.ts';
import { useNote } from './PaymentNote.tsx';
import { type SeenStatus, timelineOf } from './timeline.ts';
import { textOf } from '#src/shared/text.ts';

type Known = Pick<CaseFile, 'of' | 'fields' | 'id' | 'found' | 'absence'>;

/** Puts beside what a page knows of a deposit or a withdrawal what every case file has: what happened, notes, ledger entries, calls, and who looked. `isLookedUp`: whatever came of it. */
export function useCaseFile(known: Known, isLookedUp: boolean): CaseFile & { made: Operation | null } {
  const { of, id, found } = known;
  const { service, account } = useSession();
  const preferences = usePreferences();
  const ledger = useLedgerOf(id, statusIn(found?.row), isLookedUp);
  const { steps, history, made } = usePaymentSteps(of, id, found, ledger);
  const { item } = useNote({ kind: of, id }, made && { kind: 'operation', id: made.key });
  const log = useRequestLog();
  const calls = useMemo(() => callsAbout(log, id), [log, id]);
  const who = { service, account, name: accountName(preferences, service, account) };
  return {
    ...known,
    history,
    steps,
    made,
    note: item ? { ...item.value, who: item.who, at: item.updated_at } : null,
    ledger,
    calls,
    who,
    redacted: null,
  };
}

/** The ledger's entries of a payment, read again with each new status; not before that is known (`ready`). */
export function useLedgerOf(id: string, status: string | null, ready = true): LedgerPart {
  const { account } = useSession();
  const asked = isSearchText(id);
  const options = ledgerQueries.ofSource(account, id, status);
  const { data, error } = useQuery({
    ...options,
    enabled: asked && ready,
    // What was read with the status before stays until the new one is here.
    placeholderData: (before, query) => (query?.queryKey[3] === id ? before : undefined),
  });
  if (!asked) return { kind: 'not-asked' };
  if (data) {
    // A service that does not know this filter may answer with anybody's entries.
    const entries = data.data.filter((entry) => Object.values(entry).includes(id));
    const { requestId, date, readAt } = data;
    const unrelated = data.data.length + data.malformed.length - entries.length;
    return { kind: 'read', entries, more: data.has_more !== false, unrelated, requestId, date, readAt };
  }
  if (!error) return { kind: 'reading' };
  if (saysNotFound(error)) return { kind: 'none', words: 'This provider offers no ledger.', said: null };
  const { status: http, code, message } = describeError(error);
  const said = [http, code, message].filter((part) => part !== null).join(' ');
  return { kind: 'none', words: 'Couldn’t load the ledger entries.', said };
}

export type PaymentRead = NonNullable<CaseFile['found']>;

/** Longer nobody waits for the ledger to see the rest; milliseconds. */
const PATIENCE_MS = 800;

export function usePaymentSteps(of: Payment, id: string, found: PaymentRead | null, ledger: LedgerPart) {
  const view = useOperationsAbout(id);
  const row = found?.row;
  const seen = found && firstSeen(id, statusIn(row), found.read);
  const history = useMemo(() => HISTORIES[of](view, id, row), [of, view, id, row]);
  const isMade = (record: Operation) => record.state === 'succeeded' && withdrawalIdOf(record) === id;
  const made = (of === 'withdrawal' && view.operations.find(isMade)) || null;
  const entries = ledger.kind === 'read' ? ledger.entries : NONE;
  const waiting = ledger.kind === 'reading' || history.status === 'loading';
  const late = useDelay(waiting, PATIENCE_MS);
  const steps = useMemo(
    () => (row && seen ? timelineOf({ of, row, seen, entries, made }) : []),
    [of, row, seen, entries, made],
  );
  return {
    steps,
    history,
    made,
    /** Nothing is still on its way that would push the rest down; or it takes so long that the rest is shown without. */
    ready: !waiting || late,
  };
}

const NONE = [] as const;

export function statusIn(row: ListRow | undefined): string | null {
  return textOf(row?.['status']);
}

/** For as long as the page lives. */
const firsts = new Map<string, SeenStatus>();

export function firstSeen(id: string, status: string | null, { readAt, requestId }: Meta): SeenStatus {
  const key = `${id} ${status}`;
  const known = firsts.get(key) ?? { status, at: readAt, requestId };
  firsts.set(key, known);
  return known;
}
