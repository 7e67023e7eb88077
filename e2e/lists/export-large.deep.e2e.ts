import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { sum } from '#src/shared/money.ts';
import { openDeposits, rowAt } from '#e2e/support/depositList.ts';
import { downloadedBy, exportDialog, startExport } from '#e2e/support/exporting.ts';
import { expect, test as base } from '#e2e/support/fixtures.ts';
import { accountAt, type Account } from '#e2e/support/sandbox.ts';
import { SANDBOX_TEMPLATE } from '#src/tests/process/template.ts';
import { SERVERS } from '#e2e/support/servers.ts';

interface Row {
  id: string;
  asset: string;
  received_amount: string;
}

// A server of its own: 100,000 rows would slow down the one that the other tests share.
const test = base.extend<{ large: Account }>({
  large: async ({ context, visitor, signIn, origin }, use) => {
    const { server, key } = await startLarge();
    try {
      await signIn(context, key);
      await visitor.goto(`${origin}/deposits`);
      const { sandbox } = await visitor.evaluate(async () => (await fetch('/session')).json());
      await use(accountAt(SERVERS.largeRaw.origin, sandbox, key));
    } finally {
      // An open page would keep sending requests to the stopped server.
      await visitor.close();
      server.kill();
      await once(server, 'exit');
    }
  },
});
test.use({ baseURL: SERVERS.large.origin });
test.describe.configure({ timeout: 240_000 });

/** `npm start` with 100,000 deposits; resolves with the demo key that it prints. */
async function startLarge(): Promise<{ server: ChildProcess; key: string }> {
  const ports = { PORT: String(SERVERS.large.port), SANDBOX_PORT: String(SERVERS.largeRaw.port) };
  const env = { ...process.env, ...ports, DATA_DIR: 'memory', SESSION_SECRET: 'e2e-of-the-large-list' };
  const server = spawn(process.execPath, ['dist/node/start.js'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...env, SANDBOX_TEMPLATE, SANDBOX_DEPOSITS: '100000' },
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

/** Every deposit, newest first, as the service has them. */
async function truthOf(account: Account): Promise<Row[]> {
  const truth: Row[] = [];
  for (let after = ''; ;) {
    const list: { data: Row[]; next_cursor: string | null } = await account.read(`/v1/deposits?limit=100${after}`);
    truth.push(...list.data);
    if (list.next_cursor === null) return truth;
    after = `&starting_after=${encodeURIComponent(list.next_cursor)}`;
  }
}

test('100,000 deposits with failing pages, a 429 and new ones in the middle: the file is the list, to the last digit', async ({
  large,
  visitor: page,
}) => {
  await openDeposits(page);
  await expect(rowAt(page, 0)).toBeVisible();
  await large.fault({ path: '/v1/deposits', times: 60, patch: {} });
  await large.fault({ path: '/v1/deposits', times: 1, status: 429, headers: { 'Retry-After': '1' } });
  await large.fault({ path: '/v1/deposits', times: 40, patch: {} });
  await large.fault({ path: '/v1/deposits', times: 3, status: 500 });
  await startExport(page);
  const dialog = exportDialog(page);
  await expect(dialog.getByText(/[1-9],\d00 rows loaded/)).toBeVisible();
  for (let n = 0; n < 5; n += 1) await large.deposit({ asset: 'BTC', chain: 'bitcoin', amount: '0.00000001' });
  await expect(dialog.getByText(/^100,0\d\d rows exported \(complete\)$/)).toBeVisible({ timeout: 120_000 });
  const [truth, { text }] = [
    await truthOf(large),
    await downloadedBy(page, dialog.getByRole('link', { name: 'Download' })),
  ];
  await expect(dialog.getByText(createHash('sha256').update(text).digest('hex'))).toBeVisible();

  const rows = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  // Deposits created during the export are newer than its first row: at least the five above.
  const bound = truth.findIndex(({ id }) => id === rows[0]?.[0]);
  expect(bound).toBeGreaterThanOrEqual(5);
  const upToBound = truth.slice(bound);
  expect(rows.map(([id]) => id)).toEqual(upToBound.map(({ id }) => id));
  for (const asset of new Set(upToBound.map((deposit) => deposit.asset))) {
    const here = rows.filter((row) => row[2] === asset).map((row) => row[4] ?? '');
    const there = upToBound.filter((deposit) => deposit.asset === asset);
    expect(sum(here)).toBe(sum(there.map(({ received_amount: amount }) => amount)));
  }
});
