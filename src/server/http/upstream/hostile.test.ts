import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LIST, rawAnswer, rawService, startGateway } from '#src/server/http/testGateway.ts';
import type { GatewayTestAnswer } from '#src/server/http/testRequest.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

type Fate = 'refused' | 'cut' | 'whole';
type Hostile = [name: string, fate: Fate, bytes: string | Buffer, end?: 'keep' | 'fin' | 'reset'];

/** Responses of a broken service, or of another program in its place. `keep` leaves the socket open. */
const ANSWERS: Hostile[] = [
  ['nothing, and the end', 'refused', '', 'fin'],
  ['nothing, and a reset', 'refused', '', 'reset'],
  ['half a status line', 'refused', 'HTTP/1.', 'fin'],
  ['half a status line, and a reset', 'refused', 'HTTP/1.', 'reset'],
  ['a status line alone', 'refused', 'HTTP/1.1 200 OK\r\n', 'fin'],
  ['half of its headers', 'refused', `${HEAD}Content-Le`, 'fin'],
  ['half of its headers, and a reset', 'refused', `${HEAD}Content-Le`, 'reset'],
  ['no status', 'refused', 'HTTP/1.1 OK\r\n\r\n'],
  ['a status of two digits', 'refused', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'refused', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status below all', 'refused', 'HTTP/1.1 042 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a negative status', 'refused', 'HTTP/1.1 -20 OK\r\n\r\n'],
  ['a status above all', 'whole', 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}'],
  ['HTTP/0.9', 'refused', '{"object":"list"}', 'fin'],
  ['HTTP/7', 'refused', 'HTTP/7.0 200 OK\r\n\r\n'],
  ['HTTP/1.0 until the end', 'whole', `HTTP/1.0 200 OK\r\n\r\n${LIST}`, 'fin'],
  ['another protocol', 'refused', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a TLS alert', 'refused', Buffer.from([21, 3, 1, 0, 2, 2, 40])],
  ['random bytes', 'refused', Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 37 + 11) % 256))],
  ['NUL bytes before it', 'refused', `\0\0\0\0${rawAnswer(LIST)}`],
  ['a NUL in a header', 'refused', rawAnswer(LIST, ['Request-Id: a\0b'])],
  ['a control character in a header', 'refused', rawAnswer(LIST, ['Request-Id: a\x01b'])],
  ['a bare line feed in a header', 'refused', rawAnswer(LIST, ['Request-Id: a\nGateway-Error session'])],
  ['a header without a colon', 'refused', rawAnswer(LIST, ['Request-Id'])],
  ['a header with a space before the colon', 'refused', rawAnswer(LIST, ['Request-Id : a'])],
  ['a header without a name', 'refused', rawAnswer(LIST, [': a'])],
  ['a header of 100 kB', 'refused', rawAnswer(LIST, [`Request-Id: ${'a'.repeat(100_000)}`])],
  [
    '5,000 headers',
    'refused',
    rawAnswer(
      LIST,
      Array.from({ length: 5000 }, (_, at) => `X-${at}: a`),
    ),
  ],
  ['a length that is no number', 'refused', `${HEAD}Content-Length: many\r\n\r\n{}`],
  ['a negative length', 'refused', `${HEAD}Content-Length: -2\r\n\r\n{}`],
  ['a length beyond all numbers', 'refused', `${HEAD}Content-Length: 99999999999999999999999\r\n\r\n{}`],
  ['two lengths', 'refused', rawAnswer(LIST, ['Content-Length: 3'])],
  ['a length and chunks', 'refused', rawAnswer(LIST, ['Transfer-Encoding: chunked'])],
  ['fewer bytes than announced', 'cut', `${HEAD}Content-Length: 100\r\n\r\n{"half":`, 'fin'],
  ['fewer bytes than announced, and a reset', 'cut', `${HEAD}Content-Length: 100\r\n\r\n{"half":`, 'reset'],
  ['headers alone', 'cut', `${HEAD}Content-Length: 100\r\n\r\n`, 'fin'],
  ['headers alone, and a reset', 'cut', `${HEAD}Content-Length: 100\r\n\r\n`, 'reset'],
  ['a chunk size that is no number', 'cut', `${CHUNKED}2\r\n{"\r\nzz\r\n`],
  ['a chunk size beyond all numbers', 'cut', `${CHUNKED}2\r\n{"\r\nfffffffffffffffffff\r\n`],
  ['a chunk longer than it said', 'cut', `${CHUNKED}2\r\n{"half":\r\n0\r\n\r\n`],
  ['half a chunk', 'cut', `${CHUNKED}ff\r\n{"half":`, 'fin'],
  ['half a chunk, and a reset', 'cut', `${CHUNKED}ff\r\n{"half":`, 'reset'],
  ['chunks without the last', 'cut', `${CHUNKED}8\r\n{"half":\r\n`, 'fin'],
  ['chunks without the last, and a reset', 'cut', `${CHUNKED}8\r\n{"half":\r\n`, 'reset'],
  ['trailers', 'whole', `${CHUNKED}2\r\n{}\r\n0\r\nGateway-Error: session\r\n\r\n`],
  ['a trailer that is none', 'cut', `${CHUNKED}2\r\n{}\r\n0\r\nno trailer\r\n\r\n`],
  ['a coding that nobody knows', 'whole', `${HEAD}Transfer-Encoding: odd\r\n\r\n${LIST}`, 'fin'],
  ['gzip that is none', 'cut', rawAnswer('not gzip', ['Content-Encoding: gzip'])],
  ['gzip that nobody asked for', 'whole', rawAnswer(gzipSync(LIST).toString('latin1'), ['Content-Encoding: gzip'])],
  ['1,000 times Continue', 'whole', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)}${rawAnswer(LIST)}`],
  ['early hints, and the end', 'refused', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 'fin'],
  ['early hints, and a reset', 'refused', 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n', 'reset'],
  [
    'another protocol on this socket',
    'refused',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxx',
  ],
  ['an empty answer in gzip', 'whole', 'HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n'],
  ['an empty answer with a length', 'whole', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
  [
    'a redirect with half a body',
    'refused',
    'HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9\r\n\r\nhal',
    'reset',
  ],
];

const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(() => {
  process.off('unhandledRejection', note);
  const [first] = unhandled.splice(0);
  if (first !== undefined) throw new Error('A rejection was handled by nobody.', { cause: first });
});

/** A gateway to a service that answers /v1/deposits with `hostile`, on a new or a kept-alive socket. */
async function behind(kept: boolean, hostile: (socket: Socket) => void) {
  const service = await rawService((socket, head, requestsOfSocket) => {
    if (!head.startsWith('GET /v1/deposits ')) {
      socket.write(rawAnswer(LIST, kept ? [] : ['Connection: close']));
      if (!kept) socket.end();
      return;
    }
    seenOn.push(requestsOfSocket);
    hostile(socket);
  });
  const seenOn: number[] = [];
  const gateway = await startGateway(service.url);
  const { call } = await gateway.signIn();
  return { seenOn, get: (path: string) => gateway.get(path, call), origin: gateway.origin, call };
}

function fateOf(answer: GatewayTestAnswer): Fate {
  if (answer.status === 502 && answer.headers['gateway-error'] === 'upstream') return 'refused';
  return answer.complete ? 'whole' : 'cut';
}

function act(socket: Socket, bytes: string | Buffer, end: 'keep' | 'fin' | 'reset') {
  const done = () => {
    if (end === 'fin') socket.end();
    if (end === 'reset') socket.resetAndDestroy();
  };
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, done);
}

describe.each([
  ['a fresh', false],
  ['a kept-alive', true],
])('on %s socket, a read that is answered with', (_, kept) => {
  test.each(ANSWERS)('%s is %s, and the next one works', async (_name, fate, bytes, end = 'keep') => {
    const { get, seenOn } = await behind(kept, (socket) => act(socket, bytes, end));
    const answer = await get('/v1/deposits');
    expect(fateOf(answer)).toBe(fate);
    // Retried on another socket only if no response had begun.
    const [first, ...again] = seenOn;
    expect([first, kept && fate === 'refused' ? [] : again]).toEqual([kept ? 2 : 1, []]);
    expect(await get('/v1/withdrawals')).toMatchObject({ status: 200, text: LIST, complete: true });
  });
});

describe.each([
  ['a fresh', false],
  ['a kept-alive', true],
])('on %s socket, a reset after the browser has read half', (_, kept) => {
  test.each([
    ['of an announced length', `${HEAD}Content-Length: 100\r\n\r\n{"half":`],
    ['of a chunk', `${CHUNKED}ff\r\n{"half":`],
    ['of its chunks', `${CHUNKED}8\r\n{"half":\r\n`],
    ['of a body without a length', `${HEAD}\r\n{"half":`],
  ])('%s cuts the browser’s body', async (_name, bytes) => {
    const sockets: Socket[] = [];
    const { origin, call, get, seenOn } = await behind(kept, (socket) => {
      sockets.push(socket);
      socket.write(bytes);
    });
    const reader = (await fetch(`${origin}/v1/deposits`, { headers: call })).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"half":');
    sockets[0]?.resetAndDestroy();
    await expect(reader?.read()).rejects.toThrow('terminated');
    expect(seenOn).toEqual([kept ? 2 : 1]);
    expect(await get('/v1/withdrawals')).toMatchObject({ status: 200, text: LIST, complete: true });
  });
});

test('bytes after a complete response are ignored', async () => {
  const { get } = await behind(true, (socket) => {
    socket.write(rawAnswer('{}') + rawAnswer('{"forged":1}'));
  });
  await get('/v1/deposits');
  expect((await get('/v1/withdrawals')).text).toBe(LIST);
});
