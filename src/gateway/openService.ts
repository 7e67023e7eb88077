import { join } from 'node:path';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardTo } from './forward.ts';
import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

export interface OpenService {
  service: Service;
  /** The sandbox without a gateway around it (x-api-key, /sandbox/*); null when forwarding. */
  raw: ((req: IncomingMessage, res: ServerResponse) => void) | null;
  stop(): Promise<void>;
}

/** The service that the settings name: PAYMENTS_BASE_URL, or the sandbox in this process. */
export async function openService(settings: Settings): Promise<OpenService> {
  if (settings.service !== null)
    return { service: forwardTo(settings.service), raw: null, stop: () => Promise.resolve() };

  // Loaded here, so that a forwarding gateway never reads a database engine.
  const [{ openSql }, { createSandbox }, { sandboxListener }, { embed }] = await Promise.all([
    import('#src/database/openSql.ts'),
    import('#src/sandbox/sandbox.ts'),
    import('#src/sandbox/node.ts'),
    import('./embedded.ts'),
  ]);
  const sql = await openSql({
    directory: settings.sandboxData,
    ...(settings.databaseUrl !== null && { databaseUrl: settings.databaseUrl }),
  });
  const sandbox = await createSandbox({
    sql,
    demo: true,
    ...(settings.sandboxDeposits !== null && { deposits: settings.sandboxDeposits }),
    ...(settings.killAt !== null && { killAt: settings.killAt }),
  });
  return { service: embed(sandbox), raw: sandboxListener(sandbox), stop: () => sandbox.stop() };
}

/** Where the sealing secret is kept: beside the sandbox's data, or under .sandbox when that is in memory. */
export function secretDirectory(settings: Settings): string {
  return settings.sandboxData === 'memory' ? join(process.cwd(), '.sandbox') : settings.sandboxData;
}
