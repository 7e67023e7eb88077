// Test support: a receiver of webhooks on a loopback port.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Runs until the test ends. `answer`: a status, or a function that handles the response. */
export async function startReceiver(
  answer: (call: number) => number | ((response: ServerResponse) => void) = () => 200,
) {
  const received: ReceivedWebhook[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const how = answer(received.length);
      if (typeof how === 'number') response.writeHead(how).end();
      else how(response);
    });
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return { url: `http://127.0.0.1:${address.port}/hooks/a-secret-token`, received };
}
