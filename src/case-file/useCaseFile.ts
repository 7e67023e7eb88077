import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import { ledgerQueries } from '#src/api/ledgerEntries.ts';
import { useRequestLog } from '#src/api/requestLog.ts';
import { useSession } from '#src/api/session.ts';
import type { Operation } from '#src/lib/operations/record.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { accountName, usePreferences } from '#src/storage/preferences.ts';
import { callsAbout } from './callsAbout.ts';
import type { CaseFile, LedgerPart } from './caseFile.ts';
import { useNote } from './PaymentNote.tsx';
import { statusIn, usePaymentSteps } from './usePaymentSteps.ts';

type Known = Pick<CaseFile, 'of' | 'fields' | 'id' | 'found' | 'absence'>;

/** Puts beside what a page knows of a deposit or a withdrawal what every case file has: what happened, notes, ledger entries, calls, and who looked. */
export function useCaseFile(known: Known): CaseFile & { made: Operation | null } {
  const { of, id, found, absence } = known;
  const { service, account } = useSession();
  const preferences = usePreferences();
  const ledger = useLedgerOf(account, id, statusIn(found?.row), found !== null || absence !== null);
  const { steps, story, made } = usePaymentSteps(of, id, found, ledger);
  const { item } = useNote(account, { kind: of, id }, made && { kind: 'operation', id: made.key });
  const log = useRequestLog();
  const calls = useMemo(() => callsAbout(log, id), [log, id]);
  const who = { service, account, name: accountName(preferences, service, account) };
  return { ...known, story, steps, made, note: item?.value ?? null, ledger, calls, who, redacted: null };
}

/** The ledger's entries of a payment, read again with each new status; not before that is known (`ready`). */
export function useLedgerOf(account: string, id: string, status: string | null, ready = true): LedgerPart {
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
  if (isNotOffered(error)) return { kind: 'none', words: 'This service does not offer its ledger.', said: null };
  const { status: http, code, message } = describeError(error);
  const said = [http, code, message].filter((part) => part !== null).join(' ');
  return { kind: 'none', words: 'Couldn’t load the ledger entries.', said };
}
