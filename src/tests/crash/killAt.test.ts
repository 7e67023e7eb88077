import { describe, expect, test } from 'vitest';
import { sendRaw, type SocketAnswer } from '#src/tests/contract/rawSocket.ts';
import { CRASH_AMOUNTS, copyAs, expectOnce, start, template } from './books.ts';
import { withdrawalText } from './requests.ts';

function postRaw(baseUrl: string, key: string, amount: string): Promise<SocketAnswer> {
  const headers = [`x-api-key: ${template.key}`, 'Content-Type: application/json', `Idempotency-Key: ${key}`];
  return sendRaw(baseUrl, { method: 'POST', path: '/v1/withdrawals', headers, body: withdrawalText(amount) });
}

describe.concurrent('kill -9 at each step (row 74): the ledger sums to zero, at most one execution', () => {
  const steps: [step: string, committed: boolean][] = [
    ['after-auth', false],
    ['begin', false],
    ['debit', false],
    ['before-commit', false],
    ['after-commit', true],
    ['mid-body', true],
  ];

  test.each(steps)('%s', async (step, committed) => {
    const directory = await copyAs(step);
    const cut: SocketAnswer[] = [];
    for (const amount of CRASH_AMOUNTS) {
      const sandbox = await start(directory, step);
      const answer = await postRaw(sandbox.baseUrl, `key ${amount}`, amount);
      expect(answer.broken, answer.headers).toBe(true);
      expect(await sandbox.ended).toBe('SIGKILL');
      cut.push(answer);
    }
    await expectOnce(directory, committed, cut);
  });
});
