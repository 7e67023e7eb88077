import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError, saysNotFound } from '#src/web/api/errors.ts';
import { ledgerQueries } from '#src/web/api/listQueries.ts';
import { authorOf } from '#src/shared/author.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { useRecipientAt } from '#src/web/api/recipients.ts';
import { useRequestLog } from '#src/web/api/requestLog.ts';
import { useSession } from '#src/web/api/session.ts';
import { signsByPasskey } from '#src/web/api/signing.ts';
import { useOperationsAbout } from '#src/web/api/operations/useOperations.ts';
import { type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { type PaymentKind, HISTORIES } from '#src/shared/operations/paymentHistory.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { type ListRow } from '#src/web/list/fields.tsx';
import { accountName, usePreferences } from '#src/web/storage/preferences.ts';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import {
  type Absence,
  callsAbout,
  type CaseFields,
  type CaseFile,
  createCaseFile,
  type LedgerPart,
  type PaymentRead,
} from './caseFile.ts';
import { useNote } from './PaymentNote.tsx';
import { type SeenStatus, timelineOf } from './timeline.ts';
import { textOrNull } from '#src/shared/text.ts';

interface CaseBasics {
  kind: PaymentKind;
  id: string;
  fields: CaseFields;
  found: PaymentRead | null;
  absence: Absence | null;
}

/** `isLookedUp`: the look-up of the payment has ended, whether it was found or not. */
export function useCaseFile(basics: CaseBasics, isLookedUp: boolean): { file: CaseFile; made: Operation | null } {
  const { kind, id, found } = basics;
  const { service, account } = useSession();
  const preferences = usePreferences();
  const ledger = useLedgerOf(id, statusIn(found?.row), isLookedUp);
  const { steps, history, made } = usePaymentSteps(kind, id, found, ledger);
  const { item } = useNote({ kind, id }, made && { kind: 'operation', id: made.key });
  const place = { chain: textOrNull(found?.row['chain']) ?? '', address: textOrNull(found?.row['address']) ?? '' };
  const recipient = useRecipientAt(place)?.name;
  const log = useRequestLog();
  const calls = useMemo(() => callsAbout(log, id), [log, id]);
  const note = item ? { ...item.value, ...authorOf(item), at: item.updated_at } : null;
  const who = { service, account, name: accountName(preferences, service, account) };
  return {
    file: createCaseFile({
      ...basics,
      recipient: (kind === 'withdrawal' ? recipient : undefined) ?? null,
      history,
      steps,
      note,
      ledger,
      calls,
      who,
    }),
    made,
  };
}

/** Ledger entries of a payment, read again when its status changes. Waits for `ready`. */
export function useLedgerOf(id: string, status: string | null, ready = true): LedgerPart {
  const { account } = useSession();
  const isFilter = isSearchText(id);
  const options = ledgerQueries.ofSource(account, id, status);
  const { data, error } = useQuery({
    ...options,
    enabled: isFilter && ready,
    // Keep the entries read with the previous status until the new ones arrive.
    placeholderData: (before, query) => (query?.queryKey[3] === id ? before : undefined),
  });
  if (!isFilter) return { kind: 'not-asked' };
  if (data) {
    // A service that ignores this filter returns entries of other payments.
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

const LEDGER_WAIT_MAX_MS = 800;

export function usePaymentSteps(kind: PaymentKind, id: string, found: PaymentRead | null, ledger: LedgerPart) {
  const view = useOperationsAbout(id);
  const row = found?.row;
  const seen = found && firstSeen(id, statusIn(row), found.read);
  const history = useMemo(() => HISTORIES[kind](view, id, row), [kind, view, id, row]);
  const isMade = (record: Operation) => record.state === 'succeeded' && withdrawalIdOf(record) === id;
  const made = (kind === 'withdrawal' && view.operations.find(isMade)) || null;
  const entries = ledger.kind === 'read' ? ledger.entries : NO_ENTRIES;
  const waiting = ledger.kind === 'reading' || history.status === 'loading';
  const late = useDelay(waiting, LEDGER_WAIT_MAX_MS);
  const { approved } = view;
  const byPasskey = signsByPasskey(useSession());
  const steps = useMemo(() => {
    const by = made && { operation: made, approved: approved?.get(made.key) ?? [], byPasskey };
    return row && seen ? timelineOf({ kind, row, seen, entries, made: by }) : [];
  }, [kind, row, seen, entries, made, approved, byPasskey]);
  return {
    steps,
    history,
    made,
    /** True once everything that would push the rest of the page down is loaded, or has taken too long. */
    ready: !waiting || late,
  };
}

const NO_ENTRIES = [] as const;

export function statusIn(row: ListRow | undefined): string | null {
  return textOrNull(row?.['status']);
}

/** When each status was first received since this page was loaded. */
const firstSeenStatuses = new Map<string, SeenStatus>();

export function firstSeen(id: string, status: string | null, { readAt, requestId }: ResponseInfo): SeenStatus {
  const key = `${id} ${status}`;
  const first = firstSeenStatuses.get(key) ?? { status, at: readAt, requestId };
  firstSeenStatuses.set(key, first);
  return first;
}
