import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startReceiver } from '#src/server/notices/testReceiver.ts';
import { monthOf } from '#src/shared/statement/period.ts';
import { post } from '#src/tests/crash/requests.ts';
import { freePort } from '#src/tests/process/program.ts';
import { newDirectory, startOn } from './house.ts';
import { newMerchant, requestsReceived, serviceUrl } from './service.ts';
import { until } from './until.ts';

const DAY = 86_400;
/** The server has done what was due if it asked the service for nothing for this long. */
const QUIET_MS = 4_000;
const PATIENCE_MS = 90_000;

test('a running server prepares last month by itself, and again after a deposit that arrived late', async () => {
  const merchant = await newMerchant();
  const receiver = await startReceiver();
  const now = Math.floor(Date.now() / 1_000);
  const [month, lastMonth] = [monthOf(now, 'utc'), monthOf(now, 'utc', 1)];
  const port = await freePort();
  const server = await startOn(
    newDirectory('prepared-month'),
    {
      SIGN_IN: 'passkey',
      PUBLIC_ORIGIN: `http://localhost:${port}`,
      PAYMENTS_API_KEY: merchant.key,
      NOTIFY_WEBHOOK_URL: receiver.url,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'jumpingClock.js')}`,
      // Early in this month, so that the server's days don't reach the next one.
      CLOCK_START: String((month.from + 2 * DAY) * 1_000),
    },
    port,
  );
  const prepared = () => receiver.received.filter(({ body }) => body.includes('"month.prepared"')).length;
  let [asked, since] = [0, Date.now()];
  /** Lets time pass whenever the server is idle: a jump during a reading would end its lease. */
  const isPrepared = async (times: number): Promise<boolean> => {
    const count = (await requestsReceived(merchant)).length;
    if (count !== asked) [asked, since] = [count, Date.now()];
    if (Date.now() - since > QUIET_MS) {
      server.signal('SIGUSR2');
      since = Date.now();
    }
    return prepared() === times;
  };
  await until('the month is prepared', () => isPrepared(1), PATIENCE_MS);
  const before = (await requestsReceived(merchant)).length;
  const late = { asset: 'BTC', chain: 'bitcoin', amount: '0.1', created_at: lastMonth.from + DAY };
  await post(serviceUrl, '/sandbox/deposits', { account: merchant.account, ...late });
  await until('the month is prepared again', () => isPrepared(2), PATIENCE_MS);
  const reads = (await requestsReceived(merchant)).slice(before).map(({ method, path }) => `${method} ${path}`);
  expect(reads).toContain('GET /v1/ledger-entries');
  expect(reads.filter((read) => !read.startsWith('GET '))).toEqual([]);
  expect((await server.stop()).code).toBe(0);
}, 300_000);
