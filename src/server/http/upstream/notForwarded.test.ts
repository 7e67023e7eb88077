import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readBody } from '#src/server/http/guards.ts';
import { BODY, emptyList, refusalIn, signedIn } from '#src/server/http/testGateway.ts';

describe('what is not forwarded', () => {
  test.each([
    ['GET', '/v1', 404],
    ['GET', '/v1/webhook-endpoints', 404],
    ['GET', '/v1/withdrawals/..%2F..%2Fadmin', 404],
    ['GET', '/v1/withdrawals/%zz', 404],
    ['GET', '/v1/withdrawals/..;%2fadmin', 404],
    ['GET', '/v1/balances/..;%2fadmin', 404],
    ['GET', '/v1/balances/a%5c..%5cb', 404],
    ['GET', '/v1/balances/a%00', 404],
    ['GET', '/v1/balances/%252e%252e', 404],
    ['GET', `/v1/balances/${'a'.repeat(201)}`, 404],
    ['GET', '/v1/balances/', 404],
    ['GET', '/v1/withdrawals/a%2Fb', 404],
    ['GET', '/v1/withdrawals/a;b', 404],
    ['GET', '/v1/withdrawals/a%3Flimit=1', 404],
    ['GET', '/v1/deposits/dep_1', 404],
    ['GET', '/v1/charges', 405],
    ['HEAD', '/v1/balances', 405],
    ['POST', '/v1/balances', 405],
    ['POST', '/v1/withdrawals', 405],
    ['POST', '/v1/deposits', 405],
    ['POST', '/v1/charges', 405],
    ['POST', '/v1/webhook-deliveries/whd_1/replay', 405],
    ['POST', '/v1/refunds', 404],
    ['DELETE', '/v1/withdrawals/wd_1', 405],
    ['PUT', '/v1/withdrawals', 405],
    ['PATCH', '/v1/withdrawals/wd_1', 405],
  ])('%s %s: %i', async (method, path, status) => {
    const { gateway, call, service } = await signedIn(emptyList);
    const isRead = method === 'GET' || method === 'HEAD';
    const headers = { ...call, ...(isRead ? {} : { ...gateway.json, 'Idempotency-Key': 'k1' }) };
    const answer = await gateway.send(path, {
      method,
      headers,
      ...(isRead || method === 'DELETE' ? {} : { body: BODY }),
    });
    expect([answer.status, answer.headers['gateway-error']]).toEqual([status, 'not-allowed']);
    expect(service.seen).toEqual([]);
  });

  test('a request without a session, for another account, or for none', async () => {
    const { gateway, call, service } = await signedIn(emptyList);
    const nobody = await gateway.get('/v1/balances', { 'X-Account': call['X-Account'] });
    expect([nobody.status, refusalIn(nobody).kind]).toEqual([401, 'session']);
    for (const account of [{}, { 'X-Account': 'f'.repeat(32) }]) {
      const other = await gateway.get('/v1/balances', { Cookie: call.Cookie, ...account });
      expect([other.status, refusalIn(other).kind]).toEqual([409, 'account']);
    }
    expect(service.seen).toEqual([]);
  });

  test('a POST from another or no origin, or without JSON', async () => {
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
      expect([answer.status, refusalIn(answer).kind]).toEqual([403, 'not-allowed']);
    }
    expect(service.seen).toEqual([]);
  });

  test('a request whose browser left before its body was read', async () => {
    const incoming = new IncomingMessage(new Socket());
    incoming.destroy();
    expect(await readBody(incoming, 10)).toMatchObject({ status: 400 });
  });

  test('requests to the sandbox’s controls, if the service is a real one', async () => {
    const { gateway, service } = await signedIn(emptyList);
    for (const path of ['/sandbox/accounts', '/sandbox/people']) {
      const answer = await gateway.send(path, { method: 'POST', headers: gateway.json, body: '{}' });
      expect([answer.status, refusalIn(answer).kind]).toEqual([404, 'not-allowed']);
    }
    expect(service.seen).toEqual([]);
  });
});
