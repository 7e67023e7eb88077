import { expect, onTestFinished, test } from 'vitest';
import type { NoticeMessage } from './channel.ts';
import { createMail, type SmtpSettings } from './mail.ts';
import { type MailReply, startMailServer } from './testMailServer.ts';

const MESSAGE: NoticeMessage = {
  id: 'msg_1',
  event: 'operation.unconfirmed',
  at: 1_790_000_000,
  account: 'eu',
  recipient: 'Acme Hosting',
  count: 1,
  text: 'A withdrawal to Acme Hosting is unconfirmed.',
  link: 'https://money.example/operations/key-1',
  email: 'ada@company.example',
};

async function setUp(replyTo?: MailReply, more: Partial<SmtpSettings & { signal: () => AbortSignal }> = {}) {
  const server = await startMailServer(replyTo);
  onTestFinished(server.stop);
  const settings: SmtpSettings = {
    host: '127.0.0.1',
    port: server.port,
    tls: 'none',
    login: null,
    from: { name: 'Money', address: 'notices@money.example' },
  };
  const channel = createMail({ ...settings, origin: 'https://money.example', ...more });
  const send = (message: Partial<NoticeMessage> = {}) => channel.send({ ...MESSAGE, ...message });
  return { ...server, channel, send };
}

/** Header lines, unfolded. */
const headersOf = (source = '') => (source.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');

test('a person gets plain text with a link, from the address of the settings', async () => {
  const { send, received } = await setUp();
  expect(await send()).toEqual({ kind: 'sent' });
  expect(received).toHaveLength(1);
  const [{ from, to, source } = { from: '', to: [], source: '' }] = received;
  expect({ from, to }).toEqual({ from: 'notices@money.example', to: ['ada@company.example'] });
  expect(headersOf(source)).toEqual(
    expect.arrayContaining([
      'From: Money <notices@money.example>',
      'To: ada@company.example',
      'Subject: A withdrawal to Acme Hosting is unconfirmed.',
      'Message-ID: <msg_1@money.example>',
      'Date: Mon, 21 Sep 2026 14:13:20 +0000',
      'Auto-Submitted: auto-generated',
      'Content-Type: text/plain; charset=utf-8',
    ]),
  );
  // Long lines are wrapped with “=” at the end.
  expect(source.replaceAll('=\r\n', '')).toContain('\r\n\r\nhttps://money.example/operations/key-1\r\n');
});

test('each try is the same message', async () => {
  const { send, received } = await setUp();
  await send();
  await send();
  expect(received[1]).toEqual(received[0]);
  await send({ id: 'msg_2' });
  expect(headersOf(received[2]?.source)).toContain('Message-ID: <msg_2@money.example>');
});

test.each([
  'A withdrawal to Acme\r\nBcc: thief@evil.example is unconfirmed.',
  'A withdrawal to Acme\nBcc: thief@evil.example is unconfirmed.',
  'A withdrawal to Acme\r\n\r\nBcc: thief@evil.example is unconfirmed.',
  'A withdrawal to Acme\u2028Bcc: thief@evil.example\0 is unconfirmed.',
])('a name with a line break begins no header: %j', async (text) => {
  const { send, received } = await setUp();
  expect(await send({ text })).toEqual({ kind: 'sent' });
  expect(received[0]?.to).toEqual(['ada@company.example']);
  const headers = headersOf(received[0]?.source);
  expect(headers.filter((line) => /^bcc/i.test(line))).toEqual([]);
  expect(headers).toContain('Subject: A withdrawal to Acme Bcc: thief@evil.example is unconfirmed.');
});

test.each([
  'ada@company.example\r\nRCPT TO:<thief@evil.example>',
  'ada@company.example, thief@evil.example',
  '"thief@evil.example x"@company.example',
  '<thief@evil.example>',
  '',
])('what is no address is never connected for: %j', async (email) => {
  const { send, commands } = await setUp();
  expect(await send({ email })).toEqual({ kind: 'refused', problem: 'The address is no e-mail address.' });
  expect(commands).toEqual([]);
});

test.each([
  [
    'a temporary refusal of the address',
    'RCPT',
    '450 Busy',
    { kind: 'failed', problem: 'The mail server responded 450.' },
  ],
  [
    'a temporary refusal of the message',
    '.',
    '451 Later',
    { kind: 'failed', problem: 'The mail server responded 451.' },
  ],
  ['an unknown address', 'RCPT', '550 No such user', { kind: 'refused', problem: 'The mail server refused it (550).' }],
  ['a refused message', '.', '554 Spam', { kind: 'refused', problem: 'The mail server refused it (554).' }],
  ['a refused sender', 'MAIL', '550 Not you', { kind: 'failed', problem: 'The mail server responded 550.' }],
  ['a server that is closing', 'GREETING', '421 Bye', { kind: 'failed', problem: 'The mail server responded 421.' }],
])('%s', async (_, command, reply, delivery) => {
  const { send, received } = await setUp((each) => (each === command ? reply : undefined));
  expect(await send()).toEqual(delivery);
  expect(received).toEqual([]);
});

test('a refused login is retried later, and the server’s words aren’t repeated', async () => {
  const { send } = await setUp((command) => (command === 'AUTH' ? '535 Bad password secret' : undefined), {
    login: { user: 'money', pass: 'secret' },
  });
  expect(await send()).toEqual({ kind: 'failed', problem: 'The mail server refused the login (535).' });
});

test('it signs in first if there is a login', async () => {
  const { send, commands } = await setUp(undefined, { login: { user: 'money', pass: 'secret' } });
  expect(await send()).toEqual({ kind: 'sent' });
  const auth = `AUTH PLAIN ${Buffer.from('\0money\0secret').toString('base64')}`;
  expect(commands.findIndex((line) => line === auth)).toBeLessThan(
    commands.findIndex((line) => line.startsWith('MAIL')),
  );
  expect(commands).toContain(auth);
});

test.each(['GREETING', 'RCPT', '.'])('a server that is silent after %s is given up on', async (command) => {
  const late = new AbortController();
  const { send, received } = await setUp(
    (each) => {
      if (each !== command) return undefined;
      late.abort();
      return null;
    },
    { signal: () => late.signal },
  );
  expect(await send()).toEqual({ kind: 'failed', problem: 'No response in 15 seconds.' });
  expect(received).toEqual([]);
});

test('a missing server is a failure', async () => {
  const { send, stop } = await setUp();
  stop();
  expect(await send()).toMatchObject({ kind: 'failed', problem: 'No connection (ECONNREFUSED).' });
});

test.each([
  ['smtp', { tls: 'starttls' as const }],
  ['smtps', { tls: 'from-start' as const }],
])('%s to a server without TLS sends neither the login nor the message', async (_, more) => {
  const { send, commands } = await setUp(undefined, { ...more, login: { user: 'money', pass: 'secret' } });
  expect(await send()).toMatchObject({ kind: 'failed' });
  expect(commands.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([]);
});

test('the host shown to people contains no login', async () => {
  const { channel, port } = await setUp(undefined, { login: { user: 'money', pass: 'secret' } });
  expect(channel.host).toBe(`127.0.0.1:${port}`);
});
