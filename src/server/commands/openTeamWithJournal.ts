import type { Database } from '#src/server/database/sql.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { type MadeAddress, type MadeAddresses, openTeam, type Team } from '#src/server/team/team.ts';
import type { OnRecipientsNamed } from '#src/server/team/items.ts';
import type { ReadSessionRights } from '#src/server/people/actor.ts';
import { addressIn } from '#src/shared/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/shared/operations/depositAddress.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';

/** The team's data, with deposit addresses read from the journal. */
export function openTeamWithJournal(
  database: Database,
  rows: Pick<Rows, 'list' | 'byKey' | 'isSharedWith'>,
  readSessionRights?: ReadSessionRights,
  onRecipientsNamed?: OnRecipientsNamed,
): Promise<Team> {
  const madeAddresses: MadeAddresses = {
    list: async (owner, cursor, limit) => {
      const query = { states: ['succeeded'] as const, kind: 'deposit-address' as const, about: null };
      const listed = await rows.list({ ...owner, ...query, cursor, limit });
      return { data: listed.rows.flatMap(({ record }) => (record ? [addressOf(record)] : [])), next: listed.next };
    },
    find: async ({ service, account }, key) => {
      const record = (await rows.byKey(key))?.record;
      // Don't require a result: a label typed with the request is saved before the address exists.
      if (record?.kind !== 'deposit-address' || record.service !== service) return null;
      return record.account === account || (await rows.isSharedWith(key, account)) ? addressOf(record) : null;
    },
  };
  return openTeam(database, madeAddresses, readSessionRights, onRecipientsNamed);
}

function addressOf({ key, body, result, who, person, firstSent }: OperationRecord): MadeAddress {
  const asked = readDepositAddressBody(body) ?? { asset: '', chain: '' };
  const found = addressIn(result?.text ?? '', asked);
  const { address, along } = found.kind === 'one' ? found : { address: null, along: [] };
  return { id: key, ...asked, address, along, who, person, at: firstSent.service };
}
