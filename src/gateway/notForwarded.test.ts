import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readBody } from './body.ts';
import { BODY, emptyList, refusal, signedIn } from './rig.ts';

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
