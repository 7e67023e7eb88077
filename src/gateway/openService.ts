import type { IncomingMessage, ServerResponse } from 'node:http';
import { openDatabase } from '#src/database/openDatabase.ts';
import type { Database } from '#src/database/sql.ts';
import type { Operations } from '#src/operations/operations.ts';
import { type Team, type MadeAddress, openTeam as openTeamOn } from '#src/team/team.ts';
import { forwardTo } from './upstream/forward.ts';
import { openOperations } from './openOperations.ts';
import type { Service } from './upstream/service.ts';
import type { Settings } from './settings.ts';
import { addressIn } from '#src/lib/operations/addressIn.ts';
import { readDepositAddressBody } from '#src/lib/operations/depositAddress.ts';
import type { OperationRecord } from '#src/lib/operations/record.ts';
import type { Rows } from '#src/operations/ports.ts';

export interface OpenService {
  service: Service;
  /** What everybody who signs in here shares; the embedded sandbox lives in it, too. */
  database: Database;
  /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
  raw: ((req: IncomingMessage, res: ServerResponse) => void) | null;
  operations: Operations;
  team: Team;
  /** Lets running attempts end and closes the database, last of all. */
  stop(): Promise<void>;
}

type Served = Pick<OpenService, 'service' | 'raw' | 'stop'>;

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings): Promise<OpenService> {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    const served: Served =
      settings.service === null
        ? await openSandbox(settings, database)
        : { service: forwardTo(settings.service), raw: null, stop: () => Promise.resolve() };
    const { service, raw } = served;
    const journal = await openOperations(service, database, settings);
    return {
      service,
      raw,
      database,
      operations: journal.operations,
      team: await openTeam(database, journal.operations.ports.rows),
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

async function openSandbox(settings: Settings, database: Database): Promise<Served> {
  // Loaded here, so that a forwarding gateway never reads it.
  const [{ createSandbox }, { sandboxListener }, { embed }] = await Promise.all([
    import('#src/sandbox/sandbox.ts'),
    import('#src/sandbox/node.ts'),
    import('./embedded.ts'),
  ]);
  const sandbox = await createSandbox({
    sql: database,
    demo: true,
    ...(settings.sandboxDeposits !== null && { deposits: settings.sandboxDeposits }),
    ...(settings.killAt !== null && { killAt: settings.killAt }),
  });
  return { service: embed(sandbox), raw: sandboxListener(sandbox), stop: () => sandbox.stop() };
}

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

/** The lines that a person reads at the terminal once the gateway serves. */
export function printStartup(settings: Settings, { service, database }: OpenService): void {
  const { origin, readOnly, sandboxPort, dataDirectory } = settings;
  const inMemory = database.engine === 'PGlite' && dataDirectory === 'memory';
  const kind = service.controls ? 'the built-in sandbox, not real money' : service.name;
  console.log(`Countinghouse is at ${origin}`);
  console.log(`Service: ${kind}${readOnly ? ' (read only)' : ''}`);
  if (service.demoKey) console.log(`Demo key: ${service.demoKey}`);
  if (service.controls && sandboxPort !== null) console.log(`The sandbox alone is at http://127.0.0.1:${sandboxPort}`);
  console.log(`Database: ${database.engine}${inMemory ? ' in memory, nothing is kept' : ''}`);
  if (!inMemory && !database.durable)
    console.log('Warning: commits do not reach the disk; a power cut can lose what was done.');
  if (!service.controls && inTheClear(service.name))
    console.log('Warning: PAYMENTS_BASE_URL is not https: API keys cross the network in the clear.');
}

function inTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
