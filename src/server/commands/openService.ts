import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { claimService, openSqlRows, otherSpellings } from '#src/server/operations/sqlRows.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { keptSecret, sealingKey } from '#src/server/http/session.ts';
import type { Settings } from './settings.ts';
import { type Team, type MadeAddress, openTeam as openTeamOn } from '#src/server/team/team.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { addressIn } from '#src/shared/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/shared/operations/depositAddress.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { openOperations } from './openOperations.ts';

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings) {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    const rows = await openSqlRows(database);
    const served =
      settings.service === null
        ? await openSandbox(settings, database)
        : {
            service: {
              ...forwardTo(settings.service),
              name: await claimService(database, settings.service, settings.serviceSameAs),
            },
            raw: null,
            stop: () => Promise.resolve(),
          };
    const { service, raw } = served;
    const spellings = settings.service === null ? [] : await otherSpellings(database, service.name);
    const secret = settings.secret ?? (await keptSecret(settings.dataDirectory));
    const spellingNames = spellings.map((spelling) => spelling.service);
    const journal = await openOperations(service, rows, { ...settings, secret, spellings: spellingNames });
    return {
      service,
      /** Other spellings of its address that the database holds operations under. */
      spellings,
      secret,
      /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
      raw,
      /** Also holds the embedded sandbox. */
      database,
      operations: journal.operations,
      team: await openTeam(database, journal.operations.ports.rows),
      /** Lets running attempts end and closes the database, last of all. */
      async stop() {
        await journal.stop();
        await served.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openSandbox(settings: Settings, database: Database) {
  // Loaded here, so that a forwarding gateway never reads it.
  const [{ createSandbox }, { sandboxListener }, { embed }] = await Promise.all([
    import('#src/sandbox/sandbox.ts'),
    import('#src/sandbox/node.ts'),
    import('#src/server/http/embedded.ts'),
  ]);
  const sandbox = await createSandbox({
    sql: database,
    demo: true,
    deposits: settings.sandboxDeposits,
    killAt: settings.killAt,
  });
  return { service: embed(sandbox), raw: sandboxListener(sandbox), stop: () => sandbox.stop() };
}

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

export function gatewayParts(settings: Settings, { service, operations, team, secret }: OpenService) {
  const { origin, trustedProxies, readOnly } = settings;
  return { origin, trustedProxies, readOnly, service, operations, team, sealingKey: sealingKey(secret) };
}
