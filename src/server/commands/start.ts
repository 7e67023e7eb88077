import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemErrorCode, DatabaseRefused } from '#src/server/database/sql.ts';
import { answerCommand, readArguments, runCommand } from './commandLine.ts';
import { listenForCommands } from './consoleSocket.ts';
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
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_STORE, securityHeaders } from '#src/server/http/guards.ts';

const APP = fileURLToPath(new URL('../app/', import.meta.url));

async function buildGateway(settings: Settings, opened: OpenService) {
  const [assets, html, manifest, boot, firstRows] = await Promise.all([
    readAssets(APP),
    readFile(`${APP}index.html`, 'utf8'),
    readManifest('manifest'),
    readManifest('boot'),
    readManifest('firstRows'),
  ]);
  return createGateway({
    ...gatewayParts(settings, opened),
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
  process.on('unhandledRejection', (error) => console.error(error));
  const command = readArguments(process.argv.slice(2));
  const settings = readSettings(process.env);
  if (command !== null) {
    const { line, ok } = await runCommand(settings, command);
    console.log(line);
    process.exit(ok ? 0 : 1);
  }
  // Ports first, so that a second start fails before it touches the data.
  const front = await listen('PORT', settings.port);
  const back =
    settings.sandboxPort !== null && !settings.service ? await listen('SANDBOX_PORT', settings.sandboxPort) : null;

  const opened = await openService(settings);
  front.serve(await buildGateway(settings, opened));
  if (opened.raw) back?.serve(opened.raw);
  const stopListening =
    opened.people === null || settings.dataDirectory === 'memory'
      ? () => undefined
      : await listenForCommands(settings.dataDirectory, (asked) => answerCommand(settings, opened, asked));
  await printStartup(settings, opened);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    stopListening();
    await Promise.all([close(front.server), opened.operations.attempts.stop()]);
    if (back) await close(back.server);
    await opened.stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop().catch(fail));
  process.on('SIGTERM', () => void stop().catch(fail));
}

function fail(error: unknown): never {
  const isForPeople = error instanceof SettingsError || error instanceof DatabaseRefused;
  console.error(isForPeople ? error.message : error);
  process.exit(1);
}

start().catch(fail);

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** Listens on a port of 127.0.0.1; requests wait until a handler is set. Throws a SettingsError naming the variable if the port is in use. */
export async function listen(variable: string, port: number) {
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
    server.listen(port, '127.0.0.1', resolve);
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
  return error;
}

/** A request that Node cannot parse never reaches the gateway, but gets the same headers. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const headers = [...securityHeaders(false), NO_STORE, ['Gateway-Error', 'not-allowed']]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}
