import type { OpenService } from './openService.ts';
import type { Settings } from './settings.ts';

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
