import { describe, expect, test } from 'vitest';
import { accountWith, addDeposit, BTC } from './controls.ts';
import { expectError } from './examples.ts';
import { bodyOf } from './http.ts';

describe('the other POSTs (4.6): bodies and answers', () => {
  test('POST /v1/deposits makes an address on the chain', async () => {
    const account = await accountWith();
    const [one, two] = [
      await account.post('/v1/deposits', { asset: 'BTC', chain: 'bitcoin' }, crypto.randomUUID()),
      await account.post('/v1/deposits', { asset: 'BTC', chain: 'bitcoin' }, crypto.randomUUID()),
    ];
    for (const answer of [one, two]) {
      expect(answer.status).toBe(201);
      expect(answer.json).toMatchObject({
        asset: 'BTC',
        chain: 'bitcoin',
        address: expect.stringMatching(/^\S{20,}$/) as unknown,
      });
    }
    expect(bodyOf<{ address: string }>(one).address).not.toBe(bodyOf<{ address: string }>(two).address);
  });

  test('POST /v1/charges makes a charge as requested', async () => {
    const account = await accountWith();
    const answer = await account.post(
      '/v1/charges',
      { asset: 'BTC', chain: 'bitcoin', amount: '0.1' },
      crypto.randomUUID(),
    );
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({ asset: 'BTC', chain: 'bitcoin', amount: '0.1' });
  });

  test('a charge returns all other fields as sent, with every digit of their numbers', async () => {
    const account = await accountWith();
    const rest = '"order":12345678901234567890.10,"deep":{"n":[1e400,-0]},"__proto__":1';
    const body = `{"asset":"BTC","id":"mine","chain":"bitcoin","amount":"0.1",${rest}}`;
    const answer = await account.post('/v1/charges', body, crypto.randomUUID());
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(`,${rest}}`);
    expect(bodyOf<{ id: string }>(answer).id).toMatch(/^ch_/);
    const twice = '{"asset":"BTC","chain":"bitcoin","amount":"0.1","note":1,"note":2}';
    expect((await account.post('/v1/charges', twice, crypto.randomUUID())).json).toMatchObject({ note: 2 });
  });

  test.each([
    ['/v1/deposits', 'asset', { chain: 'bitcoin' }],
    ['/v1/deposits', 'chain', { asset: 'BTC' }],
    ['/v1/charges', 'asset', { chain: 'bitcoin', amount: '1' }],
    ['/v1/charges', 'amount', { asset: 'BTC', chain: 'bitcoin', amount: '1e3' }],
    ['/v1/charges', 'amount', { asset: 'BTC', chain: 'bitcoin' }],
  ])('POST %s without a good %s is a 400 that names it', async (path, names, body) => {
    const account = await accountWith();
    expectError(await account.post(path, body, crypto.randomUUID()), 400, 'invalid_request_error', names);
  });

  test('a delivery of another account is 404', async () => {
    const [account, other] = [await accountWith(), await accountWith()];
    const { id } = await addDeposit(other, { ...BTC, status: 'completed' });
    const path = `/v1/webhook-deliveries/${id.replace('dep_', 'whd_')}/replay`;
    expectError(await account.post(path, {}, crypto.randomUUID()), 404, 'not_found');
    expect((await other.post(path, {}, crypto.randomUUID())).status).toBe(204);
  });
});
