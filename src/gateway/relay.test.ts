import { EventEmitter, once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readBody } from './body.ts';
import { emptyList, fakeService, KEY, refusal, startGateway } from './rig.ts';

const BODY = '{ "asset":"BTC",  "chain":"bitcoin","amount":"0.10","address":"bc1q…"}';

/** A gateway before a service that answers calls by `answer`, with a session. */
async function signedIn(
  answer: Parameters<typeof fakeService>[0],
  change: Parameters<typeof startGateway>[1] = {},
  silenceMs?: number,
) {
  const service = await fakeService((req, res, body) =>
    req.url === '/v1/balances?limit=1' ? emptyList(req, res) : answer(req, res, body),
  );
  const gateway = await startGateway(service.url, change, silenceMs);
  const { call } = await gateway.signIn();
  service.seen.length = 0;
  const post = (path: string, headers: Record<string, string> = {}, body = BODY) =>
    gateway.send(path, { method: 'POST', headers: { ...gateway.json, ...call, ...headers }, body });
  return { service, gateway, call, post, get: (path: string) => gateway.get(path, call) };
}

describe('a call', () => {
  test('goes on with the session’s key, the exact bytes, and nothing of the browser’s own', async () => {
    const { service, post } = await signedIn((_req, res) =>
      res.writeHead(201, { 'Content-Type': 'application/json' }).end('{}'),
    );
    await post('/v1/withdrawals', {
      'Idempotency-Key': 'k1',
      'x-api-key': 'sk_forged',
      'X-Attempt': 'a1',
      Referer: 'http://x/',
    });
    expect(service.seen).toHaveLength(1);
    const [seen] = service.seen;
    expect([seen?.method, seen?.url, seen?.body]).toEqual(['POST', '/v1/withdrawals', BODY]);
    expect(seen?.headers).toMatchObject({
      'x-api-key': KEY,
      'idempotency-key': 'k1',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(BODY)),
    });
    for (const name of ['cookie', 'x-account', 'x-attempt', 'origin', 'referer'])
      expect(seen?.headers).not.toHaveProperty(name);
  });

  test('keeps its query as it was encoded', async () => {
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

  test('has no Date where the service gave none: the gateway’s clock does not stand in', async () => {
    const { get } = await signedIn((_req, res) => {
      res.sendDate = false;
      res.end('{}');
    });
    expect((await get('/v1/balances')).headers).not.toHaveProperty('date');
  });

  test('streams: the first bytes come before the last are written', async () => {
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
  test('with a redirect is not followed, and its target is not told', async () => {
    const elsewhere = await fakeService(emptyList);
    const { post } = await signedIn((_req, res) => res.writeHead(307, { Location: elsewhere.url }).end());
    const answer = await post('/v1/withdrawals');
    expect([answer.status, refusal(answer)]).toMatchObject([502, { kind: 'upstream', code: 'service_redirected' }]);
    expect(answer.headers.location).toBeUndefined();
    expect(elsewhere.seen).toEqual([]);
  });

  test('before an answer is a 502, and the POST arrived once', async () => {
    const { post, service } = await signedIn((req) => req.socket.destroy());
    const answer = await post('/v1/withdrawals');
    expect([answer.status, refusal(answer)]).toMatchObject([502, { kind: 'upstream', code: 'service_unreachable' }]);
    expect(service.seen).toHaveLength(1);
  });

  test('on a kept-alive socket loses no read and repeats no POST', async () => {
    const { get, post, service } = await signedIn((req, res) => {
      const dies = service.seen.length % 2 === 0;
      if (dies) req.socket.destroy();
      else emptyList(req, res);
    });
    expect((await get('/v1/deposits')).status).toBe(200);
    expect((await get('/v1/deposits')).status).toBe(200);
    expect(service.seen).toHaveLength(3);
    expect((await post('/v1/withdrawals')).status).toBe(502);
    expect(service.seen).toHaveLength(4);
  });

  test('in the middle of a body breaks the browser’s body too', async () => {
    const { get } = await signedIn((req, res) => {
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      res.write('{"half":', () => req.socket.destroy());
    });
    const answer = await get('/v1/deposits');
    expect(answer).toMatchObject({ status: 200, text: '{"half":', complete: false });
  });

  test('by silence is a 504; by a stalled body it is cut', async () => {
    const silent = await signedIn(() => undefined, {}, 60);
    const answer = await silent.post('/v1/withdrawals');
    expect([answer.status, refusal(answer)]).toMatchObject([504, { kind: 'upstream', code: 'service_silent' }]);
    expect(silent.service.seen).toHaveLength(1);

    const stalled = await signedIn((_req, res) => void res.write('{"half":'), {}, 60);
    expect(await stalled.get('/v1/deposits')).toMatchObject({ status: 200, text: '{"half":', complete: false });
  });
});

describe('a browser that leaves', () => {
  test.each([
    ['GET', 'left'],
    ['POST', 'answered'],
  ])('during a %s: the service sees that it was %s', async (method, end) => {
    const events = new EventEmitter();
    const arrived = once(events, 'arrived');
    const ended = once(events, 'ended');
    const { gateway, call } = await signedIn((_req, res) => {
      res.on('close', () => events.emit('ended', res.writableFinished ? 'answered' : 'left'));
      events.once('answer', () => res.end('{}'));
      events.emit('arrived');
    });
    const leave = new AbortController();
    const request = { method, headers: { ...gateway.json, ...call }, signal: leave.signal };
    const lost = fetch(`${gateway.origin}/v1/deposits`, method === 'GET' ? request : { ...request, body: BODY });
    await arrived;
    leave.abort();
    await expect(lost).rejects.toThrow('aborted');
    // One more exchange, so that the gateway has noticed; only then may the service answer a POST.
    await gateway.get('/healthz');
    if (method === 'POST') events.emit('answer');
    expect(await ended).toEqual([end]);
  });
});

describe('what is not forwarded', () => {
  test.each([
    ['GET', '/v1', 404],
    ['GET', '/v1/webhook-endpoints', 404],
    ['GET', '/v1/withdrawals/..%2F..%2Fadmin', 404],
    ['GET', '/v1/withdrawals/%zz', 404],
    ['GET', '/v1/deposits/dep_1', 404],
    ['POST', '/v1/balances', 405],
    ['GET', '/v1/charges', 405],
    ['DELETE', '/v1/withdrawals/wd_1', 405],
    ['PUT', '/v1/withdrawals', 405],
  ])('%s %s: %i', async (method, path, status) => {
    const { gateway, call, service } = await signedIn(emptyList);
    const headers = { ...call, ...(method === 'GET' ? {} : gateway.json) };
    const answer = await gateway.send(path, { method, headers });
    expect([answer.status, refusal(answer).kind]).toEqual([status, 'not-allowed']);
    expect(service.seen).toEqual([]);
  });

  test('no session, another account, or none named', async () => {
    const { gateway, call, service } = await signedIn(emptyList);
    const nobody = await gateway.get('/v1/balances', { 'X-Account': call['X-Account'] });
    expect([nobody.status, refusal(nobody).kind]).toEqual([401, 'session']);
    for (const account of [{}, { 'X-Account': 'f'.repeat(32) }]) {
      const other = await gateway.get('/v1/balances', { Cookie: call.Cookie, ...account });
      expect([other.status, refusal(other).kind]).toEqual([409, 'account']);
    }
    expect(service.seen).toEqual([]);
  });

  test('a POST of a gateway that only reads', async () => {
    const { post, get, service } = await signedIn(emptyList, { readOnly: true });
    const answer = await post('/v1/withdrawals');
    expect([answer.status, refusal(answer).kind]).toEqual([403, 'read-only']);
    expect(service.seen).toEqual([]);
    expect((await get('/v1/balances')).status).toBe(200);
  });

  test('a POST of another origin, without one, or not of JSON', async () => {
    const { gateway, call, service } = await signedIn(emptyList);
    const json = { 'Content-Type': 'application/json' };
    for (const headers of [
      { ...json, Origin: 'http://127.0.0.1:1' },
      { ...json, Origin: 'null' },
      json,
      { Origin: gateway.origin, 'Content-Type': 'text/plain' },
      { Origin: gateway.origin, 'Content-Type': 'application/jsonp' },
      { Origin: gateway.origin },
    ]) {
      const answer = await gateway.send('/v1/withdrawals', {
        method: 'POST',
        headers: { ...call, ...headers },
        body: BODY,
      });
      expect([answer.status, refusal(answer).kind]).toEqual([403, 'not-allowed']);
    }
    expect(service.seen).toEqual([]);
  });

  test('two keys on one POST, or a body without end', async () => {
    const { gateway, call, service, post } = await signedIn(emptyList);
    const headers = { ...gateway.json, ...call, 'Idempotency-Key': ['a', 'b'] };
    const twice = await gateway.send('/v1/withdrawals', { method: 'POST', headers, body: BODY });
    expect([twice.status, refusal(twice).kind]).toEqual([400, 'not-allowed']);
    const large = await post('/v1/withdrawals', {}, 'x'.repeat(1_000_001));
    expect([large.status, refusal(large).code]).toEqual([413, 'body_too_large']);
    expect(service.seen).toEqual([]);
  });

  test('a repeat of a POST that was forwarded: its refusal does not read as "nothing was sent"', async () => {
    const { gateway, call, service, post } = await signedIn(emptyList);
    const arrive = (headers: Record<string, string>) =>
      gateway.send('/v1/withdrawals', { method: 'POST', headers: { ...gateway.json, ...headers }, body: BODY });
    await post('/v1/withdrawals', { 'X-Attempt': 'a1' });
    const ended = await arrive({ 'X-Account': call['X-Account'], 'X-Attempt': 'a1' });
    expect([ended.status, refusal(ended)]).toMatchObject([502, { kind: 'upstream', code: 'repeat_refused' }]);
    const other = await arrive({ Cookie: call.Cookie, 'X-Account': 'f'.repeat(32), 'X-Attempt': 'a1' });
    expect(refusal(other).kind).toBe('upstream');
    // An attempt whose first arrival was refused stays provably not forwarded, however often it comes.
    const refused = [await arrive({ 'X-Attempt': 'a2' }), await arrive({ 'X-Attempt': 'a2' })];
    expect(refused.map((each) => refusal(each).kind)).toEqual(['session', 'session']);
    expect(service.seen).toHaveLength(1);
  });

  test('a request whose browser left before its body was read', async () => {
    const incoming = new IncomingMessage(new Socket());
    incoming.destroy();
    await expect(readBody(incoming, 10)).rejects.toThrow('broke off');
  });

  test('the sandbox’s controls, where the service is a real one', async () => {
    const { gateway, service } = await signedIn(emptyList);
    const answer = await gateway.send('/sandbox/accounts', { method: 'POST', headers: gateway.json, body: '{}' });
    expect([answer.status, refusal(answer).kind]).toEqual([404, 'not-allowed']);
    expect(service.seen).toEqual([]);
  });
});
