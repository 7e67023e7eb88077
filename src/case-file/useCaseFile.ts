import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError, isNotOffered } from '#src/api/errors.ts';
import { ledgerQueries } from '#src/api/ledgerEntries.ts';
import { useRequestLog } from '#src/api/requestLog.ts';
import { useSession } from '#src/api/session.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { accountName, usePreferences } from '#src/storage/preferences.ts';
import { callsAbout } from './callsAbout.ts';
import type { CaseFile, LedgerPart } from './caseFile.ts';
import { statusIn } from './usePaymentSteps.ts';

/** Puts beside what a page knows of a deposit or a withdrawal what every case file has: ledger entries, calls, and who looked. */
export function useCaseFile(known: Pick<CaseFile, 'of' | 'fields' | 'id' | 'found' | 'absence' | 'story'>): CaseFile {
  const { id } = known;
  const session = useSession();
  const preferences = usePreferences();
  const ledger = useLedgerOf(session.account, id, statusIn(known.found?.row));
  const log = useRequestLog();
  const calls = useMemo(() => callsAbout(log, id), [log, id]);
  const { service, account } = session;
  return { ...known, ledger, calls, who: { service, account, name: accountName(preferences, service, account) } };
}

/** The ledger's entries of a payment, read again with each new status. */
export function useLedgerOf(account: string, id: string, status: string | null = null): LedgerPart {
  const asked = isSearchText(id);
  const options = ledgerQueries.ofSource(account, id, status);
  const { data, error } = useQuery({
    ...options,
    enabled: asked,
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
  return { kind: 'none', words: 'The ledger entries could not be read.', said };
}
