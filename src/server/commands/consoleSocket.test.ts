import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ConsoleCommand, listenForCommands, type RunCommand, sendCommand } from './consoleSocket.ts';

const COMMAND: ConsoleCommand = {
  command: 'invite-admin',
  words: 'first',
  permissions: ['view', 'admin'],
  account: 'eu',
  person: null,
};

function newDirectory(name = 'console-'): string {
  const directory = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function listening(directory: string, run: RunCommand = async () => ({ ok: true, line: 'done' })) {
  const stop = await listenForCommands(directory, run);
  onTestFinished(stop);
  return stop;
}

/** Sends raw text to the socket and returns its reply. */
function say(directory: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect(join(directory, 'console'), () => socket.write(text));
    socket.on('data', (part) => (reply += String(part)));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(reply));
  });
}

test('a command reaches the running server, whose answer is returned', async () => {
  const directory = newDirectory();
  const received: ConsoleCommand[] = [];
  await listening(
    directory,
    async (command) => (received.push(command), { ok: true, line: `link ${received.length}` }),
  );
  const both = await Promise.all([sendCommand(directory, COMMAND), sendCommand(directory, COMMAND)]);
  expect(new Set(both.map((reply) => reply?.line))).toEqual(new Set(['link 1', 'link 2']));
  expect(received).toEqual([COMMAND, COMMAND]);
});

test('only the owner can open the socket', async () => {
  const directory = newDirectory();
  await listening(directory);
  expect(statSync(join(directory, 'console')).mode & 0o777).toBe(0o600);
});

test('without a server there is no answer, even if a killed one left its socket', async () => {
  const directory = newDirectory();
  expect(await sendCommand(directory, COMMAND)).toBeNull();
  const stop = await listening(directory);
  stop();
  writeFileSync(join(directory, 'console'), '');
  expect(await sendCommand(directory, COMMAND)).toBeNull();
  await listening(directory);
  expect(await sendCommand(directory, COMMAND)).toEqual({ ok: true, line: 'done' });
});

test('a path that is too long for a socket works', async () => {
  const directory = newDirectory(`console-${'x'.repeat(120)}-`);
  await listening(directory);
  expect(await sendCommand(directory, COMMAND)).toEqual({ ok: true, line: 'done' });
});

test('junk is answered with a sentence, and an endless line is cut off', async () => {
  const directory = newDirectory();
  const run = vi.fn<RunCommand>(async () => ({ ok: true, line: 'done' }));
  await listening(directory, run);
  for (const text of [
    '\n',
    'x\n',
    '{"command":"stop"}\n',
    `${JSON.stringify({ ...COMMAND, permissions: ['root'] })}\n`,
  ])
    expect(await say(directory, text)).toContain('doesn’t know that command');
  expect(await say(directory, 'x'.repeat(20_000))).toBe('');
  expect(run).not.toHaveBeenCalled();
});

test('a command that fails is answered with a sentence', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const directory = newDirectory();
  await listening(directory, () => Promise.reject(new Error('no database')));
  expect(await sendCommand(directory, COMMAND)).toMatchObject({ ok: false, line: expect.stringContaining('log') });
});

test.each([
  ['ends before it answered', ''],
  ['sends an invalid reply', '{"ok":1}\n'],
])('a server that %s is reported in one sentence', async (_, reply) => {
  const directory = newDirectory();
  const server = createServer((socket) => socket.on('error', () => undefined).end(reply));
  await new Promise<void>((resolve) => server.listen(join(directory, 'console'), resolve));
  onTestFinished(() => void server.close());
  expect(await sendCommand(directory, COMMAND)).toEqual({
    ok: false,
    line: 'The server stopped before it answered. Run the command again.',
  });
});

test('an unreachable DATA_DIR gives a one-sentence error', async () => {
  const file = join(newDirectory(), 'file');
  writeFileSync(file, '');
  expect(await sendCommand(file, COMMAND)).toEqual({
    ok: false,
    line: `The server on ${file} can’t be reached: connect ENOTDIR ${join(file, 'console')}. Run this as the user that the server runs as.`,
  });
});
