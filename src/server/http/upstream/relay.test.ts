import { EventEmitter, once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { emptyList, fakeService, KEY, refusalIn, signedIn } from '#src/server/http/testGateway.ts';

describe('a call', () => {
  test('is forwarded with the session’s key, and without the browser’s own headers', async () => {
    const { service, gateway, call } = await signedIn(emptyList);
    const forged = { 'x-api-key': 'sk_forged', 'Idempotency-Key': 'k1', 'X-Attempt': 'a1', Referer: 'http://x/' };
    await gateway.get('/v1/deposits', { ...call, ...forged, Journal: 'jnl_1 0', Accept: 'application/json' });
    const [seen] = service.seen;
    expect([service.seen.length, seen?.method, seen?.url, seen?.body]).toEqual([1, 'GET', '/v1/deposits', '']);
    expect(seen?.headers).toMatchObject({ 'x-api-key': KEY, accept: 'application/json' });
    for (const name of ['cookie', 'x-account', 'x-attempt', 'origin', 'referer', 'journal'])
      expect(seen?.headers).not.toHaveProperty(name);
  });

  test.each([
    ['/v1/balances/ibc%2F27394FB092D2ECCD', '/v1/balances/ibc%2F27394FB092D2ECCD'],
    ['/v1/balances/%42T%43', '/v1/balances/BTC'],
    ['/v1/balances/USD%E2%82%AE', '/v1/balances/USD%E2%82%AE'],
    ['/v1/balances/a;b', '/v1/balances/a%3Bb'],
    ['/v1/balances/100%25?a=%2e', '/v1/balances/100%25?a=%2e'],
    ['/v1/withdrawals/wd_%61.b', '/v1/withdrawals/wd_a.b'],
  ])('is forwarded with the id in its normal form: %s as %s', async (path, forwarded) => {
    const { service, get } = await signedIn(emptyList);
    await get(path);
    expect(service.seen.map(({ url }) => url)).toEqual([forwarded]);
  });

  test('keeps the encoding of its query', async () => {
    const { service, get } = await signedIn(emptyList);
    await get('/v1/deposits?starting_after=a%2Bb%2F%3D%25%26&limit=50&status=%D0%B6');
    expect(service.seen[0]?.url).toBe('/v1/deposits?starting_after=a%2Bb%2F%3D%25%26&limit=50&status=%D0%B6');
  });

  test('gets the service’s status, body and the headers that matter, and no others', async () => {
    const { get } = await signedIn((_req, res) => {
      res.writeHead(418, {
        'Content-Type': 'application/json',
        'Request-Id': 'req_1',
        Date: 'Sat, 21 Nov 2026 10:00:00 GMT',
        'Retry-After': '7',
        'Idempotency-Replayed': 'true',
        'Gateway-Error': 'session',
        'Set-Cookie': 'evil=1',
        'Access-Control-Allow-Origin': '*',
        Location: 'http://x/',
      });
      res.end('{"a":1}');
    });
    const answer = await get('/v1/balances');
    expect([answer.status, answer.text]).toEqual([418, '{"a":1}']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'request-id': 'req_1',
      date: 'Sat, 21 Nov 2026 10:00:00 GMT',
      'retry-after': '7',
      'idempotency-replayed': 'true',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    for (const name of ['gateway-error', 'set-cookie', 'access-control-allow-origin', 'location'])
      expect(answer.headers).not.toHaveProperty(name);
  });

  test('hides an API key that the service repeats in a header or in the body', async () => {
    const body = JSON.stringify({ [KEY]: 1, link: `/v1?key=${encodeURIComponent(KEY)}`, amount: '0.10' });
    const { get } = await signedIn((_req, res) => {
      res.writeHead(200, {
        'Content-Type': `application/json; of=${KEY}`,
        'Content-Length': body.length,
        'Request-Id': KEY,
        'Retry-After': KEY,
      });
      res.write(body.slice(0, 5));
      setImmediate(() => res.end(body.slice(5)));
    });
    const answer = await get('/v1/balances');
    expect(JSON.stringify(answer.headers)).not.toContain(KEY);
    expect(answer.headers['request-id']).toBe('[API key]');
    expect([answer.complete, answer.text]).toEqual([true, body.replaceAll(KEY, '*'.repeat(KEY.length))]);
  });

  test('hides an API key in a response that the service compressed without being asked', async () => {
    const { get } = await signedIn((_req, res) => {
      res.writeHead(401, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      res.end(gzipSync(JSON.stringify({ echo: KEY })));
    });
    expect((await get('/v1/balances')).text).toBe(JSON.stringify({ echo: '*'.repeat(KEY.length) }));
  });

  test('has no Date if the service sent none: the gateway’s clock doesn’t replace it', async () => {
    const { get } = await signedIn((_req, res) => {
      res.sendDate = false;
      res.end('{}');
    });
    expect((await get('/v1/balances')).headers).not.toHaveProperty('date');
  });

  test('streams: the first bytes arrive before the last are written', async () => {
    const events = new EventEmitter();
    const { gateway, call } = await signedIn((_req, res) => {
      res.write('first');
      events.once('read', () => res.end('last'));
    });
    const answer = await fetch(`${gateway.origin}/v1/deposits`, { headers: call });
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    events.emit('read');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('last');
  });
});

describe('a service that fails', () => {
  test('with a redirect is not followed, and its target is not revealed', async () => {
    const elsewhere = await fakeService(emptyList);
    const { get } = await signedIn((_req, res) => res.writeHead(307, { Location: elsewhere.url }).end());
    const answer = await get('/v1/withdrawals');
    expect([answer.status, refusalIn(answer)]).toMatchObject([502, { kind: 'upstream', code: 'service_redirected' }]);
    expect(answer.headers.location).toBeUndefined();
    expect(elsewhere.seen).toEqual([]);
  });

  test('before an answer is a 502', async () => {
    const { get } = await signedIn((req) => req.socket.destroy());
    const answer = await get('/v1/withdrawals');
    expect([answer.status, refusalIn(answer)]).toMatchObject([502, { kind: 'upstream', code: 'service_unreachable' }]);
  });

  test('on a kept-alive socket doesn’t fail the read, which is retried', async () => {
    const { get, service } = await signedIn((req, res) => {
      const dies = service.seen.length % 2 === 0;
      if (dies) req.socket.destroy();
      else emptyList(req, res);
    });
    expect((await get('/v1/deposits')).status).toBe(200);
    expect((await get('/v1/deposits')).status).toBe(200);
    expect(service.seen).toHaveLength(3);
  });

  test('in the middle of a body breaks the browser’s body too', async () => {
    const { get } = await signedIn((req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      res.write('{"half":', () => req.socket.destroy());
    });
    const answer = await get('/v1/deposits');
    expect(answer).toMatchObject({ status: 200, text: '{"half":', complete: false });
  });

  test('with silence is a 504; a body that stalls is cut off', async () => {
    const silent = await signedIn(() => undefined, {}, 500);
    const answer = await silent.get('/v1/withdrawals');
    expect([answer.status, refusalIn(answer)]).toMatchObject([504, { kind: 'upstream', code: 'service_silent' }]);
    expect(silent.service.seen).toHaveLength(1);

    const stalled = await signedIn((_req, res) => void res.write('{"half":'), {}, 500);
    expect(await stalled.get('/v1/deposits')).toMatchObject({ status: 200, text: '{"half":', complete: false });
  });
});

describe('a browser that leaves', () => {
  test('during a read: the service sees that it left', async () => {
    const events = new EventEmitter();
    const arrived = once(events, 'arrived');
    const ended = once(events, 'ended');
    const { gateway, call } = await signedIn((_req, res) => {
      res.on('close', () => events.emit('ended', res.writableFinished ? 'answered' : 'left'));
      events.emit('arrived');
    });
    const leave = new AbortController();
    const lost = fetch(`${gateway.origin}/v1/deposits`, { headers: call, signal: leave.signal });
    await arrived;
    leave.abort();
    await expect(lost).rejects.toThrow('aborted');
    expect(await ended).toEqual(['left']);
  });
});
