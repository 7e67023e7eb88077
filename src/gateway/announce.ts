import type { Service } from './service.ts';
import type { Settings } from './settings.ts';

/** The lines that a person reads at the terminal once the gateway serves. */
export function announce(settings: Settings, service: Service): void {
  const { origin, readOnly, sandboxPort } = settings;
  const kind = service.controls ? 'the built-in sandbox, not real money' : service.name;
  console.log(`Countinghouse is at ${origin}`);
  console.log(`Service: ${kind}${readOnly ? ' (read only)' : ''}`);
  if (service.demoKey) console.log(`Demo key: ${service.demoKey}`);
  if (service.controls && sandboxPort !== null) console.log(`The sandbox alone is at http://127.0.0.1:${sandboxPort}`);
  if (!service.controls && inTheClear(service.name))
    console.log('Warning: PAYMENTS_BASE_URL is not https: API keys cross the network in the clear.');
}

function inTheClear(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
