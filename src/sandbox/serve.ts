import { createServer } from 'node:http';

import { sandboxListener } from './node.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { createSandbox } from './sandbox.ts';

const DEFAULT_PORT = 4174;

function integer(name: string, most: number, absent: number): number {
  const value = process.env[name];
  if (value === undefined || value === '') return absent;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number <= most)) throw new Error(`${name} must be an integer from 0 to ${most}`);
  return number;
}

async function serve(): Promise<void> {
  const port = integer('SANDBOX_PORT', 65_535, DEFAULT_PORT);
  const directory = process.env['DATA_DIR'] || '.countinghouse';
  const sql = await openDatabase({ databaseUrl: process.env['DATABASE_URL'], directory });
  const sandbox = await createSandbox({
    sql,
    demo: true,
    deposits: integer('SANDBOX_DEPOSITS', 1_000_000, 5000),
    killAt: process.env['SANDBOX_KILL_AT'],
  });
  const server = createServer(sandboxListener(sandbox));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const taken = 'code' in error && error.code === 'EADDRINUSE';
      reject(taken ? new Error(`Port ${port} is in use. Choose another with SANDBOX_PORT=….`) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  console.log(`Sandbox on http://127.0.0.1:${bound} (${sql.engine}), not real money`);
  console.log(`Demo key: ${sandbox.demoKey ?? ''}`);
  if (!sql.durable && directory !== 'memory') console.log('Warning: a power cut can lose what was committed.');

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    // Running requests get their responses; stalled ones are cut after two seconds.
    setTimeout(() => server.closeAllConnections(), 2000).unref();
    await new Promise((resolve) => server.close(resolve));
    await sandbox.stop();
    await sql.close();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop().catch(fail));
  process.on('SIGTERM', () => void stop().catch(fail));
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

serve().catch(fail);
