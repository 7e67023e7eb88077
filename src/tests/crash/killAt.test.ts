import { describe, expect, test } from 'vitest';
import { bodyOf, clientAt, type Item } from '#src/tests/contract/http.ts';
import { sendRaw, type RawAnswer } from '#src/tests/contract/rawSocket.ts';
import { copyAs, judge, spawn, start, template } from './books.ts';
import { KEY_OF_ANSWERED, post, withdrawal } from './requests.ts';

function postRaw(baseUrl: string, key: string, amount: string): Promise<RawAnswer> {
  const headers = [`x-api-key: ${template.key}`, 'Content-Type: application/json', `Idempotency-Key: ${key}`];
  return sendRaw(baseUrl, { method: 'POST', path: '/v1/withdrawals', headers, body: withdrawal(amount) });
}

/** What was answered before the kills is there, byte for byte. */
async function expectAnswered(baseUrl: string): Promise<void> {
  const replay = await clientAt(baseUrl, template.key).post('/v1/withdrawals', withdrawal('0.5'), KEY_OF_ANSWERED);
  expect(replay.text).toBe(template.answered.text);
  expect(replay.headers.get('request-id')).toBe(template.answered.requestId);
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
}

/** Both intents are retried twice: at most one execution each, a replay exactly where the commit came before the kill. */
async function expectOnce(directory: string, committed: boolean, cut: readonly RawAnswer[]): Promise<void> {
  const sandbox = await start(directory);
  const client = clientAt(sandbox.baseUrl, template.key);
  const ids = [template.answered.id];
  await expectAnswered(sandbox.baseUrl);
  for (const [index, amount] of ['0.1', '0.2'].entries()) {
    const first = await client.post('/v1/withdrawals', withdrawal(amount), `key ${amount}`);
    const second = await client.post('/v1/withdrawals', withdrawal(amount), `key ${amount}`);
    expect(first.status, first.text).toBe(201);
    expect(first.headers.has('idempotency-replayed')).toBe(committed);
    expect(second.text).toBe(first.text);
    expect(first.text.startsWith(cut[index]?.body ?? '')).toBe(true);
    ids.push(bodyOf<Item>(first).id);
  }
  expect((await judge(sandbox.baseUrl)).map((item) => item.id)).toEqual(ids.toReversed());
  await sandbox.stop();
}

describe.concurrent('kill -9 at each step, twice (row 74): the ledger sums to zero, at most one execution', () => {
  test.each([
    ['after-auth', false],
    ['begin', false],
    ['debit', false],
    ['before-commit', false],
    ['after-commit', true],
    ['mid-body', true],
  ])('%s', async (step, committed) => {
    const directory = await copyAs(step);
    const cut: RawAnswer[] = [];
    for (const amount of ['0.1', '0.2']) {
      const sandbox = await start(directory, step);
      const answer = await postRaw(sandbox.baseUrl, `key ${amount}`, amount);
      expect(answer.broken, answer.headers).toBe(true);
      expect(await sandbox.ended).toBe('SIGKILL');
      cut.push(answer);
    }
    await expectOnce(directory, committed, cut);
  });

  test('starting', async () => {
    const directory = await copyAs('starting');
    for (const round of [1, 2]) {
      const sandbox = await spawn(directory, 'starting');
      expect(await sandbox.ended, `start ${round}`).toBe('SIGKILL');
    }
    await expectOnce(directory, false, []);
  });

  test('sweeping', async () => {
    const directory = await copyAs('sweeping');
    const body = { account: template.account, advance: 25 * 60 * 60 };
    for (const round of [1, 2]) {
      const sandbox = await spawn(directory, 'sweeping');
      const client = clientAt(sandbox.baseUrl, template.key);
      // When it sweeps is its own affair: at its start, at the clock, or at the next request.
      await sandbox
        .answers()
        .then(() => post(sandbox.baseUrl, '/sandbox/clock', body))
        .then(() => client.post('/v1/withdrawals', withdrawal('0.1'), `sweep ${round}`))
        .catch(() => undefined);
      expect(await sandbox.ended).toBe('SIGKILL');
    }
    const sandbox = await start(directory);
    const client = clientAt(sandbox.baseUrl, template.key);
    await post(sandbox.baseUrl, '/sandbox/clock', body);
    const known = await client.get(`/v1/withdrawals/${template.answered.id}`);
    expect(bodyOf<Item>(known).amount).toBe('0.5');
    const again = await client.post('/v1/withdrawals', withdrawal('0.3'), KEY_OF_ANSWERED);
    expect(again.status).toBe(201);
    expect(again.headers.has('idempotency-replayed')).toBe(false);
    const amounts = (await judge(sandbox.baseUrl)).map((item) => item.amount);
    expect(amounts.filter((amount) => amount === '0.5')).toHaveLength(1);
    expect(amounts.filter((amount) => amount === '0.3')).toHaveLength(1);
    expect(amounts.filter((amount) => amount === '0.1').length).toBeLessThanOrEqual(2);
    await sandbox.stop();
  });
});

describe.concurrent('what was answered survives a kill right after (row 75)', () => {
  test('success, refusal and conflict', async () => {
    const directory = await copyAs('answered');
    const attempts: [key: string, body: string, status: number][] = [
      ['one', withdrawal('0.1'), 201],
      ['one', withdrawal('0.2'), 409],
      ['two', withdrawal('1000'), 400],
      ['two', withdrawal('1001'), 409],
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
    expect((await judge(sandbox.baseUrl)).map((item) => item.amount)).toEqual(['0.1', '0.5']);
    await sandbox.stop();
  });
});
