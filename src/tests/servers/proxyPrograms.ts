import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];

export type ProxyName = 'nginx' | 'caddy';

/** Undefined if it isn't installed, or nothing can make its certificate. */
export function proxyProgram(name: ProxyName): string | undefined {
  return programIn('openssl') && programIn(name);
}

function programIn(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
