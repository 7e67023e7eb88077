import { once } from 'node:events';
import { createServer as createRawServer, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { eventually } from '#src/tests/eventually.ts';
import { forwardTo, type OwnSocketOptions } from './forward.ts';
import { BODY, KEY, LIST, listening, rawAnswer, rawService } from '#src/server/http/testGateway.ts';
import type { Connection } from '#src/server/operations/ports.ts';

const SENT = { path: '/v1/withdrawals', body: BODY, key: 'k1', attempt: 'a1' };
const HEAD = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n';
const PSK = { pskCallback: () => ({ psk: Buffer.alloc(32, 1), identity: 'gateway' }), ciphers: 'PSK' };

const connect = (url: string, options: OwnSocketOptions = {}): Promise<Connection> =>
  forwardTo(url, 1000, options).connect(KEY);

async function tlsService(answer: (socket: Socket) => void): Promise<string> {
  const server = createTlsServer(
    { maxVersion: 'TLSv1.2', ciphers: 'PSK', pskCallback: () => Buffer.alloc(32, 1), pskIdentityHint: 'x' },
    (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    },
  );
  return `https://127.0.0.1:${await listening(server)}`;
}

async function bareService(accept: (socket: Socket) => void) {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined);
    accept(socket);
  });
  const port = await listening(server);
  return { server, port, http: `http://127.0.0.1:${port}`, https: `https://127.0.0.1:${port}` };
}

/** The result of a POST to a service that performs these steps. */
async function posted(answer: (socket: Socket) => void, options: OwnSocketOptions = {}) {
  const service = await rawService(answer);
  const connection = await connect(service.url, options);
  return connection.post(SENT);
}

const answeredBy = async (bytes: string, then: (socket: Socket) => void = () => undefined) =>
  posted((socket) => socket.write(bytes, () => then(socket)));

describe('connecting fails', () => {
  test('if no server listens', async () => {
    const { server, http, https } = await bareService(() => undefined);
    server.close();
    await once(server, 'close');
    await expect(connect(http)).rejects.toThrow('ECONNREFUSED');
    await expect(connect(https)).rejects.toThrow('ECONNREFUSED');
  });

  test.each<[string, (socket: Socket) => void]>([
    ['ends it', (socket) => socket.end()],
    ['resets it', (socket) => socket.resetAndDestroy()],
    ['ends it in the middle of the handshake', (socket) => socket.once('data', () => socket.end())],
    ['resets it in the middle of the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['speaks plainly', (socket) => socket.write(rawAnswer(LIST))],
  ])('if the server %s before the TLS handshake is done', async (_, accept) => {
    await expect(connect((await bareService(accept)).https)).rejects.toThrow(/\w/);
  });

  test('if the TLS handshake fails', async () => {
    const url = await tlsService((socket) => socket.end(rawAnswer('{}')));
    await expect(connect(url, { tls: { maxVersion: 'TLSv1.2' } })).rejects.toThrow(/\w/);
  });

  test('if the TLS handshake takes too long', async () => {
    const { https } = await bareService(() => undefined);
    await expect(connect(https, { connectMs: 40 })).rejects.toThrow('within 40 ms');
  });
});

describe('a POST', () => {
  test('sends exactly the recorded bytes, on an unused socket', async () => {
    const sockets: number[] = [];
    const service = await rawService((socket, _head, requests) => {
      sockets.push(requests);
      socket.write(rawAnswer('{"id":"wd_1"}'));
    });
    for (const key of ['k1', 'k2']) {
      const connection = await connect(service.url);
      expect(await connection.post({ ...SENT, key })).toMatchObject({ status: 200, text: '{"id":"wd_1"}' });
    }
    expect(sockets).toEqual([1, 1]);
    const [head = '', body] = Buffer.from(service.seen[0] ?? '', 'latin1')
      .toString()
      .split('\r\n\r\n');
    const [line, ...headers] = head.split('\r\n');
    expect([line, body]).toEqual(['POST /v1/withdrawals HTTP/1.1', BODY]);
    expect(headers.map((text) => text.toLowerCase()).toSorted()).toEqual([
      'accept-encoding: identity',
      'accept: application/json',
      'connection: close',
      `content-length: ${Buffer.byteLength(BODY)}`,
      'content-type: application/json',
      `host: 127.0.0.1:${service.port}`,
      'idempotency-key: k1',
      `x-api-key: ${KEY}`,
    ]);
  });

  test('goes over TLS', async () => {
    const url = await tlsService((socket) => socket.end(rawAnswer('{"id":"wd_1"}')));
    const tls = { ...PSK, maxVersion: 'TLSv1.2' as const, checkServerIdentity: () => undefined };
    expect(await (await connect(url, { tls })).post(SENT)).toMatchObject({ status: 200, text: '{"id":"wd_1"}' });
  });

  test('is handed to the socket within the same event-loop turn', async () => {
    const service = await rawService((socket) => socket.write(rawAnswer('{}')));
    const connection = await connect(service.url);
    const write = vi.spyOn(Socket.prototype, 'write');
    const attempt = connection.post(SENT);
    const written = await new Promise<string>((resolve) => {
      // Runs after this turn's callbacks, before any callback of a timer or a socket.
      process.nextTick(() => resolve(write.mock.calls.map(([bytes]) => String(bytes)).join('')));
    });
    write.mockRestore();
    expect(written).toContain(BODY);
    await attempt;
  });

  test('is sent once: a second POST on the same connection fails and doesn’t affect the first', async () => {
    const service = await rawService((socket) => socket.write(rawAnswer('{"id":"wd_1"}')));
    const connection = await connect(service.url);
    const [first, second] = await Promise.all([connection.post(SENT), connection.post(SENT)]);
    expect(first).toMatchObject({ status: 200, text: '{"id":"wd_1"}' });
    expect(second).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(await connection.post(SENT)).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(service.seen).toHaveLength(1);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['was reset', (socket) => socket.resetAndDestroy()],
    ['was ended', (socket) => socket.end()],
    ['spoke first', (socket) => socket.write(rawAnswer('{"id":"wd_forged"}'))],
  ])('on a connection that %s before it is a network failure', async (_, act) => {
    const accepted: Socket[] = [];
    const seen: string[] = [];
    const service = await bareService((socket) => {
      accepted.push(socket);
      socket.on('data', (part) => seen.push(part.toString()));
    });
    const connection = await connect(service.http);
    await eventually(() => expect(accepted).toHaveLength(1));
    if (accepted[0]) act(accepted[0]);
    // One more exchange, so that the end has been processed.
    const other = await rawService((socket) => socket.write(rawAnswer('{}')));
    await (await connect(other.url)).post(SENT);
    expect(await connection.post(SENT)).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(seen).toEqual([]);
  });

  test('that is aborted is a network failure, and the service sees the connection close', async () => {
    const service = await rawService((socket) => socket.emit('arrived'));
    const connection = await connect(service.url);
    const attempt = connection.post(SENT);
    await eventually(() => expect(service.seen).toHaveLength(1));
    connection.destroy();
    expect(await attempt).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(await connection.post(SENT)).toMatchObject({ kind: 'no-answer', reason: 'network' });
  });

  test('with an invalid header gets no answer, and nothing is sent', async () => {
    const service = await rawService(() => undefined);
    const connection = await connect(service.url);
    expect(await connection.post({ ...SENT, key: 'a\r\nb' })).toMatchObject({ reason: 'network' });
    expect(service.seen).toEqual([]);
  });
});

describe('an answer to a POST', () => {
  test('is returned unchanged, with its headers', async () => {
    const head = [
      'Request-Id: req_1',
      'Idempotency-Replayed: true',
      'Retry-After: 7',
      'Date: Sat, 21 Nov 2026 10:00:00 GMT',
      'Age: 60',
    ];
    expect(await answeredBy(rawAnswer('{"a":1}', head))).toEqual({
      kind: 'answer',
      status: 200,
      requestId: 'req_1',
      replayed: true,
      retryAfter: '7',
      date: Date.UTC(2026, 10, 21, 9, 59) / 1000,
      contentType: 'application/json',
      text: '{"a":1}',
      complete: true,
      ms: expect.any(Number),
    });
  });

  test('doesn’t contain the API key, even if the service repeats it', async () => {
    const head = [`Request-Id: req for ${KEY}`, `Retry-After: ${KEY}`];
    const escaped = KEY.replace('_', String.raw`\u005f`);
    expect(await answeredBy(rawAnswer(`{"message":"refused for ${escaped}"}`, head))).toMatchObject({
      text: '{"message":"refused for [API key]"}',
      requestId: 'req for [API key]',
      retryAfter: '[API key]',
    });
    const cut = `HTTP/1.1 200 OK\r\nContent-Type: ${KEY}\r\nContent-Length: 100\r\n\r\n{"key":"${KEY.slice(0, -1)}`;
    expect(await answeredBy(cut, (socket) => socket.end())).toMatchObject({
      text: '{"key":"',
      contentType: '[API key]',
      complete: false,
    });
  });

  test('is read after early hints and Continue', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
    expect(await answeredBy(early + rawAnswer('{"a":1}'))).toMatchObject({ status: 200, text: '{"a":1}' });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['shorter than announced', `${HEAD}Content-Length: 100\r\n\r\n{"half":`, (socket) => socket.end()],
    ['reset in its body', `${HEAD}Content-Length: 100\r\n\r\n{"half":`, (socket) => socket.resetAndDestroy()],
    [
      'with a chunk size that is none',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"half":\r\nzz\r\n`,
      () => undefined,
    ],
    ['without its last chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"half":\r\n`, (socket) => socket.end()],
  ])('%s counts as cut off', async (_, bytes, then) => {
    expect(await answeredBy(bytes, then)).toMatchObject({ status: 201, text: '{"half":', complete: false });
  });

  test('without a length counts as cut off if the connection is reset', async () => {
    const sockets: Socket[] = [];
    const service = await rawService((socket) => {
      sockets.push(socket);
      socket.write(`${HEAD}\r\n{"half":`);
    });
    const attempt = (await connect(service.url)).post(SENT);
    await eventually(() => expect(sockets).toHaveLength(1));
    // One more exchange, so that the bytes have been read: together with them, a reset would look like the end.
    await answeredBy(rawAnswer('{}'));
    sockets[0]?.resetAndDestroy();
    expect(await attempt).toMatchObject({ status: 201, text: '{"half":', complete: false });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['nothing but the end', '', (socket) => socket.end()],
    ['nothing but a reset', '', (socket) => socket.resetAndDestroy()],
    ['half of its headers', HEAD, (socket) => socket.end()],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', () => undefined],
    [
      'another protocol on this socket',
      'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      () => undefined,
    ],
    ['a status that HTTP does not know', 'HTTP/1.1 042 Odd\r\nContent-Length: 0\r\n\r\n', () => undefined],
  ])('of %s counts as no answer: the network failed', async (_, bytes, then) => {
    expect(await answeredBy(bytes, then)).toMatchObject({ kind: 'no-answer', reason: 'network' });
  });

  test('that is a redirect counts as no answer, and isn’t followed', async () => {
    const elsewhere = await rawService((socket) => socket.write(rawAnswer('{}')));
    const redirect = `HTTP/1.1 307 Moved\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\n\r\n`;
    expect(await answeredBy(redirect)).toMatchObject({ kind: 'no-answer', reason: 'redirect' });
    expect(elsewhere.seen).toEqual([]);
  });

  test.each([
    ['before it begins', ''],
    ['between its hints', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['in its headers', HEAD],
    ['in its body', `${HEAD}Content-Length: 100\r\n\r\n{"half":`],
  ])('that stalls %s counts as no answer: it took too long', async (_, bytes) => {
    const attempt = await posted((socket) => socket.write(bytes), { postMs: 60 });
    expect(attempt).toMatchObject({ kind: 'no-answer', reason: 'timeout' });
    expect(attempt.ms).toBeGreaterThanOrEqual(59);
  });

  test('is limited to 64 kB; a longer one is cut off and marked as incomplete', async () => {
    const kept = 64 * 1024;
    expect(await answeredBy(rawAnswer('x'.repeat(kept)))).toMatchObject({ complete: true });
    const longer = await answeredBy(rawAnswer('x'.repeat(kept + 1)));
    expect(longer).toMatchObject({ status: 200, text: 'x'.repeat(kept), complete: false });
  });
});
