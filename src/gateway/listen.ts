import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_STORE, securityHeaders } from './securityHeaders.ts';
import { SettingsError } from './settings.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => void;

/** A taken port: requests wait until there is something to serve them. */
export interface Held {
  server: Server;
  serve(listener: Listener): void;
}

/** Takes a port of 127.0.0.1; one that is in use is a SettingsError naming the variable. */
export async function hold(variable: string, port: number): Promise<Held> {
  const waiting: (() => void)[] = [];
  let listener: Listener | null = null;
  const server = createServer((req, res) => {
    if (listener) listener(req, res);
    else waiting.push(() => listener?.(req, res));
  });
  // Chromium sends a POST again when a kept-alive socket dies under it: keep sockets longer than people pause.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, variable, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    server,
    serve(found) {
      listener = found;
      for (const go of waiting.splice(0)) go();
    },
  };
}

/** Answers that are running may finish; whoever is still there after 5 s is cut. */
export async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), 5000);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

function explain(error: Error, variable: string, port: number): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new SettingsError(`Port ${port} is in use. Choose another with ${variable}=….`);
  if (code === 'EACCES')
    return new SettingsError(`Port ${port} may not be used here. Choose another with ${variable}=….`);
  return error;
}

/** What Node cannot parse never reaches the gateway; it gets the same headers. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const headers = [...securityHeaders(false), NO_STORE].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`);
}
