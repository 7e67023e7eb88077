import { describe, expect, test } from 'vitest';
import { accountWith, BTC, ETH, ledger, withdrawalFields, withdrawalsOf } from './controls.ts';
import { expectError, expectReplay } from './examples.ts';
import { sendRaw } from './rawSocket.ts';
import { bodyOf } from './http.ts';
import { baseUrl } from './service.ts';

describe('one key at once', () => {
  test('100 requests: one movement, one answer without the marker (row 72)', async () => {
    const account = await accountWith(BTC);
    const before = await ledger(account);
    const key = crypto.randomUUID();
    const body = withdrawalFields(BTC, '0.01');
    const answers = await Promise.all(Array.from({ length: 100 }, () => account.post('/v1/withdrawals', body, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.headers.get('request-id'))).size).toBe(1);
    expect(answers.filter((answer) => !answer.headers.has('idempotency-replayed'))).toHaveLength(1);
    expect(answers[0]?.status).toBe(201);
    expect(await withdrawalsOf(account)).toHaveLength(1);
    const single = await accountWith(BTC);
    const singleBefore = await ledger(single);
    await single.post('/v1/withdrawals', body, key);
    expect((await ledger(account)).entries - before.entries).toBe(
      (await ledger(single)).entries - singleBefore.entries,
    );
  });

  test('different bodies: one winner, the rest 409, no 5xx (row 73)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        account.post('/v1/withdrawals', withdrawalFields(BTC, `0.00${index + 10}`), key),
      ),
    );
    const winners = answers.filter((answer) => answer.status === 201);
    expect(winners).toHaveLength(1);
    for (const answer of answers) {
      if (answer !== winners[0]) expectError(answer, 409, 'idempotency_key_reused');
    }
    expect(await withdrawalsOf(account)).toMatchObject([winners[0]?.json]);
  });

  test('many keys at once never spend more than there is', async () => {
    const account = await accountWith(BTC);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        account.post('/v1/withdrawals', withdrawalFields(BTC, '0.3'), crypto.randomUUID()),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(17);
    expect(await withdrawalsOf(account)).toHaveLength(3);
  });
});

describe('what is the same request (4.7)', () => {
  test.each([
    ['white space', (body: string) => body.replace(':', ': ')],
    ['a line break at the end', (body: string) => `${body}\n`],
    [
      'key order',
      (body: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed())),
    ],
    ['an amount written otherwise', (body: string) => body.replace('0.25', '0.250')],
  ])('%s changed is a 409 (row 83)', async (_, change) => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = JSON.stringify(withdrawalFields(BTC, '0.25'));
    expect(change(body)).not.toBe(body);
    const original = await account.post('/v1/withdrawals', body, key);
    const conflict = await account.post('/v1/withdrawals', change(body), key);
    expectError(conflict, 409, 'idempotency_key_reused');
    expect(conflict.json).toMatchObject({ error: { type: 'idempotency_error' } });
    expect(conflict.text).not.toContain('0.25');
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
    expect(await withdrawalsOf(account)).toHaveLength(1);
  });

  test('one key on two endpoints is a 409, with one body too (row 82)', async () => {
    const account = await accountWith(BTC);
    const key = crypto.randomUUID();
    const body = { ...withdrawalFields(BTC, '0.1') };
    expect((await account.post('/v1/withdrawals', body, key)).status).toBe(201);
    expectError(await account.post('/v1/charges', body, key), 409, 'idempotency_key_reused');
    const [one, two] = ['whd_a', 'whd_b'].map((id) => `/v1/webhook-deliveries/${id}/replay`);
    const other = crypto.randomUUID();
    await account.post(one ?? '', {}, other);
    expectError(await account.post(two ?? '', {}, other), 409, 'idempotency_key_reused');
  });

  test('two accounts with one key never meet (row 81)', async () => {
    const [one, two] = [await accountWith(BTC), await accountWith(ETH)];
    const key = crypto.randomUUID();
    const first = await one.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
    const second = await two.post('/v1/withdrawals', withdrawalFields(ETH, '0.1'), key);
    for (const answer of [first, second]) {
      expect(answer.status).toBe(201);
      expect(answer.headers.has('idempotency-replayed')).toBe(false);
    }
    expect(second.text).not.toBe(first.text);
    const id = bodyOf<{ id: string }>(first).id;
    expectError(await two.get(`/v1/withdrawals/${id}`), 404, 'not_found');
    expect(await withdrawalsOf(two)).toHaveLength(1);
  });
});

describe('the header (4.7, row 80)', () => {
  const names = 'idempotency-key';

  test.each([['a'], ['0'], ['a b, c'], ['"quoted"'], ['x'.repeat(255)]])('%s is a key', async (key) => {
    const account = await accountWith(BTC);
    const body = withdrawalFields(BTC, '0.1');
    const original = await account.post('/v1/withdrawals', body, key);
    expect(original.status, original.text).toBe(201);
    expectReplay(await account.post('/v1/withdrawals', body, key), original);
  });

  test('256 characters, an empty one and none are a 400 that names it, and execute nothing', async () => {
    const account = await accountWith(BTC);
    for (const key of ['x'.repeat(256), '', undefined]) {
      const answer = await account.post('/v1/withdrawals', withdrawalFields(BTC, '0.1'), key);
      expectError(answer, 400, 'invalid_request_error', names);
    }
    expect(await withdrawalsOf(account)).toHaveLength(0);
  });

  test.each([
    ['different', 'key-1', 'key-2'],
    ['the same', 'key-1', 'key-1'],
    ['an empty one', 'key-1', ''],
  ])('two instances (%s) are a 400 that names it, and execute nothing', async (_, one, two) => {
    const account = await accountWith(BTC);
    const answer = await sendRaw(baseUrl, {
      method: 'POST',
      path: '/v1/withdrawals',
      headers: [
        `x-api-key: ${account.key}`,
        'Content-Type: application/json',
        `Idempotency-Key: ${one}`,
        `idempotency-key: ${two}`,
      ],
      body: JSON.stringify(withdrawalFields(BTC, '0.1')),
    });
    expect(answer.status, answer.body).toBe(400);
    expect(answer.body.toLowerCase()).toContain(names);
    expect(await withdrawalsOf(account)).toHaveLength(0);
  });
});
