import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemErrorCode, DatabaseRefused } from '#src/server/database/sql.ts';
import { checkSettings } from './checkSettings.ts';
import { answerCommand, readArguments, runCommand } from './commandLine.ts';
import { type ConsoleReply, listenForCommands } from './consoleSocket.ts';
import { gatewayParts, openService, type OpenService } from './openService.ts';
import { printStartup } from './printStartup.ts';
import { readAssets } from '#src/server/http/assets/assets.ts';
import { createGateway } from '#src/server/http/gateway.ts';
import {
  bootScript,
  inOrder,
  partsOf,
  preloadLinks,
  withFirstRows,
  type Manifest,
} from '#src/server/http/assets/preload.ts';
import { readSettings, SettingsError, type Settings } from './settings.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { logError, logRequest, type RequestFacts, setLogFormat } from '#src/server/http/log.ts';
import type { Metrics } from '#src/server/http/metrics.ts';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_STORE, securityHeaders } from '#src/server/http/guards.ts';

const APP = fileURLToPath(new URL('../app/', import.meta.url));

async function buildGateway(
  settings: Settings,
  opened: OpenService,
  isStopping: () => boolean,
  metrics: Metrics | null,
) {
  const [assets, html, manifest, boot, firstRows] = await Promise.all([
    readAssets(APP),
    readFile(`${APP}index.html`, 'utf8'),
    readManifest('manifest'),
    readManifest('boot'),
    readManifest('firstRows'),
  ]);
  return createGateway({
    ...gatewayParts(settings, opened),
    isStopping,
    ...((metrics !== null || settings.log === 'json') && {
      observe: (facts: RequestFacts) => {
        metrics?.observe(facts);
        logRequest(facts);
      },
    }),
    template: (path, signedIn, search) => {
      const links = preloadLinks(manifest, partsOf(path, signedIn));
      const page = inOrder(
        html.replace('</head>', () => `${links}</head>`),
        bootScript(boot, signedIn),
      );
      return signedIn && search === '' ? withFirstRows(page, firstRows, manifest, path) : page;
    },
    assets,
  });
}

async function readManifest(name: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(`${APP}.vite/${name}.json`, 'utf8'));
  return manifest;
}

async function start(): Promise<void> {
  // An unhandled rejection must not end everybody's requests.
  process.on('unhandledRejection', logError);
  const command = readArguments(process.argv.slice(2));
  if (command?.name === 'check-settings') return printAndExit(checkSettings(process.env));
  const settings = readSettings(process.env);
  setLogFormat(settings.log);
  if (command !== null) return printAndExit(await runCommand(settings, command));
  // Open the ports first, so that a second start fails before it touches the data.
  const front = await listen('PORT', settings.port, settings.listen);
  const back =
    settings.sandboxPort !== null && !settings.service ? await listen('SANDBOX_PORT', settings.sandboxPort) : null;
  const side =
    settings.metricsPort === null ? null : await listen('METRICS_PORT', settings.metricsPort, settings.metricsListen);

  let stopping = false;
  const opened = await openService(settings);
  const metrics =
    side && (await import('#src/server/http/metrics.ts')).createMetrics(opened.database, opened.service.name);
  front.serve(await buildGateway(settings, opened, () => stopping, metrics));
  if (metrics) side?.serve((req, res) => void sendMetrics(metrics, req, res));
  if (opened.raw) back?.serve(opened.raw);
  const stopListening =
    opened.people === null || settings.dataDirectory === 'memory'
      ? () => undefined
      : await listenForCommands(settings.dataDirectory, (asked) => answerCommand(settings, opened, asked));
  opened.jobs.runner.begin();
  await opened.beginNotices();
  await printStartup(settings, opened);

  const drain = new AbortController();
  const stop = async (drainSeconds: number) => {
    if (stopping) return;
    stopping = true;
    await wait(drainSeconds * 1_000, undefined, { signal: drain.signal }).catch(() => undefined);
    stopListening();
    await Promise.all([close(front.server), opened.operations.stop()]);
    for (const other of [back, side]) if (other) await close(other.server);
    await opened.stop();
    process.exit(0);
  };
  // Stop at once: a person at the terminal doesn't want to wait for a load balancer.
  process.on('SIGINT', () => {
    drain.abort();
    void stop(0).catch(fail);
  });
  process.on('SIGTERM', () => void stop(settings.drainSeconds).catch(fail));
}

function printAndExit({ line, ok }: ConsoleReply): never {
  console.log(line);
  process.exit(ok ? 0 : 1);
}

/** `GET /metrics`, the only path of METRICS_PORT. */
async function sendMetrics(metrics: Metrics, { method, url }: IncomingMessage, res: ServerResponse): Promise<void> {
  const isRead = method === 'GET' && url?.split('?')[0] === '/metrics';
  if (isRead) res.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.render());
  else res.writeHead(404).end();
}

function fail(error: unknown): never {
  const isForPeople = error instanceof SettingsError || error instanceof DatabaseRefused;
  if (isForPeople) console.error(error.message);
  else logError(error);
  process.exit(1);
}

start().catch(fail);

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** Listens on a port; requests wait until a handler is set. Throws a SettingsError naming the variable if the port is in use. */
export async function listen(variable: string, port: number, address = '127.0.0.1') {
  const waiting: (() => void)[] = [];
  let listener: Listener | null = null;
  const server = createServer((req, res) => {
    if (listener) listener(req, res);
    else waiting.push(() => listener?.(req, res));
  });
  // Chromium repeats a POST if its kept-alive socket is closed: keep sockets longer than people pause.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, variable, port)));
    server.listen(port, address, resolve);
  });
  return {
    server,
    serve(found: Listener) {
      listener = found;
      for (const go of waiting.splice(0)) go();
    },
  };
}

/** Responses may finish; connections still open after 5 s are closed. */
export async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), 5000);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

function explain(error: Error, variable: string, port: number): Error {
  const code = systemErrorCode(error);
  if (code === 'EADDRINUSE') return new SettingsError(`Port ${port} is in use. Choose another with ${variable}=….`);
  if (code === 'EACCES')
    return new SettingsError(`Port ${port} may not be used here. Choose another with ${variable}=….`);
  if (code === 'EADDRNOTAVAIL') return new SettingsError(`The address for ${variable} isn’t one of this machine.`);
  return error;
}

/** A request that Node cannot parse never reaches the gateway, but gets the same headers. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const headers = [
    ...securityHeaders({ isHttps: false, development: false }),
    NO_STORE,
    ['Gateway-Error', 'not-allowed'],
  ]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}
