import type { IncomingMessage, ServerResponse } from 'node:http';
import { openDatabase } from '#src/database/openDatabase.ts';
import type { Database } from '#src/database/sql.ts';
import type { Operations } from '#src/operations/operations.ts';
import type { Team } from '#src/team/team.ts';
import { forwardTo } from './upstream/forward.ts';
import { openOperations } from './openOperations.ts';
import { openTeam } from './openTeam.ts';
import type { Service } from './upstream/service.ts';
import type { Settings } from './settings.ts';

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
