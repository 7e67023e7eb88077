import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { expectClean } from '#e2e/support/axe.ts';
import { BTC, expect, sendAndLose, test as base } from '#e2e/support/withdrawing.ts';
import { SERVERS } from '#e2e/support/servers.ts';

interface Receiver {
  /** The status of its responses; a test changes it. */
  status: number;
  received: { id: string; body: { type: string; text: string; data: Record<string, unknown> }; isSigned: boolean }[];
}

const SECRET = Buffer.alloc(32, 'a secret');

/** A dashboard with SIGN_IN=key that sends notices to a receiver on loopback. */
const test = base.extend<object, { told: { origin: string; receiver: Receiver } }>({
  told: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants a destructured parameter.
    async ({}, use) => {
      const receiver: Receiver = { status: 200, received: [] };
      const server = createServer((request, response) => {
        let text = '';
        request.on('data', (part: Buffer) => (text += part.toString()));
        request.on('end', () => {
          const {
            'webhook-id': id = '',
            'webhook-timestamp': at = '',
            'webhook-signature': signature,
          } = request.headers;
          const expected = createHmac('sha256', SECRET)
            .update(`${String(id)}.${String(at)}.${text}`)
            .digest('base64');
          receiver.received.push({ id: String(id), body: JSON.parse(text), isSigned: signature === `v1,${expected}` });
          response.writeHead(receiver.status).end();
        });
      });
      const hooks = await freePort();
      await new Promise<void>((resolve) => {
        server.listen(hooks, '127.0.0.1', resolve);
      });
      const port = await freePort();
      const env = {
        PAYMENTS_BASE_URL: SERVERS.raw.origin,
        ACCOUNTS: 'separate',
        DATA_DIR: 'memory',
        SESSION_SECRET: 'the secret of a test with notices in it',
        NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${hooks}/a-token`,
        NOTIFY_WEBHOOK_SECRET: `whsec_${SECRET.toString('base64')}`,
      };
      const dashboard = await startDashboard(env, port);
      await use({ origin: `http://127.0.0.1:${port}`, receiver });
      await dashboard.stop();
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ told }, use) => use(told.origin),
});

test.describe.configure({ mode: 'default' });

test('an unconfirmed payment sends one notice, which has no amount or address and links to the payment @deep', async ({
  page,
  account,
  told: { receiver, origin },
}) => {
  receiver.status = 200;
  await sendAndLose(page, account);
  const operation = page.url();
  const messages = () => receiver.received.filter(({ body }) => body.data['link'] === operation);
  await expect.poll(() => messages().length).toBe(1);
  const [{ body, isSigned } = { body: { text: '', type: '', data: {} }, isSigned: false }] = messages();
  expect(isSigned).toBe(true);
  expect(body.type).toBe('operation.unconfirmed');
  expect(body.text).toBe(`A withdrawal is unconfirmed. Don’t pay it again until it is resolved. ${operation}`);
  expect(JSON.stringify(body)).not.toContain(BTC.amount);
  expect(JSON.stringify(body)).not.toContain(BTC.address);

  await page.goto(`${origin}/`);
  await page.getByRole('link', { name: 'Notices' }).click();
  const channels = page.getByRole('table', { name: 'Channels' }).getByRole('row');
  await expect(channels.filter({ hasText: 'Webhook' })).toContainText('Working');
  await expect(page.getByText('No notice failed')).toBeVisible();
  await page.getByRole('button', { name: 'Delivered', exact: true }).click();
  await expect(page).toHaveURL(/\/notices\?show=sent$/);
  const row = page.getByRole('table', { name: 'Notices' }).getByRole('row').filter({ hasText: 'is unconfirmed' });
  await expect(row).toContainText('Delivered');
  await expectClean(page, 'notices');
  await row.getByRole('link').click();
  await expect(page).toHaveURL(operation);
});

test('a test notice that the receiver fails waits for its next try, and the channel is shown as failing @deep', async ({
  page,
  told: { receiver },
}) => {
  receiver.status = 500;
  await page.goto('/notices');
  const channel = page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'Webhook' });
  await channel.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('button', { name: /^Waiting/ }).click();
  const row = page.getByRole('table', { name: 'Notices' }).getByRole('row').filter({ hasText: 'This is a test.' });
  await expect(row).toContainText('The receiver responded 500. 1 try.');
  await expect(channel).toContainText('Failing');
  receiver.status = 200;
  await page.getByRole('button', { name: 'Delivered', exact: true }).click();
  await expect(row.first()).toContainText('Delivered');
  const ids = receiver.received.filter(({ body }) => body.type === 'test').map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(new Set(ids).size);
});

test('a receiver that wants no more notices is switched off, and Home says so, until a person sends again @deep', async ({
  page,
  account,
  told: { receiver },
}) => {
  receiver.status = 410;
  await sendAndLose(page, account);
  await page.goto('/notices');
  const channel = page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'Webhook' });
  await expect(channel).toContainText('Off');
  const row = page.getByRole('table', { name: 'Notices' }).getByRole('row').filter({ hasText: 'is unconfirmed' });
  await expect(row).toContainText('The receiver responded 410: it wants no more notices.');

  await page.goto('/');
  const undelivered = page
    .getByRole('table', { name: 'Needs attention' })
    .getByRole('row')
    .filter({ hasText: '1 notice couldn’t be delivered' });
  await expect(undelivered).toContainText('Somebody wasn’t told of what needed attention.');
  await undelivered.getByRole('link', { name: 'View notices' }).click();

  receiver.status = 200;
  await row.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('No notice failed')).toBeVisible();
  await expect(channel).toContainText('Working');
  const deliveries = receiver.received.filter(({ body }) => body.type === 'operation.unconfirmed').slice(-2);
  expect(new Set(deliveries.map(({ id }) => id)).size).toBe(1);
  await page.goto('/activity');
  await expect(page.getByRole('row').filter({ hasText: 'Sent a notice again' })).toHaveCount(1);
});
