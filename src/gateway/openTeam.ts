import type { Database } from '#src/database/sql.ts';
import { addressIn } from '#src/lib/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import type { OperationRecord } from '#src/lib/operations/record.ts';
import type { Rows } from '#src/operations/ports.ts';
import { type MadeAddress, openTeam as openTeamOn, type Team } from '#src/team/team.ts';

/** What the team shares, on the database of this server; deposit addresses are those that the journal made. */
export function openTeam(database: Database, rows: Pick<Rows, 'list' | 'byKey' | 'isShownTo'>): Promise<Team> {
  return openTeamOn(database, {
    list: async (owner, cursor, limit) => {
      const query = { states: ['succeeded'] as const, kind: 'deposit-address' as const, about: null };
      const listed = await rows.list({ ...owner, ...query, cursor, limit });
      return { data: listed.rows.flatMap(({ record }) => (record ? [madeBy(record)] : [])), next: listed.next };
    },
    has: async ({ service, account }, key) => {
      const record = (await rows.byKey(key))?.record;
      if (record?.kind !== 'deposit-address' || record.state !== 'succeeded' || record.service !== service)
        return false;
      return record.account === account || (await rows.isShownTo(key, account));
    },
  });
}

function madeBy({ key, body, result, who, firstSent }: OperationRecord): MadeAddress {
  const asked = readDepositAddressBody(body) ?? { asset: '', chain: '' };
  const found = addressIn(result?.text ?? '', asked);
  const { address, along } = found.kind === 'one' ? found : { address: null, along: [] };
  return { id: key, ...asked, address, along, who, at: firstSent.service };
}
