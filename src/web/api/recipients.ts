import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from './session.ts';
import { teamQuery, useTeam, type TeamItems } from './team.ts';
import { type Author, authorOf } from '#src/shared/author.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { sameRecipient } from '#src/shared/recipientRules.ts';
import type { Recipient } from '#src/shared/contract/teamContract.ts';

/** Its author saved this revision; for the first revision, created the recipient. */
export interface KnownRecipient extends Recipient, Author {
  id: string;
  revision: number;
  /** Unix seconds, as is `changed`. */
  created: number;
  changed: number;
}

/** A payee: a name, with every address that is saved under it. */
export interface RecipientProfile {
  name: string;
  /** The address with the requested ID comes first. */
  addresses: readonly KnownRecipient[];
}

const NONE: readonly KnownRecipient[] = [];

/** All recipients of the team; empty while loading and when loading failed. */
export function useRecipients(enabled = true) {
  const query = useTeam('recipients', enabled);
  const { data, error, isPending } = query;
  const entries = useMemo(() => (data ? entriesOf(data) : NONE), [data]);
  return { entries, error, isPending, isLoaded: data !== undefined, query };
}

/** One recipient by the ID of any of its addresses; null if there is none, undefined until loaded. */
export function useRecipient(id: string) {
  const { entries, isLoaded, query } = useRecipients();
  const profile = useMemo(() => profileIn(entries, id), [entries, id]);
  return { profile: isLoaded ? profile : undefined, query };
}

function profileIn(entries: readonly KnownRecipient[], id: string): RecipientProfile | null {
  const addresses = sameRecipient(entries, id);
  return addresses && { name: addresses[0]?.name ?? '', addresses };
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

/** Throws if loading fails. */
export async function loadRecipients(client: QueryClient, account: string): Promise<readonly KnownRecipient[]> {
  return entriesOf(await client.fetchQuery(teamQuery(account, 'recipients')));
}

/** Loads them; if that fails, returns those in the cache, or none. Never rejects. */
export function settledRecipients(client: QueryClient, account: string): Promise<readonly KnownRecipient[]> {
  return loadRecipients(client, account).catch(() => recipientsIn(client, account));
}

function recipientsIn(client: QueryClient, account: string): readonly KnownRecipient[] {
  const data = client.getQueryData(teamQuery(account, 'recipients').queryKey);
  return data ? entriesOf(data) : NONE;
}

function entriesOf({ items }: TeamItems<Recipient>): KnownRecipient[] {
  return items.map(({ id, revision, created_at: created, updated_at: changed, value, ...item }) => {
    return { ...value, id, revision, ...authorOf(item), created, changed };
  });
}
