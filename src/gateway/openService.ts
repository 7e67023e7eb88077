import type { IncomingMessage, ServerResponse } from 'node:http';
import { openDatabase } from '#src/database/openDatabase.ts';
import type { Database } from '#src/database/sql.ts';
import { forwardTo } from './forward.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

export interface OpenService {
  service: Service;
  /** What everybody who signs in here shares; the embedded sandbox lives in it, too. */
  database: Database;
  /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
  raw: ((req: IncomingMessage, res: ServerResponse) => void) | null;
  /** Closes the database, last of all. */
  stop(): Promise<void>;
}

/** The database, and the service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings): Promise<OpenService> {
  const database = await openDatabase({ databaseUrl: settings.databaseUrl, directory: settings.dataDirectory });
  try {
    if (settings.service !== null)
      return { service: forwardTo(settings.service), database, raw: null, stop: () => database.close() };
    return await openSandbox(settings, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openSandbox(settings: Settings, database: Database): Promise<OpenService> {
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
  const stop = async () => {
    await sandbox.stop();
    await database.close();
  };
  return { service: embed(sandbox), database, raw: sandboxListener(sandbox), stop };
}
