import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { add } from '#src/lib/money.ts';
import { openDeposits, rowAt } from './depositList.ts';
import { expect, test as base } from './fixtures.ts';
import { accountAt, type Account } from './sandbox.ts';
import { SERVERS } from './servers.ts';

interface Row {
  id: string;
  asset: string;
  received_amount: string;
}

// A server of its own: so many rows would keep the one that the other tests share.
const test = base.extend<{ large: Account }>({
  large: async ({ visitor, origin }, use) => {
    const { server, key } = await startLarge();
    try {
      await visitor.goto(`${origin}/sign-in`);
      await visitor.getByLabel('API key').fill(key);
      await visitor.getByRole('button', { name: 'Sign in' }).click();
      await expect(visitor.getByRole('heading', { level: 1, name: 'Balances' })).toBeVisible();
      const { sandbox } = await visitor.evaluate(async () => (await fetch('/session')).json());
      await use(accountAt(SERVERS.largeRaw.origin, sandbox, key));
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  },
});
test.use({ baseURL: SERVERS.large.origin });
test.describe.configure({ timeout: 150_000 });

/** `npm start` with 20,000 deposits; resolves with the demo key that it prints. */
async function startLarge(): Promise<{ server: ChildProcess; key: string }> {
  const ports = { PORT: String(SERVERS.large.port), SANDBOX_PORT: String(SERVERS.largeRaw.port) };
  const env = { ...process.env, ...ports, SANDBOX_DATA: 'memory', SESSION_SECRET: 'e2e-of-the-large-list' };
  const server = spawn(process.execPath, ['dist/node/start.js'], {
    cwd: new URL('..', import.meta.url),
    env: { ...env, SANDBOX_DEPOSITS: '20000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk) => {
      said += String(chunk);
      const key = /Demo key: (\S+)/.exec(said)?.[1];
      if (key) resolve({ server, key });
    });
    server.once('exit', () => reject(new Error(`The server ended: ${said}`)));
  });
}

/** Every deposit from this one on, newest first, as the service has them. */
async function truthFrom(account: Account, newest: Row): Promise<Row[]> {
  const truth = [newest];
  for (let cursor: string | null = newest.id; cursor !== null;) {
    const path = `/v1/deposits?limit=100&starting_after=${encodeURIComponent(cursor)}`;
    const list: { data: Row[]; next_cursor: string | null } = await account.read(path);
    truth.push(...list.data);
    cursor = list.next_cursor;
  }
  return truth;
}

const sumOf = (amounts: (string | undefined)[]): string =>
  amounts.reduce<string>((sum, amount) => add(sum, amount ?? ''), '0');

test('20,000 deposits with a failing page, a 429 and new ones in the middle: the file is the list, to the last digit', async ({
  large,
  visitor: page,
  expectConsole,
}) => {
  expectConsole(/429|500/);
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  await large.fault({ path: '/v1/deposits', times: 60, patch: {} });
  await large.fault({ path: '/v1/deposits', times: 1, status: 429, headers: { 'Retry-After': '1' } });
  await large.fault({ path: '/v1/deposits', times: 40, patch: {} });
  await large.fault({ path: '/v1/deposits', times: 3, status: 500 });

  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export deposits' });
  await dialog.getByRole('button', { name: 'CSV' }).click();
  const downloads = dialog.getByRole('button', { name: 'Downloads' });
  if (await downloads.isVisible()) await downloads.click();
  await dialog.getByRole('button', { name: 'Start export' }).click();
  await expect(dialog.getByText(/[1-9],\d00 rows read/)).toBeVisible();
  for (let n = 0; n < 5; n += 1) await large.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.00000001' });
  const stopped = dialog.getByRole('heading', { name: 'The export stopped' });
  await expect(stopped).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText(/rows read before the error; they are kept/)).toBeVisible();
  const saved = page.waitForEvent('download', { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Retry' }).first().click();
  const text = await readFile(await (await saved).path(), 'utf8');
  await expect(dialog.getByText(/^20,00\d rows saved, read to the end of the list\.$/)).toBeVisible();
  await expect(dialog.getByText(createHash('sha256').update(text).digest('hex'))).toBeVisible();

  const lines = text.split('\r\n').slice(1, -1);
  const rows = lines.map((line) => line.split(','));
  const first = { id: rows[0]?.[0] ?? '', asset: rows[0]?.[2] ?? '', received_amount: rows[0]?.[4] ?? '' };
  const truth = await truthFrom(large, first);
  expect(rows.map(([id]) => id)).toEqual(truth.map(({ id }) => id));
  for (const asset of new Set(truth.map((deposit) => deposit.asset))) {
    const here = rows.filter((row) => row[2] === asset).map((row) => row[4]);
    const there = truth.filter((deposit) => deposit.asset === asset).map(({ received_amount }) => received_amount);
    expect(sumOf(here)).toBe(sumOf(there));
  }
});
