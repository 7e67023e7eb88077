import { expect, test } from 'vitest';
import { bodyOf, clientAt, type HttpAnswer, type Item } from '#src/tests/contract/http.ts';
import { copyAs, judgeBooks, start, template } from './books.ts';
import { post, withdrawalText } from './requests.ts';

const CLIENTS = 16;
const KILLS = 4;

/** One key: sent until it is answered, with all responses. */
interface Intent {
  key: string;
  body: string;
  answers: HttpAnswer[];
}

/** Sends intents one after the other, beginning with the last unanswered one, until the connection is lost. */
async function sendUntilLost(baseUrl: string, name: string, intents: Intent[]): Promise<void> {
  const client = clientAt(baseUrl, template.key);
  for (;;) {
    let intent = intents.at(-1);
    if (intent === undefined || intent.answers.length > 0) {
      // Every fifth is for more than the balance, to test refusals as well.
      const amount = intents.length % 5 === 4 ? '99' : `0.000${intents.length + 1}`;
      intent = { key: `${name}-${intents.length}`, body: withdrawalText(amount), answers: [] };
      intents.push(intent);
    }
    try {
      intent.answers.push(await client.post('/v1/withdrawals', intent.body, intent.key));
    } catch {
      return;
    }
  }
}

test('16 clients, kills at random, an hour of the account’s time (row 88)', async () => {
  const directory = await copyAs('random');
  const clients: Intent[][] = Array.from({ length: CLIENTS }, () => []);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const sandbox = await start(directory);
    const clientsDone = clients.map((intents, index) => sendUntilLost(sandbox.baseUrl, `client ${index}`, intents));
    const clock = post(sandbox.baseUrl, '/sandbox/clock', { account: template.account, advance: 3600 / KILLS });
    const before = clients.flat().length;
    const enough = before + CLIENTS + Math.floor(Math.random() * 100);
    await Promise.all([clock, untilSent(clients, enough)]);
    await sandbox.kill();
    await Promise.all(clientsDone);
  }

  const sandbox = await start(directory);
  const client = clientAt(sandbox.baseUrl, template.key);
  const executed = new Set([template.answered.id]);
  for (const { key, body, answers } of clients.flat()) {
    const last = await client.post('/v1/withdrawals', body, key);
    for (const answer of answers) {
      expect(last.text, key).toBe(answer.text);
      expect(last.status).toBe(answer.status);
      expect(last.headers.get('request-id')).toBe(answer.headers.get('request-id'));
      expect(last.headers.get('idempotency-replayed')).toBe('true');
    }
    expect([201, 400], last.text).toContain(last.status);
    if (last.status === 201) executed.add(bodyOf<Item>(last).id);
  }
  expect(executed.size, 'intents carried out').toBeGreaterThan(CLIENTS);
  const listed = await judgeBooks(sandbox.baseUrl);
  expect(new Set(listed.map((item) => item.id))).toEqual(executed);
  await sandbox.stop();
});

/** Waits until a number of intents have begun, or for ten seconds on a slow machine. */
async function untilSent(clients: readonly Intent[][], count: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (clients.flat().length < count && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
