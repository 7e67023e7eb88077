import http, { type IncomingMessage } from 'node:http';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { attempt, CONNECT_MS, POST_KEEP, POST_MS, receive, type Came } from './attempt.ts';
import { machineClock } from '#src/gateway/clock.ts';
import { postHeaders, ServiceError, type Connection, type Sent } from './service.ts';

export interface OwnSocketOptions {
  connectMs?: number;
  postMs?: number;
  /** Beside the host, for https. */
  tls?: ConnectionOptions;
}

/** A socket of its own for one POST: in no pool, through no proxy, and open (over https: its handshake done). */
export async function openOwnSocket(
  baseUrl: string,
  apiKey: string,
  options: OwnSocketOptions,
  signal?: AbortSignal,
): Promise<Connection> {
  const { postMs = POST_MS, connectMs = CONNECT_MS } = options;
  const socket = await opened(new URL(baseUrl), options.tls ?? {}, connectMs, signal);
  let spent = false;
  return {
    post: (sent) =>
      attempt(machineClock, postMs, async (stop) => {
        if (spent) throw new ServiceError('lost');
        spent = true;
        // What came before the request is no answer to it.
        if (!socket.writable || socket.readableLength > 0) {
          socket.destroy();
          throw new ServiceError('lost');
        }
        return exchange(socket, new URL(baseUrl + sent.path), apiKey, sent, stop);
      }),
    destroy: () => void socket.destroy(),
  };
}

function opened(url: URL, tls: ConnectionOptions, ms: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port || (secure ? 443 : 80));
    const name = isIP(host) ? {} : { servername: host };
    const socket = secure ? connectTls({ host, port, ...name, ...tls }) : connectPlain({ host, port });
    socket.setNoDelay(true);
    const end = (error: Error) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      reject(error);
      socket.destroy();
    };
    const leave = () => end(new Error('The connection was given up.'));
    const timer = setTimeout(() => end(new Error(`No connection within ${ms} ms.`)), ms);
    signal?.addEventListener('abort', leave);
    // These stay: a socket may also break while nobody writes to it.
    socket.on('error', end);
    socket.on('close', () => end(new Error('The connection ended before it was made.')));
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      resolve(socket);
    });
  });
}

/** Writes the request before this turn ends, and answers what comes back. */
function exchange(socket: Socket, url: URL, apiKey: string, { body, key }: Sent, stop: AbortSignal): Promise<Came> {
  return new Promise((resolve, reject) => {
    let begun: IncomingMessage | null = null;
    const request = http.request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        Host: url.host,
        ...Object.fromEntries(postHeaders(apiKey, key)),
        'Accept-Encoding': 'identity',
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
      },
    });
    stop.addEventListener('abort', () => request.destroy());
    request.on('response', (answer) => {
      begun = answer;
      // At once: what breaks in the bytes that its head came with is heard of in this turn alone.
      resolve(receive(answer, POST_KEEP));
    });
    request.on('error', (error) => {
      // Node itself takes a reset for the end of a body without a length.
      if (begun?.complete === false) begun.destroy(error);
      reject(new ServiceError('lost'));
    });
    request.on('close', () => reject(new ServiceError('lost')));
    request.end(body);
  });
}
