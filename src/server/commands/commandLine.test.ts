import { rmSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerCommand, type Command, readArguments, runCommand } from './commandLine.ts';
import { listenForCommands } from './consoleSocket.ts';
import { openService } from './openService.ts';
import { readSettings } from './settings.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { DEEP } from '#src/tests/depth.ts';

test.each([
  [[], null],
  [['--end-set-back', 'nothing was sent'], { name: 'end-set-back', words: 'nothing was sent' }],
  [['--end-set-back=nothing was sent'], { name: 'end-set-back', words: 'nothing was sent' }],
  [['--same-account', 'eu', 'a trial'], { name: 'same-account', account: 'eu', keyOf: null, words: 'a trial' }],
  [
    ['--same-account', 'eu', 'a trial', '--account', 'us'],
    { name: 'same-account', account: 'eu', keyOf: 'us', words: 'a trial' },
  ],
  [['--end-people', 'a trial'], { name: 'end-people', words: 'a trial' }],
  [['--reseal', 'a new secret'], { name: 'reseal', words: 'a new secret' }],
  [['--moved', 'a new domain'], { name: 'moved', words: 'a new domain' }],
  [
    ['--invite-admin', 'first'],
    { name: 'invite-admin', words: 'first', permissions: ['view', 'prepare', 'admin'], account: null, person: null },
  ],
  [
    ['--invite-admin', 'first', '--account', 'us', '--person', 'Ada'],
    { name: 'invite-admin', words: 'first', permissions: ['view', 'prepare', 'admin'], account: 'us', person: 'Ada' },
  ],
  [
    ['--invite-admin', 'x', '--roles', 'approver, viewer'],
    { name: 'invite-admin', words: 'x', permissions: ['view', 'approve'], account: null, person: null },
  ],
])('%j is understood', (args, command) => {
  expect(readArguments(args)).toEqual(command);
});

test.each([
  [['--end-setback', 'nothing was sent']],
  [['--end-set-back']],
  [['--end-set-back', '--end-set-back']],
  [['--end-set-back', 'nothing', 'was', 'sent']],
  [['--end-set-back', 'nothing was sent', '--port']],
  [['end-set-back']],
  [['-e']],
  [['--help']],
  [['']],
  [['--invite-admin']],
  [['--same-account', 'eu']],
  [['--same-account', 'eu', 'a', 'trial']],
])('%j ends the start in one line that names the known argument', (args) => {
  expect(() => readArguments(args)).toThrow(/^[^\n]*--end-set-back "[^\n]+--check-settings\.$/);
});

test.each([
  [['--end-people', 'a', '--end-set-back', 'b'], 'One command at a time'],
  [['--roles', 'admin'], '--roles goes with --invite-admin'],
  [['--account', 'eu'], '--account goes with --invite-admin'],
  [['--invite-admin', 'x', '--roles', 'root'], '“root” is none of viewer, operator, approver, admin'],
])('%j is refused', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});

test.runIf(DEEP)(
  'ending a set-back explains its effect: it raises no more questions, and unknown keys count as not sent again',
  async () => {
    const directory = await newDataDirectory('end-set-back');
    const settings = readSettings({ DATA_DIR: directory, PAYMENTS_BASE_URL: 'https://payments.example' });
    const opened = await openService(settings);
    await opened.database.script('update operations.journal set set_back_at = 1, set_back_position = 0');
    await opened.stop();
    const endSetBack = (words: string) => runCommand(settings, { name: 'end-set-back', words });
    expect(await endSetBack(' ')).toMatchObject({ ok: false, line: expect.stringContaining('Say why') });
    expect(await endSetBack('Nothing was sent.')).toEqual({
      ok: true,
      line: 'Noted: withdrawals no longer ask because of it. A payment that isn’t in the journal is called unsent again: your words vouch for those sent in between.',
    });
    expect(await endSetBack('Nothing was sent.')).toMatchObject({ ok: false });
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test.runIf(DEEP)(
  'ending a set-back lists who may do what now, where people sign in',
  async () => {
    const directory = await newDataDirectory('end-set-back-people');
    const settings = readSettings({
      DATA_DIR: directory,
      SIGN_IN: 'passkey',
      PAYMENTS_BASE_URL: 'https://payments.example',
      PAYMENTS_API_KEY: 'sk_test_of_the_console',
      PUBLIC_ORIGIN: 'http://localhost:4173',
    });
    const opened = await openService(settings);
    const [account] = opened.people?.accounts.list() ?? [];
    await opened.people?.people.inviteFromConsole(account?.account ?? '', ['view', 'approve'], 'first');
    await opened.database.script('update operations.journal set set_back_at = 1, set_back_position = 0');
    await opened.stop();
    const { ok, line } = await runCommand(settings, { name: 'end-set-back', words: 'Nothing was sent.' });
    expect(ok).toBe(true);
    expect(line).toMatch(/^Noted: [^\n]+\nThese count now\./);
    expect(line).toMatch(/\n {2}.+: approver \(invited\)\n/);
    expect(line).toContain('\nApproval rules (none chosen):\n  Every payment needs 1 approval.\nRecipients:\n  None.');
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test.runIf(DEEP)(
  'a database belongs to the https address of its dashboard, and moves only by command',
  async () => {
    const directory = await newDataDirectory('moved');
    const at = (origin: string | undefined) =>
      readSettings({
        DATA_DIR: directory,
        PAYMENTS_BASE_URL: 'https://payments.example',
        ...(origin !== undefined && { PUBLIC_ORIGIN: origin }),
      });
    const start = async (origin?: string) => (await openService(at(origin))).stop();
    // Loopback addresses are not remembered.
    await start();
    const first = await runCommand(at('https://pay.example'), { name: 'moved', words: 'first' });
    expect(first).toMatchObject({ ok: false, line: expect.stringContaining('Nothing to do') });
    await start('http://localhost:4173');
    await start('https://pay.example');
    await start('https://pay.example');
    for (const copy of [undefined, 'http://localhost:4173', 'https://staging.example'])
      await expect(start(copy)).rejects.toThrow('belongs to the dashboard at https://pay.example');

    // A refused start leaves the mode as it was, so the first server still starts.
    const otherMode = { ...at('https://staging.example'), signIn: 'passkey' as const };
    await expect(openService(otherMode)).rejects.toThrow('https://pay.example');
    await start('https://pay.example');

    const move = (words: string) => runCommand(at('https://new.example'), { name: 'moved', words });
    expect(await move(' ')).toMatchObject({ ok: false, line: 'Say why.' });
    expect(await move('A new domain.')).toMatchObject({
      ok: true,
      line: expect.stringContaining('https://new.example'),
    });
    expect(await move('A new domain.')).toMatchObject({ ok: false });
    await expect(start('https://pay.example')).rejects.toThrow('https://new.example');
    const opened = await openService(at('https://new.example'));
    expect((await opened.operations.ports.rows.facts()).setBackAt).not.toBeNull();
    const { lines } = await opened.activity.check(opened.database);
    expect(lines).toBe(2);
    await opened.stop();
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test.runIf(DEEP)(
  'after a change of the secret, sign-in fails for everybody until --reseal',
  async () => {
    const directory = await newDataDirectory('reseal');
    const withSecret = (secret: string) =>
      readSettings({
        DATA_DIR: directory,
        PAYMENTS_BASE_URL: 'https://payments.example',
        PAYMENTS_API_KEY: 'sk_1',
        PUBLIC_ORIGIN: 'http://localhost:4173',
        SIGN_IN: 'passkey',
        SESSION_SECRET: secret.repeat(32),
      });
    const first = await openService(withSecret('a'));
    const [account] = first.people?.accounts.list() ?? [];
    if (first.people === null || account === undefined) throw new Error('No account.');
    const { token } = await first.people.people.inviteFromConsole(account.account, ['view', 'admin'], 'first');
    const passkey = { id: 'key-1', publicKey: 'public' };
    await first.people.people.join(account.account, { token, name: 'Ada', passkey });
    await first.stop();

    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const canSignIn = async (secret: string) => {
      const opened = await openService(withSecret(secret));
      const found = await opened.people?.people.findPasskey(passkey.id);
      await opened.stop();
      return found != null;
    };
    expect(await canSignIn('b')).toBe(false);
    expect(JSON.stringify(logged.mock.calls)).toContain(
      '4 rows of people, roles, passkeys, invites, approval rules, recipients or API keys',
    );
    const reseal = (words: string) => runCommand(withSecret('b'), { name: 'reseal', words });
    expect(await reseal('')).toEqual({ ok: false, line: 'Say why.' });
    expect(await reseal('The secret was lost.')).toMatchObject({
      ok: true,
      line: expect.stringContaining('5 rows are valid again'),
    });
    expect(await reseal('The secret was lost.')).toMatchObject({ ok: false });
    const checked = await runCommand(withSecret('b'), { name: 'check-activity' });
    expect(checked).toEqual({
      ok: true,
      line: 'The activity has 4 lines, as written after line 3. Those before are of a former SESSION_SECRET.',
    });
    expect(await canSignIn('b')).toBe(true);
    expect(await canSignIn('a')).toBe(false);
    rmSync(directory, { recursive: true });
  },
  60_000,
);

test('an invite is made by the running server, or directly in the database if none runs', async () => {
  const directory = await newDataDirectory('invite-admin');
  const env = {
    DATA_DIR: directory,
    PAYMENTS_BASE_URL: 'https://payments.example',
    PAYMENTS_API_KEY: 'sk_1',
    PUBLIC_ORIGIN: 'http://localhost:4173',
  };
  const settings = readSettings({ ...env, SIGN_IN: 'passkey' });
  const invite: Command = {
    name: 'invite-admin',
    words: 'first',
    permissions: ['view', 'admin'],
    account: null,
    person: null,
  };
  for (const [words, line] of [
    [' ', 'Say why.'],
    ['x'.repeat(501), 'Say why in 500 characters or fewer.'],
  ] as const)
    expect(await runCommand(settings, { ...invite, words })).toEqual({ ok: false, line });
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const LINK = /^Open this link within 30 minutes\. It works once:\nhttp:\/\/localhost:4173\/join#[\w-]{43}$/;
  expect(await runCommand(settings, invite)).toEqual({ ok: true, line: expect.stringMatching(LINK) });

  const opened = await openService(settings);
  const stop = await listenForCommands(directory, (asked) => answerCommand(settings, opened, asked));
  const { line } = await runCommand(settings, invite);
  const token = line.slice(line.indexOf('#') + 1);
  expect(await opened.people?.people.findInvite(token)).toMatchObject({
    invitedBy: null,
    permissions: ['view', 'admin'],
  });
  // The link must not be logged.
  expect(JSON.stringify(logged.mock.calls)).toContain('Invited on the console to account main as viewer, admin: first');
  expect(JSON.stringify(logged.mock.calls)).not.toContain(token);
  const check: Command = { name: 'check-activity' };
  expect(await runCommand(settings, check)).toEqual({ ok: true, line: 'The activity has 3 lines, all as written.' });
  stop();
  await opened.database.script('alter table activity.lines disable trigger append_only');
  await opened.database.query(`update activity.lines set who = 'Bo' where number = 2`);
  await opened.stop();
  expect(await runCommand(settings, check)).toEqual({
    ok: false,
    line: expect.stringMatching(/^Line 2 .* 1 line before it\.$/),
  });

  expect(await runCommand(readSettings(env), invite)).toMatchObject({
    ok: false,
    line: expect.stringContaining('SIGN_IN=passkey'),
  });
  await expect(openService(readSettings(env))).rejects.toThrow('--end-people');
  expect(await runCommand(settings, { name: 'end-people', words: 'a trial' })).toMatchObject({ ok: true });
  await (await openService(readSettings(env))).stop();
  rmSync(directory, { recursive: true });
}, 60_000);

test.runIf(DEEP)(
  'the check of the activity says what is missing, or that something may be',
  async () => {
    const settings = readSettings({ DATA_DIR: 'memory', PAYMENTS_BASE_URL: 'https://payments.example' });
    const opened = await openService(settings);
    const { operations, database } = opened;
    const note = (account: string) =>
      operations.ports.rows.write((transaction) =>
        transaction.note(
          { service: 'https://payments.example', account, person: null, who: null },
          { kind: 'account.key-added', subject: null, facts: {} },
        ),
      );
    for (const account of ['a', 'b', 'c']) await note(account);
    const check = () => answerCommand(settings, opened, { command: 'check-activity' });
    expect(await check()).toEqual({ ok: true, line: 'The activity has 3 lines, all as written.' });
    await database.script(`alter table activity.lines disable trigger append_only;
    delete from activity.lines where number > 1`);
    expect(await check()).toEqual({
      ok: false,
      line: 'Missing from the activity: 2 lines after line 1. All before are as written.',
    });
    await database.script('delete from activity.last_line');
    expect(await check()).toEqual({
      ok: false,
      line: expect.stringMatching(
        /^Lines after line 1 of the activity may be missing: .* The activity has 1 line, all as written\.$/,
      ),
    });
    await opened.stop();
  },
  60_000,
);

test.runIf(DEEP)(
  'with several accounts, the console needs --account, and can give roles on it to a person who has a passkey',
  async () => {
    const settings = readSettings({
      DATA_DIR: 'memory',
      SIGN_IN: 'passkey',
      PAYMENTS_BASE_URL: 'https://payments.example',
      PAYMENTS_ACCOUNTS: 'eu,us',
      PAYMENTS_API_KEY_EU: 'sk_eu',
      PAYMENTS_API_KEY_US: 'sk_us',
      PUBLIC_ORIGIN: 'http://localhost:4173',
    });
    const opened = await openService(settings);
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const invite = (more: { account?: string; person?: string }) =>
      answerCommand(settings, opened, {
        command: 'invite-admin',
        words: 'first',
        permissions: ['view', 'admin'],
        account: null,
        person: null,
        ...more,
      });
    expect(await invite({})).toEqual({
      ok: false,
      line: 'This server has several accounts. Add --account with one of: eu, us.',
    });
    expect(await invite({ account: 'uk' })).toMatchObject({
      ok: false,
      line: expect.stringContaining('no account “uk”'),
    });
    const { line } = await invite({ account: 'eu' });
    const token = line.slice(line.indexOf('#') + 1);
    expect(await invite({ account: 'us', person: 'Ada' })).toMatchObject({
      ok: false,
      line: expect.stringContaining('Nobody called “Ada” has a passkey'),
    });
    const { people, accounts } = opened.people ?? {};
    const [eu, us] = accounts?.list() ?? [];
    const passkey = { id: 'passkey', publicKey: 'key' };
    await people?.join(eu?.account ?? '', { token, passkey, name: 'Ada' });
    expect(await invite({ account: 'us', person: 'ada' })).toEqual({
      ok: true,
      line: 'ada now has these roles on account us: viewer, admin.',
    });
    expect(await people?.list(us?.account ?? '')).toMatchObject([{ name: 'Ada', permissions: ['view', 'admin'] }]);
    expect(await invite({ account: 'us', person: 'Ada' })).toMatchObject({
      ok: false,
      line: expect.stringContaining('Account us has an admin'),
    });

    // Ada loses her passkey, once there are approval rules.
    await opened.database.query('update people.passkeys set ended_at = 1');
    await opened.database.query(
      `insert into people.policies (service, account, number, body, proposed_at, counts_from, seal)
     values ($1, $2, 1, '{}', 0, 1, '')`,
      [opened.service.name, us?.account ?? ''],
    );
    const { line: link } = await invite({ account: 'eu' });
    const bos = { passkey: { id: 'of Bo', publicKey: 'key' }, name: 'Bo' };
    await people?.join(eu?.account ?? '', { token: link.slice(link.indexOf('#') + 1), ...bos });
    expect(await invite({ account: 'us', person: 'Bo' })).toEqual({
      ok: true,
      line: expect.stringMatching(/^Given to Bo on account us: viewer, admin\. .* these two roles wait/),
    });
    await opened.stop();
  },
  60_000,
);

test.runIf(DEEP)(
  '--same-account adds a new API key that no recorded payment can prove',
  async () => {
    const directory = await newDataDirectory('same-account');
    const env = {
      DATA_DIR: directory,
      PAYMENTS_BASE_URL: 'https://payments.example',
      PUBLIC_ORIGIN: 'http://localhost:4173',
      SIGN_IN: 'passkey',
    };
    const settingsOf = (apiKey: string) => readSettings({ ...env, PAYMENTS_API_KEY: apiKey });
    const opened = await openService(settingsOf('sk_1'));
    const [first] = opened.people?.accounts.list() ?? [];
    const account = first?.account ?? '';
    await opened.database.query(
      'insert into team.accounts (service, account, epoch, position) values ($1, $2, $3, 0)',
      [opened.service.name, account, 'e'],
    );
    await opened.stop();
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());

    await expect(openService(settingsOf('sk_2'))).rejects.toThrow('--same-account main "why"');
    const command: Command = { name: 'same-account', account, keyOf: null, words: 'rotated, says Ada' };
    expect(await runCommand(settingsOf('sk_2'), { ...command, words: ' ' })).toEqual({ ok: false, line: 'Say why.' });
    expect(await runCommand(readSettings({ DATA_DIR: directory }), command)).toMatchObject({
      ok: false,
      line: expect.stringContaining('PAYMENTS_API_KEY_FILE'),
    });
    await expect(runCommand(settingsOf('sk_2'), { ...command, account: 'nobody' })).rejects.toThrow(
      'no account “nobody”',
    );
    expect(await runCommand(settingsOf('sk_2'), command)).toMatchObject({ ok: true });
    expect(JSON.stringify(logged.mock.calls)).toContain('rotated, says Ada');
    expect(JSON.stringify(logged.mock.calls)).not.toContain('sk_2');
    const later = await openService(settingsOf('sk_2'));
    expect(later.people?.accounts.list()).toMatchObject([{ account, apiKey: 'sk_2' }]);
    await later.stop();

    // With several keys, --account chooses one.
    const keys = { PAYMENTS_ACCOUNTS: 'eu,us', PAYMENTS_API_KEY_EU: 'sk_3', PAYMENTS_API_KEY_US: 'sk_4' };
    const several = readSettings({ ...env, ...keys });
    expect(await runCommand(several, command)).toMatchObject({
      ok: false,
      line: expect.stringMatching(/^Add --account .+: eu, us\.$/),
    });
    expect(await runCommand(several, { ...command, keyOf: 'us' })).toMatchObject({ ok: true });
    const last = await openService(several);
    expect(last.people?.accounts.list()).toMatchObject([{ name: 'eu' }, { name: 'us', account, apiKey: 'sk_4' }]);
    await last.stop();
    rmSync(directory, { recursive: true });
  },
  60_000,
);
