import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { urlToHttpOptions } from 'node:url';
import {
  attemptUpstream,
  type RawResponse,
  checkStatus,
  CONNECT_MS,
  POST_BODY_LIMIT,
  POST_MS,
  READ_BODY_LIMIT,
  READ_MS,
  receive,
} from './attempt.ts';
import type { Connection, RecordedPost } from '#src/server/operations/ports.ts';
import { log } from '#src/server/http/log.ts';
import { systemErrorCode } from '#src/server/database/sql.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { decoderFor, encodedHeaders, encoder, encodingOf } from '#src/server/http/assets/compress.ts';
import { pipeMasked } from './redactKey.ts';
import {
  answerHeaders,
  apiKeyOf,
  type ServiceCall,
  postHeaders,
  readHeaders,
  type Service,
  ServiceError,
} from './service.ts';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

// Longer than the browser's own 30 s, so that the page gives up first and knows why.
const SILENCE_MS = 35_000;

const LATE = new Error('not in time');

/** A response with an unread body. The reader must call `onChunk` for each chunk; otherwise the request times out. */
interface Head {
  answer: IncomingMessage;
  onChunk: () => void;
}

/** Receives a function that aborts the request. */
type WhenGone = (leave: () => void) => void;

/** The service at a base URL. node:http follows no redirect and sends nothing twice. */
export function forwardTo(baseUrl: string, silenceMs = SILENCE_MS, sockets: OwnSocketOptions = {}): Service {
  const { protocol, hostname, port, path = '' } = urlToHttpOptions(new URL(baseUrl));
  const above = path?.replace(/\/$/, '');
  const client = protocol === 'https:' ? https : http;
  const keepAliveAgent = new client.Agent({ keepAlive: true });

  let loggedReason = '';
  /** Logs why the service doesn't respond, once until the reason changes; null if it responded. */
  const tell = (error: Error | null) => {
    const reason = error ? systemErrorCode(error) || error.message : '';
    if (error && reason !== loggedReason) log(`${baseUrl} gives no answer`, error);
    loggedReason = reason;
  };

  /** A GET; throws ServiceError if no response begins. `agent` false: on a dedicated socket. */
  function send(
    call: Pick<ServiceCall, 'target' | 'headers'>,
    whenGone: WhenGone,
    agent: typeof keepAliveAgent | false = keepAliveAgent,
  ): Promise<Head> {
    return new Promise((resolve, reject) => {
      const headers = { ...call.headers, 'Accept-Encoding': 'identity' };
      const request = client.request({ protocol, hostname, port, path: above + call.target, headers, agent });
      let silent = false;
      let begun: IncomingMessage | null = null;
      const silence = setTimeout(() => {
        silent = true;
        request.destroy();
      }, silenceMs);
      let gone = false;
      whenGone(() => {
        gone = true;
        request.destroy();
      });
      request.on('response', (answer) => {
        begun = answer;
        tell(null);
        silence.refresh();
        resolve({ answer, onChunk: () => silence.refresh() });
      });
      request.on('error', (error) => {
        // Node would treat a reset as the end of a body without a length.
        if (begun?.complete === false) begun.destroy(error);
        // Retry a read once if its kept-alive socket had just died. Use a new socket: other pooled ones may be dead, too.
        const again = !begun && request.reusedSocket && !silent && !gone;
        if (again) return resolve(send(call, whenGone, false));
        if (!begun && !gone) tell(silent ? LATE : error);
        reject(new ServiceError(silent ? 'timeout' : 'network'));
      });
      request.on('close', () => {
        clearTimeout(silence);
        if (!begun) reject(new ServiceError(silent ? 'timeout' : 'network'));
      });
      request.end();
    });
  }

  return {
    name: baseUrl,
    demoKey: null,
    sandboxAccount: () => Promise.resolve(null),
    controls: null,
    async relay(call, outgoing, extraHeaders) {
      const head = await send(call, (leave) => outgoing.on('close', () => outgoing.writableFinished || leave()));
      try {
        checkStatus(head.answer.statusCode ?? 0);
        await passOn(head, outgoing, extraHeaders, apiKeyOf(call));
      } finally {
        // Close the socket of a response that wasn't read to its end or can't be passed on.
        head.answer.destroy();
      }
    },
    read(apiKey, target, timeoutMs = READ_MS) {
      const call = { target, headers: readHeaders(apiKey) };
      return attemptUpstream(machineClock, apiKey, timeoutMs, async (stop) => {
        stop.addEventListener('abort', () => tell(LATE));
        const { answer, onChunk } = await send(call, (leave) => stop.addEventListener('abort', leave));
        answer.on('data', onChunk);
        return receive(answer, READ_BODY_LIMIT);
      });
    },
    connect: (apiKey) =>
      openDedicatedSocket(baseUrl, apiKey, sockets).catch((error: Error) => {
        tell(error);
        throw error;
      }),
    clock: () => Promise.resolve(machineClock),
  };
}

/** Passes on the body. If it breaks off on one side, it is broken off on the other. */
async function passOn(
  { answer, onChunk }: Head,
  outgoing: ServerResponse,
  extraHeaders: [string, string][],
  apiKey: string,
): Promise<void> {
  // Node would add the gateway's Date, which pages would read as the service's.
  outgoing.sendDate = false;
  const status = answer.statusCode ?? 502;
  const decode = decoderFor(answer.headers['content-encoding']);
  const headers = answerHeaders((name) => answer.headers[name], apiKey).filter(
    ([name]) => !decode || name !== 'content-length',
  );
  const encoding = encodingOf(status, headers, outgoing.req.headers['accept-encoding']);
  const coder = encoding === null ? null : encoder(encoding);
  outgoing.writeHead(status, [...(encoding ? encodedHeaders(headers, encoding) : headers), ...extraHeaders].flat());
  // Send the headers in one packet with the first bytes of the body, unless those take too long.
  const flush = setImmediate(() => outgoing.flushHeaders());
  (coder ?? decode ?? answer).once('data', () => clearImmediate(flush));
  answer.on('data', onChunk);
  // Not stream.pipeline: for a small response its AbortSignal costs more than the response.
  await new Promise<void>((done) => {
    const cut = () => {
      outgoing.flushHeaders();
      outgoing.destroy();
    };
    for (const part of [answer, decode]) part?.on('error', cut);
    answer.on('close', () => answer.complete || cut());
    outgoing.on('error', cut);
    outgoing.on('close', done);
    if (answer.destroyed) cut();
    if (outgoing.destroyed) return done();
    coder?.pipe(outgoing);
    pipeMasked(decode ? answer.pipe(decode) : answer, coder ?? outgoing, apiKey);
  });
  clearImmediate(flush);
  answer.destroy();
  decode?.destroy();
  coder?.destroy();
}

export interface OwnSocketOptions {
  connectMs?: number;
  postMs?: number;
  /** TLS options besides the host, for https. */
  tls?: ConnectionOptions;
}

/** A connected socket for one POST: not pooled, without a proxy, and with the TLS handshake done. */
export async function openDedicatedSocket(
  baseUrl: string,
  apiKey: string,
  options: OwnSocketOptions,
): Promise<Connection> {
  const { postMs = POST_MS, connectMs = CONNECT_MS } = options;
  const socket = await opened(new URL(baseUrl), options.tls ?? {}, connectMs);
  let spent = false;
  return {
    post: (sent) =>
      attemptUpstream(machineClock, apiKey, postMs, async (stop) => {
        if (spent) throw new ServiceError('network');
        spent = true;
        // Bytes that arrive before the request can't be its response.
        if (!socket.writable || socket.readableLength > 0) {
          socket.destroy();
          throw new ServiceError('network');
        }
        return exchange(socket, new URL(baseUrl + sent.path), apiKey, sent, stop);
      }),
    destroy: () => void socket.destroy(),
  };
}

function opened(url: URL, tls: ConnectionOptions, ms: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port || (secure ? 443 : 80));
    const name = isIP(host) ? {} : { servername: host };
    const socket = secure ? connectTls({ host, port, ...name, ...tls }) : connectPlain({ host, port });
    socket.setNoDelay(true);
    const end = (error: Error) => {
      clearTimeout(timer);
      reject(error);
      socket.destroy();
    };
    const timer = setTimeout(() => end(new Error(`No connection within ${ms} ms.`)), ms);
    // Keep these listeners: a socket may also fail while it is idle.
    socket.on('error', end);
    socket.on('close', () => end(new Error('The connection ended before it was made.')));
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}

/** Writes the request within this event-loop turn, and returns the response. */
function exchange(
  socket: Socket,
  url: URL,
  apiKey: string,
  { body, key }: RecordedPost,
  stop: AbortSignal,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let begun: IncomingMessage | null = null;
    const request = http.request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        Host: url.host,
        ...postHeaders(apiKey, key),
        'Accept-Encoding': 'identity',
        'Content-Length': Buffer.byteLength(body),
        Connection: 'close',
      },
    });
    stop.addEventListener('abort', () => request.destroy());
    request.on('response', (answer) => {
      begun = answer;
      // Listen at once: an error in the bytes that arrived with the head is reported only in this turn.
      resolve(receive(answer, POST_BODY_LIMIT));
    });
    request.on('error', (error) => {
      // Node itself treats a reset as the end of a body without a length.
      if (begun?.complete === false) begun.destroy(error);
      reject(new ServiceError('network'));
    });
    request.on('close', () => reject(new ServiceError('network')));
    request.end(body);
  });
}
