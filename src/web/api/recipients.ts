import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from './session.ts';
import { teamQuery, useTeam, type TeamItems } from './team.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { Recipient } from '#src/shared/contract/teamContract.ts';

export interface KnownRecipient extends Recipient {
  id: string;
  revision: number;
  who: string | null;
  /** Unix seconds. */
  changed: number;
}

const NONE: readonly KnownRecipient[] = [];

/** All recipients of the team; empty while loading and when loading failed. */
export function useRecipients(enabled = true) {
  const query = useTeam('recipients', enabled);
  const { data, error, isPending } = query;
  const entries = useMemo(() => (data ? entriesOf(data) : NONE), [data]);
  return { entries, error, isPending, isLoaded: data !== undefined, query };
}

/** The saved recipient with this address, in any spelling; undefined if none is saved. */
export function useRecipientAt(target: ChainAddress): KnownRecipient | undefined {
  const { entries } = useRecipients();
  const key = addressKey(target);
  return entries.find((each) => addressKey(each) === key);
}

export function useRecipientsNow(): () => readonly KnownRecipient[] {
  const { account } = useSession();
  const client = useQueryClient();
  return () => recipientsIn(client, account);
}

/** Loads them; throws when that fails. */
export async function loadRecipients(client: QueryClient, account: string): Promise<readonly KnownRecipient[]> {
  return entriesOf(await client.fetchQuery(teamQuery(account, 'recipients')));
}

/** Those loaded; empty when loading failed. Never rejects. */
export function settledRecipients(client: QueryClient, account: string): Promise<readonly KnownRecipient[]> {
  return loadRecipients(client, account).catch(() => recipientsIn(client, account));
}

function recipientsIn(client: QueryClient, account: string): readonly KnownRecipient[] {
  const data = client.getQueryData(teamQuery(account, 'recipients').queryKey);
  return data ? entriesOf(data) : NONE;
}

function entriesOf({ items }: TeamItems<Recipient>): KnownRecipient[] {
  return items.map(({ id, revision, who, updated_at: changed, value }) => ({ ...value, id, revision, who, changed }));
}
