import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loggedBy } from '#src/server/http/testLog.ts';
import { forwardTo } from './forward.ts';
import { KEY, LIST, rawAnswer, rawService } from '#src/server/http/testGateway.ts';

const target = '/v1/balances?limit=1';

async function readFrom(answer: Parameters<typeof rawService>[0], timeoutMs?: number) {
  const service = await rawService(answer);
  const forward = forwardTo(service.url);
  return { service, read: () => forward.read(KEY, target, timeoutMs) };
}

test('the reason for no answer is logged once until it changes or there is an answer, without key and query', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  let answers = false;
  const service = await rawService((socket) => (answers ? socket.end(rawAnswer(LIST)) : socket.resetAndDestroy()));
  const forward = forwardTo(service.url);
  for (const next of [false, false, true, false]) {
    answers = next;
    await forward.read(KEY, target);
  }
  const line = expect.stringMatching(new RegExp(`^\\S+Z ${service.url} gives no answer: ECONNRESET$`)) as unknown;
  expect(loggedBy(errorLog, service.url)).toEqual([[line], [line]]);
  errorLog.mockClear();
  const nowhere = 'http://127.0.0.1:9';
  const nobody = forwardTo(nowhere);
  await nobody.read(KEY, target);
  await expect(nobody.connect(KEY)).rejects.toThrow('ECONNREFUSED');
  expect(loggedBy(errorLog, nowhere)).toEqual([[expect.stringMatching(/:9 gives no answer: ECONNREFUSED$/)]]);
});

test('a service that takes too long is logged as such', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const { service, read } = await readFrom(() => undefined, 20);
  await read();
  await read();
  expect(loggedBy(errorLog, service.url)).toEqual([
    [expect.stringContaining(`${service.url} gives no answer: not in time`)],
  ]);
});

describe('a read by the server itself', () => {
  test('returns the whole answer, with its headers’ values', async () => {
    const head = ['Date: Sat, 21 Nov 2026 10:00:00 GMT', 'Age: 36', 'Request-Id: req_1', 'Retry-After: 7'];
    const { service, read } = await readFrom((socket) => socket.write(rawAnswer(LIST, head)));
    expect(await read()).toMatchObject({
      kind: 'answer',
      status: 200,
      text: LIST,
      complete: true,
      date: Date.UTC(2026, 10, 21, 10) / 1000 - 36,
      requestId: 'req_1',
      retryAfter: '7',
      replayed: false,
      contentType: 'application/json',
    });
    expect(service.seen[0]).toContain(`GET ${target} HTTP/1.1\r\n`);
    expect(service.seen[0]).toContain(`x-api-key: ${KEY}\r\n`);
  });

  test('may be 4 MB long; a longer one counts as no answer', async () => {
    const most = 4 * 1024 * 1024;
    const whole = await readFrom((socket) => socket.write(rawAnswer('x'.repeat(most))));
    expect(await whole.read()).toMatchObject({ kind: 'answer', complete: true });
    const longer = await readFrom((socket) => socket.write(rawAnswer('x'.repeat(most + 1))));
    expect(await longer.read()).toMatchObject({ kind: 'no-answer', reason: 'network' });
  });

  test.each([
    ['nothing', ''],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":'],
  ])('that stalls after %s counts as no answer', async (_, bytes) => {
    const { read } = await readFrom((socket) => socket.write(bytes), 60);
    expect(await read()).toMatchObject({ kind: 'no-answer', reason: 'timeout' });
  });

  test('follows no redirect', async () => {
    const { read, service } = await readFrom((socket) =>
      socket.write('HTTP/1.1 302 Found\r\nLocation: /v1/other\r\nContent-Length: 0\r\n\r\n'),
    );
    expect(await read()).toMatchObject({ kind: 'no-answer', reason: 'redirect' });
    expect(service.seen).toHaveLength(1);
  });

  test.each(['resets', 'ends'])('whose kept-alive socket the service %s is retried once, on a new one', async (how) => {
    const answers: (() => void)[] = [];
    const onSocket: number[] = [];
    const { read } = await readFrom((socket, _head, requests) => {
      onSocket.push(requests);
      if (requests > 1) return how === 'ends' ? socket.end() : socket.resetAndDestroy();
      const answer = () => socket.write(rawAnswer(LIST));
      // Concurrent, so that five sockets are kept alive.
      if (answers.push(answer) === 5) for (const each of answers) each();
      if (answers.length > 5) answer();
    });
    await Promise.all(Array.from({ length: 5 }, read));
    onSocket.length = 0;
    expect(await read()).toMatchObject({ kind: 'answer', status: 200 });
    expect(onSocket).toEqual([2, 1]);
  });

  test('that fails twice counts as no answer', async () => {
    let requests = 0;
    const { read } = await readFrom((socket, _head, ofSocket) => {
      requests += 1;
      if (requests === 1) socket.write(rawAnswer(LIST));
      else if (ofSocket > 1 || requests === 3) socket.resetAndDestroy();
    });
    await read();
    expect(await read()).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(requests).toBe(3);
  });

  test('that is cut off is marked as such and isn’t retried, even on a kept-alive socket', async () => {
    const { read, service } = await readFrom((socket, _head, requests) => {
      if (requests === 1) socket.write(rawAnswer(LIST));
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":', () => socket.resetAndDestroy());
    });
    expect(await read()).toMatchObject({ complete: true });
    expect(await read()).toMatchObject({ kind: 'answer', text: '{"half":', complete: false });
    expect(service.seen).toHaveLength(2);
  });

  test('is retried if a kept-alive socket died before an answer began', async () => {
    const { read, service } = await readFrom((socket, _head, requests) => {
      if (requests === 1) socket.write(rawAnswer(LIST));
      else socket.resetAndDestroy();
    });
    await read();
    expect(await read()).toMatchObject({ kind: 'answer', text: LIST });
    expect(service.seen).toHaveLength(3);
  });

  test('that breaks in the bytes that arrive with the head counts as cut off', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { read } = await readFrom((socket) => socket.write(`${head}8\r\n{"half":\r\nzz\r\n`));
    expect(await read()).toMatchObject({ kind: 'answer', status: 200, complete: false });
  });

  test('counts as no answer if no server listens', async () => {
    const nobody = forwardTo('http://127.0.0.1:9');
    expect(await nobody.read(KEY, target)).toMatchObject({ kind: 'no-answer', reason: 'network' });
  });
});
