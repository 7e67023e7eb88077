import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loggedBy } from '#src/server/http/testLog.ts';
import { operationRecord } from '#src/server/operations/testAnswers.ts';
import { insertRecord } from '#src/server/operations/testSqlRows.ts';
import { LONGEST_MS } from '#src/server/people/sessionAge.ts';
import { openService } from './openService.ts';
import { printStartup } from './printStartup.ts';
import { readSettings } from './settings.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { DEEP } from '#src/tests/depth.ts';

test('the database is open with a real service, too, and closed when the service stops', async () => {
  const settings = readSettings({ DATA_DIR: 'memory', PAYMENTS_BASE_URL: 'https://payments.example' });
  const opened = await openService(settings);
  const { service, database } = opened;
  expect([service.name, opened.raw]).toEqual(['https://payments.example', null]);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  expect(await database.query("select 1 from pg_namespace where nspname = 'sandbox'")).toEqual([]);
  await opened.stop();
  await expect(database.query('select 1')).rejects.toThrow('closed');
});

test.runIf(DEEP)('the database outlives the last answer of the embedded sandbox', async () => {
  const settings = readSettings({ DATA_DIR: 'memory', SANDBOX_DEPOSITS: '10' });
  const opened = await openService(settings);
  const { service, database } = opened;
  const reading = service.read(service.demoKey ?? '', '/v1/balances?limit=1');
  // The read fetches the account's clock first. Once we have the clock, too, the read has reached the sandbox.
  await service.clock(service.demoKey ?? '');
  await Promise.all([opened.stop(), reading]);
  expect(await reading).toMatchObject({ kind: 'answer', status: 200 });
  await expect(database.query('select 1')).rejects.toThrow('closed');
});

test.runIf(DEEP)(
  'a start ends sessions that became too old while no server ran',
  async () => {
    const directory = await newDataDirectory('old-sessions');
    const open = () => openService(readSettings({ DATA_DIR: directory, PAYMENTS_BASE_URL: 'https://a.example' }));
    const first = await open();
    const who = { account: 'a', credential: 'c', sandbox: null, name: null, journalOnly: false, person: null };
    await first.sessions.start({ ...who, key: 'sk_1' });
    await first.database.query(
      'update people.sessions set created_at = created_at - $1::bigint, seen_at = seen_at - $1',
      [String(LONGEST_MS)],
    );
    await first.stop();
    const second = await open();
    expect(await second.database.query('select ended_why, key_box from people.sessions')).toEqual([
      { ended_why: 'too-old', key_box: null },
    ]);
    await second.stop();
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test('a database belongs to one service, under the spelling of its first start', async () => {
  const directory = await newDataDirectory('one-service');
  const open = async (env: Record<string, string>) => {
    const opened = await openService(readSettings({ DATA_DIR: directory, ...env }));
    const { name } = opened.service;
    await opened.stop();
    return name;
  };
  const [first, second] = ['https://a.example', 'https://b.example'];
  expect(await open({ PAYMENTS_BASE_URL: first })).toBe(first);
  await expect(open({ PAYMENTS_BASE_URL: second })).rejects.toThrow(
    'This database belongs to https://a.example. If it is the same service, set PAYMENTS_SAME_AS=https://a.example',
  );
  await expect(open({ PAYMENTS_BASE_URL: second, PAYMENTS_SAME_AS: 'https://c.example' })).rejects.toThrow(
    'belongs to',
  );
  expect(await open({ PAYMENTS_BASE_URL: 'https://A.example:443/' })).toBe(first);
  expect(await open({ PAYMENTS_BASE_URL: second, PAYMENTS_SAME_AS: 'https://A.example/' })).toBe(first);
  expect(await open({ SANDBOX_DEPOSITS: '10' })).toBe('sandbox');
  expect(await open({ PAYMENTS_BASE_URL: first })).toBe(first);
  rmSync(directory, { recursive: true });
}, 60_000);

test.runIf(DEEP)(
  'unresolved operations under another spelling are reported at the start, and shown with PAYMENTS_SAME_AS',
  async () => {
    const directory = await newDataDirectory('two-spellings');
    const [first, second] = ['https://a.example', 'https://b.example'];
    const open = (sameAs?: string) => {
      const settings = readSettings({ DATA_DIR: directory, PAYMENTS_BASE_URL: second, PAYMENTS_SAME_AS: sameAs });
      return openService(settings).then((opened) => ({ settings, opened }));
    };
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const started = async (sameAs?: string) => {
      const { settings, opened } = await open(sameAs);
      await printStartup(settings, opened);
      await opened.stop();
      const warnings = log.mock.calls.flat().filter((line) => String(line).startsWith('Warning'));
      log.mockClear();
      return [opened.service.name, ...warnings];
    };

    const { opened } = await open();
    // As the previous version left them.
    const left = [
      operationRecord({ key: 'a1', service: first, state: 'unconfirmed', reason: 'no-answer' }),
      operationRecord({ key: 'a2', service: first, account: 'b'.repeat(32) }),
      operationRecord({ key: 'a3', service: first, account: 'c'.repeat(32), state: 'closed' }),
      operationRecord({ key: 'b1', service: second, state: 'unconfirmed', reason: 'no-answer' }),
      operationRecord({ key: 's1', service: 'sandbox', state: 'unconfirmed', reason: 'no-answer' }),
    ];
    for (const one of left) await insertRecord(opened.operations.ports.rows, one);
    await opened.stop();

    expect(await started()).toEqual([
      second,
      `Warning: 2 unresolved operations are recorded under ${first}. To see and close them, start with PAYMENTS_SAME_AS=${first}`,
    ]);
    expect(await started(first)).toEqual([
      first,
      `Warning: 1 unresolved operation is recorded under ${second}. To see and close it, start with PAYMENTS_SAME_AS=${second}`,
    ]);
    // The mark on disk, signed under the other spelling, is still accepted.
    expect(loggedBy(error)).toEqual([[expect.stringContaining('Made a new secret')]]);
    vi.restoreAllMocks();
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test('the start warns of passkeys of another domain, and of a short secret', async () => {
  const env = {
    DATA_DIR: 'memory',
    SIGN_IN: 'passkey',
    PAYMENTS_BASE_URL: 'https://a.example',
    PAYMENTS_API_KEY: 'sk_1',
    PUBLIC_ORIGIN: 'https://pay.example',
  };
  const settings = readSettings(env);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const opened = await openService(settings);
  const warnings = async (change: Partial<typeof settings> = {}) => {
    log.mockClear();
    await printStartup({ ...settings, ...change }, opened);
    return log.mock.calls.flat().filter((line) => String(line).startsWith('Warning'));
  };
  const { people, accounts } = opened.people ?? {};
  const [main] = accounts?.list() ?? [];
  const invited = await people?.inviteFromConsole(main?.account ?? '', ['view'], 'first');
  const passkey = { id: 'passkey', publicKey: 'key' };
  const joining = { token: invited?.token ?? '', passkey, name: 'Ada' };
  await people?.join(main?.account ?? '', joining);
  expect(await warnings()).toEqual([]);
  expect(await warnings({ secret: 'of twenty characters' })).toEqual([
    'Warning: SESSION_SECRET has fewer than 32 characters.',
  ]);
  await opened.database.query(`update people.passkeys set rp_id = 'old.example'`);
  expect(await warnings()).toEqual(['Warning: passkeys were made for old.example, and don’t work on pay.example.']);
  await opened.stop();
}, 60_000);

describe('accounts by name', () => {
  let directory: string;
  const SERVICE = { PAYMENTS_BASE_URL: 'https://a.example', PUBLIC_ORIGIN: 'https://b.example', SIGN_IN: 'passkey' };
  beforeAll(async () => {
    directory = await newDataDirectory('named-accounts');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  async function start(keys: Record<string, string>) {
    const opened = await openService(readSettings({ DATA_DIR: directory, ...SERVICE, ...keys }));
    const rows = await opened.database.query<{ id: string; name: string }>('select id, name from people.accounts');
    await opened.stop();
    return new Map(rows.map(({ id, name }) => [name, id]));
  }
  /** An operation without an outcome. */
  async function record(account: string) {
    const opened = await openService(readSettings({ DATA_DIR: directory, ...SERVICE, ...several('sk_eu', 'sk_us') }));
    const one = operationRecord({ service: SERVICE.PAYMENTS_BASE_URL, account });
    await insertRecord(opened.operations.ports.rows, one);
    await opened.stop();
  }
  const several = (eu: string, us: string, names = 'eu,us') => {
    const [first = '', second = ''] = names.toUpperCase().split(',');
    return { PAYMENTS_ACCOUNTS: names, [`PAYMENTS_API_KEY_${first}`]: eu, [`PAYMENTS_API_KEY_${second}`]: us };
  };

  test.runIf(DEEP)(
    'stay the same accounts when they are renamed, and never get a new key without proof',
    async () => {
      const first = await start({ PAYMENTS_API_KEY: 'sk_eu' });
      expect([...first.keys()]).toEqual(['main']);
      await expect(start({ PAYMENTS_API_KEY: 'sk_new' })).rejects.toThrow(
        'no recorded withdrawal can tell whose it is. If it is a new key of that account, run: npm run console -- --same-account main "why"',
      );
      const second = await start(several('sk_eu', 'sk_us'));
      expect(second.get('eu')).toBe(first.get('main'));
      await expect(start(several('sk_us', 'sk_eu'))).rejects.toThrow(
        'The API key of account eu is that of another account.',
      );
      await expect(start(several('sk_us', 'sk_new', 'america,us'))).rejects.toThrow('--same-account us');
      await record(second.get('us') ?? '');
      // us gets another name and another key at once.
      await expect(start(several('sk_eu', 'sk_new', 'eu,america'))).rejects.toThrow(
        '--same-account us "why" --account america',
      );
      const third = await start(several('sk_eu', 'sk_us', 'eu,america'));
      expect(third.get('america')).toBe(second.get('us'));
    },
    60_000,
  );

  test.runIf(DEEP)(
    'a sandbox of another size is another account, even if the first has records',
    async () => {
      const sandboxes = await newDataDirectory('sandbox-sizes');
      const startSandbox = (SANDBOX_DEPOSITS: string) =>
        openService(readSettings({ DATA_DIR: sandboxes, SIGN_IN: 'passkey', SANDBOX_DEPOSITS }));
      const first = await startSandbox('10');
      const [account] = first.people?.accounts.list() ?? [];
      const one = operationRecord({ service: first.service.name, account: account?.account ?? '' });
      await insertRecord(first.operations.ports.rows, one);
      await first.stop();
      const second = await startSandbox('20');
      expect(second.people?.accounts.list()).toMatchObject([{ name: 'demo-20' }]);
      await second.stop();
      rmSync(sandboxes, { recursive: true });
    },
    60_000,
  );
});
