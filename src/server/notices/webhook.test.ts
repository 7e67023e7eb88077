import { afterEach, expect, test, vi } from 'vitest';
import type { NoticeMessage } from './channel.ts';
import { startReceiver } from './testReceiver.ts';
import { createWebhook } from './webhook.ts';

afterEach(() => {
  vi.useRealTimers();
});

const MESSAGE: NoticeMessage = {
  id: 'msg_1',
  event: 'operation.unconfirmed',
  at: 1_790_000_000,
  account: 'eu',
  recipient: 'Acme Hosting',
  count: 1,
  text: 'A withdrawal to Acme Hosting is unconfirmed.',
  link: 'https://money.example/operations/key-1',
};

const webhookAt = (url: string) => createWebhook({ url, secrets: [new Uint8Array(24)], wall: () => 1_790_000_100_999 });

test('a receiver gets a signed body with a text that chats show', async () => {
  const { url, received } = await startReceiver();
  expect(await webhookAt(url).send(MESSAGE)).toEqual({ kind: 'sent' });
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1790000100',
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
  });
  expect(JSON.parse(body)).toEqual({
    type: 'operation.unconfirmed',
    timestamp: '2026-09-21T14:13:20.000Z',
    data: { account: 'eu', recipient: 'Acme Hosting', count: 1, link: MESSAGE.link },
    text: 'A withdrawal to Acme Hosting is unconfirmed. https://money.example/operations/key-1',
  });
});

test.each([
  [204, { kind: 'sent' }],
  [410, { kind: 'gone', problem: expect.stringContaining('410') }],
  [500, { kind: 'failed', problem: 'The receiver responded 500.' }],
  [404, { kind: 'failed', problem: 'The receiver responded 404.' }],
])('a response of %i', async (status, delivery) => {
  const { url } = await startReceiver(() => status);
  expect(await webhookAt(url).send(MESSAGE)).toEqual(delivery);
});

test('a redirect is not followed', async () => {
  const elsewhere = await startReceiver();
  const { url } = await startReceiver(() => (response) => response.writeHead(307, { Location: elsewhere.url }).end());
  const { kind } = await webhookAt(url).send(MESSAGE);
  expect(kind).toBe('failed');
  expect(elsewhere.received).toEqual([]);
});

test('a receiver can ask to wait for a time', async () => {
  const { url } = await startReceiver(() => (response) => response.writeHead(429, { 'Retry-After': '120' }).end());
  expect(await webhookAt(url).send(MESSAGE)).toMatchObject({ kind: 'failed', waitMs: 120_000 });
});

test('a receiver that is 30 s late is given up on after 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const { url } = await startReceiver(() => (response) => {
    setTimeout(() => response.writeHead(200).end(), 30_000);
    arrive();
  });
  const delivery = webhookAt(url).send(MESSAGE);
  await arrived;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await delivery).toEqual({ kind: 'failed', problem: 'No response in 15 seconds.' });
});

test('a missing receiver is a failure whose text has neither its path nor its token', async () => {
  const { url } = await startReceiver((call) => (call > 0 ? (response) => response.destroy() : 200));
  const delivery = await webhookAt(url).send(MESSAGE);
  expect(delivery).toEqual({ kind: 'failed', problem: 'No connection (ECONNRESET).' });
  expect(webhookAt(url).host).not.toContain('token');
});
