import { describe, expect, test } from 'vitest';
import { bodyOf, clientAt, type Item } from '#src/tests/contract/http.ts';
import { copyAs, expectOnce, judgeBooks, spawn, start, template } from './books.ts';
import { KEY_OF_ANSWERED, post, withdrawalText } from './requests.ts';

describe.concurrent('a sandbox killed twice outside of a payment loses nothing (row 74)', () => {
  test('while it starts', async () => {
    const directory = await copyAs('starting');
    for (const round of [1, 2]) {
      const sandbox = await spawn(directory, 'starting');
      expect(await sandbox.ended, `start ${round}`).toBe('SIGKILL');
    }
    await expectOnce(directory, false, []);
  });

  test('while it deletes expired idempotency records', async () => {
    const directory = await copyAs('sweeping');
    const body = { account: template.account, advance: 25 * 60 * 60 };
    for (const round of [1, 2]) {
      const sandbox = await spawn(directory, 'sweeping');
      const client = clientAt(sandbox.baseUrl, template.key);
      // It may delete them at its start, when the clock moves, or at the next request.
      await sandbox
        .answers()
        .then(() => post(sandbox.baseUrl, '/sandbox/clock', body))
        .then(() => client.post('/v1/withdrawals', withdrawalText('0.1'), `sweep ${round}`))
        .catch(() => undefined);
      expect(await sandbox.ended).toBe('SIGKILL');
    }
    const sandbox = await start(directory);
    const client = clientAt(sandbox.baseUrl, template.key);
    await post(sandbox.baseUrl, '/sandbox/clock', body);
    const known = await client.get(`/v1/withdrawals/${template.answered.id}`);
    expect(bodyOf<Item>(known).amount).toBe('0.5');
    const again = await client.post('/v1/withdrawals', withdrawalText('0.3'), KEY_OF_ANSWERED);
    expect(again.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    const amounts = (await judgeBooks(sandbox.baseUrl)).map((item) => item.amount);
    expect(amounts.filter((amount) => amount === '0.5')).toHaveLength(1);
    expect(amounts.filter((amount) => amount === '0.3')).toHaveLength(1);
    expect(amounts.filter((amount) => amount === '0.1').length).toBeLessThanOrEqual(2);
    await sandbox.stop();
  });
});

describe.concurrent('a response survives a kill right after it (row 75)', () => {
  test('whether it is a success, a refusal or a conflict', async () => {
    const directory = await copyAs('answered');
    const attempts: [key: string, body: string, status: number][] = [
      ['one', withdrawalText('0.1'), 201],
      ['one', withdrawalText('0.2'), 409],
      ['two', withdrawalText('1000'), 400],
      ['two', withdrawalText('1001'), 409],
    ];
    for (const [key, body, status] of attempts) {
      const sandbox = await start(directory);
      const answer = await clientAt(sandbox.baseUrl, template.key).post('/v1/withdrawals', body, key);
      await sandbox.kill();
      expect(answer.status, answer.text).toBe(status);
      expect(answer.headers.has('idempotency-replayed')).toBe(false);
    }
    const sandbox = await start(directory);
    for (const [key, body, status] of attempts) {
      const answer = await clientAt(sandbox.baseUrl, template.key).post('/v1/withdrawals', body, key);
      expect(answer.status).toBe(status);
      expect(answer.headers.has('idempotency-replayed')).toBe(status !== 409);
    }
    expect((await judgeBooks(sandbox.baseUrl)).map((item) => item.amount)).toEqual(['0.1', '0.5']);
    await sandbox.stop();
  });
});
