import type { IncomingMessage, ServerResponse } from 'node:http';
import { gatewayParts, openService, type OpenService } from './openService.ts';
import { printStartup } from './printStartup.ts';
import { createGateway } from '#src/server/http/gateway.ts';
import { readSettings } from './settings.ts';

/** The plug-in's state between two starts of Vite's server in one process. */
export interface Kept {
  opened?: Promise<OpenService>;
}

/** The gateway for `npm run dev`: like the built one, but pages come from Vite and the CSP allows Vite's client. */
export async function developmentGateway(
  template: (path: string) => Promise<string>,
  kept: Kept,
): Promise<(req: IncomingMessage, res: ServerResponse) => void> {
  const settings = readSettings(process.env);
  const first = !kept.opened;
  const opened = await (kept.opened ??= openService(settings));
  if (first) {
    opened.jobs.runner.begin();
    await opened.beginNotices();
    await printStartup({ ...settings, sandboxPort: null }, opened);
  }
  return createGateway({
    ...gatewayParts(settings, opened),
    template,
    assets: new Map(),
    development: true,
  });
}
