import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePolledQuery } from './paging/polling.ts';
import type { Collection, TeamItem, TeamValue } from './teamContract.ts';
import { changeItem, findItem, loadItems, merged, MovedOn, type TeamChange, type TeamItems } from './teamItems.ts';

/** How often colleagues' changes are looked for; milliseconds. */
const LOOK_MS = 15_000;

/** All items of a collection, kept up to date by what changed. */
export function teamQuery<C extends Collection>(account: string, collection: C) {
  return queryOptions({
    queryKey: teamKey(account, collection),
    queryFn: ({ client, signal }): Promise<TeamItems<TeamValue<C>>> => {
      const before = client.getQueryData<TeamItems<TeamValue<C>>>(teamKey(account, collection));
      return loadItems(collection, before, { account, signal });
    },
    staleTime: LOOK_MS / 3,
    networkMode: 'always',
    retry: false,
  });
}

function teamKey(account: string, collection: Collection): string[] {
  return [account, 'team', collection];
}

/** The items of a collection, loaded again now and then while a page shows them. */
export function useTeam<C extends Collection>(account: string, collection: C) {
  const query = useQuery(teamQuery(account, collection));
  usePolledQuery(teamKey(account, collection), () => LOOK_MS, { own: true });
  return query;
}

/** Writes one item; a refusal because a colleague was faster rejects with MovedOn, and their version is shown. */
export function useTeamChange<C extends Collection>(account: string, collection: C) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: TeamChange<C>) => changeItem(account, collection, change),
    onSuccess: (item) => keepItem(client, account, collection, item),
    onError: (error) => showColleagues(client, account, collection, error),
  });
}

/** Shows at once what stood in the way of a change. */
export async function showColleagues(
  client: QueryClient,
  account: string,
  collection: Collection,
  error: unknown,
): Promise<void> {
  if (error instanceof MovedOn) await client.invalidateQueries({ queryKey: teamKey(account, collection) });
}

/** Puts an item, as an answer told it, in the place of an older one. */
export async function keepItem<C extends Collection>(
  client: QueryClient,
  account: string,
  collection: C,
  ...items: TeamItem<TeamValue<C>>[]
): Promise<void> {
  const queryKey = teamKey(account, collection);
  // A load that is on its way may bring what was before.
  await client.cancelQueries({ queryKey });
  client.setQueryData<TeamItems<TeamValue<C>>>(queryKey, (before) => before && merged(before, items));
  for (const item of items) {
    client.setQueryData(teamItemQuery(account, collection, item.id).queryKey, item.deleted ? null : item);
  }
  void client.invalidateQueries({ queryKey });
}

/** One item; null: it is not there. */
export function teamItemQuery<C extends Collection>(account: string, collection: C, id: string) {
  return queryOptions({
    queryKey: [...teamKey(account, collection), id],
    queryFn: ({ signal }) => findItem(collection, id, { account, signal }),
    networkMode: 'always',
    retry: false,
  });
}
