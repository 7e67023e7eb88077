// Addresses whose payments a page lists, from the team's records.
import * as v from 'valibot';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import type { Team } from '#src/server/team/team.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { COLLECTIONS, type Recipient } from '#src/shared/contract/teamContract.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import { sameRecipient } from '#src/shared/recipientRules.ts';

const PAGE = 500;

/** All addresses of the recipient that the address with this id belongs to; null if there is none. */
export async function findRecipientAddresses(
  team: Pick<Team, 'list'>,
  owner: AccountOwner,
  id: string,
): Promise<ChainAddress[] | null> {
  const all: (Recipient & { id: string })[] = [];
  for (let cursor = 0; ;) {
    const page = await team.list(owner, { collection: 'recipients', updatedAfter: null, cursor, limit: PAGE });
    for (const item of page.items) {
      const parsed = v.safeParse(COLLECTIONS.recipients.value, parseExact(item.value));
      if (parsed.success) all.push({ ...parsed.output, id: item.id });
    }
    if (page.next === null) break;
    cursor = Number(page.next);
  }
  return sameRecipient(all, id)?.map(({ chain, address }) => ({ chain, address })) ?? null;
}

/** A deposit address that was created here; null if the id or its address is unknown. */
export async function findDepositAddress(
  team: Pick<Team, 'madeAddresses'>,
  owner: AccountOwner,
  id: string,
): Promise<ChainAddress | null> {
  const found = await team.madeAddresses.find(owner, id);
  return found === null || found.address === null ? null : { chain: found.chain, address: found.address };
}
