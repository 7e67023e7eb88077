import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useMemo } from 'react';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { type PaymentNote, subjectId } from '#src/shared/contract/teamContract.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { allDepositAddresses } from '#src/web/api/depositAddresses.ts';
import { listPage } from '#src/web/api/operations/operations.ts';
import { BrokenPaging } from '#src/web/api/paging/paging.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { type TeamItems, useTeam } from '#src/web/api/team.ts';
import type { RowExtras } from '#src/web/list/rows/cellContext.ts';

interface LoadTeamExtrasProps {
  kind: PaymentKind;
  /** The column of references and notes is visible. */
  hasNotes: boolean;
  /** Must be the same function each time. */
  onChange: (extras: RowExtras) => void;
}

/**
 * Loads the team's names and notes for a list's payments, and renders nothing. A component, because a hook can't be loaded
 * lazily: lists of other rows never load this code, and payments are drawn before it.
 */
export function LoadTeamExtras({ kind, hasNotes, onChange }: LoadTeamExtrasProps) {
  const nameOf = useRecipientNames(kind === 'withdrawal');
  const noteOf = usePaymentNotes(kind, hasNotes);
  const labelOf = useAddressLabels(kind === 'deposit' && hasNotes);
  // Before paint, so that names and notes that are already loaded are drawn with the rows.
  useLayoutEffect(
    () => onChange({ ...(nameOf && { nameOf }), ...(noteOf && { noteOf }), ...(labelOf && { labelOf }) }),
    [nameOf, noteOf, labelOf, onChange],
  );
  return null;
}

/** Names of the team's recipients by address; undefined when not enabled. The same function until they change. */
function useRecipientNames(enabled: boolean): RowExtras['nameOf'] {
  const { entries } = useRecipients(enabled);
  return useMemo(() => {
    if (!enabled) return undefined;
    const names = new Map(entries.map((entry) => [addressKey(entry), entry.name]));
    return (chain, address) => names.get(addressKey({ chain, address }));
  }, [enabled, entries]);
}

/** Labels of the deposit addresses created here; undefined when not enabled. */
function useAddressLabels(enabled: boolean): RowExtras['labelOf'] {
  const { account } = useSession();
  const { data } = useQuery({ ...allDepositAddresses(account), enabled });
  return useMemo(() => {
    if (!enabled || !data) return undefined;
    const labelled = data.all.filter(({ address, label }) => address !== null && label !== '');
    const labels = new Map(
      labelled.map(({ chain, address, label }) => [addressKey({ chain, address: address ?? '' }), label]),
    );
    return (chain, address) => labels.get(addressKey({ chain, address }));
  }, [enabled, data]);
}

/** The team's notes on payments by ID; undefined until loaded and when not enabled. The same function until they change. */
function usePaymentNotes(kind: PaymentKind, enabled: boolean): RowExtras['noteOf'] {
  const { account } = useSession();
  const { data } = useTeam('notes', enabled);
  const options = notesQuery(account, data ?? NONE, kind);
  const { data: notes } = useQuery({ ...options, enabled, placeholderData: keepPreviousData });
  return useMemo(() => {
    if (!enabled || !notes) return undefined;
    return (id) => notes.get(subjectId({ kind, id }));
  }, [enabled, notes, kind]);
}

const NONE: TeamItems<PaymentNote> = { items: [], unreadable: 0, position: '' };

/** Notes by subject. A withdrawal without its own note gets the one that was written when it was sent. */
export function notesQuery(account: string, { items, position }: TeamItems<PaymentNote>, kind: PaymentKind) {
  return queryOptions({
    queryKey: [account, 'notes', kind, position],
    queryFn: async ({ signal }) => {
      const notes = new Map(items.map(({ id, value }) => [id, value]));
      const sent = new Map(items.flatMap(({ value }) => (value.kind === 'operation' ? [[value.id, value]] : [])));
      if (sent.size === 0 || kind === 'deposit') return notes;
      const end = await followPages(
        (cursor) => listPage({ account, filters: { kind: 'withdrawal' }, limit: LIMIT_MAX, cursor, signal }),
        ({ data }) => {
          for (const { operation } of data) {
            const note = sent.get(operation.key);
            const id = knownResultId(operation);
            const subject = id === null ? null : subjectId({ kind: 'withdrawal', id });
            if (note && subject !== null && !notes.has(subject)) notes.set(subject, note);
            sent.delete(operation.key);
          }
          return sent.size === 0 ? 'enough' : undefined;
        },
        { signal },
      );
      if (end.kind === 'broken') throw new BrokenPaging('The operations couldn’t be read to their end.');
      return notes;
    },
  });
}
