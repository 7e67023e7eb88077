import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** A separate checkout with the console, whose build is a program that prints its arguments. */
function checkout({ built }: { built: boolean }) {
  const directory = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = join(directory, 'src/server/commands/console.js');
  cpSync(join(import.meta.dirname, 'console.js'), program);
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  mkdirSync(join(directory, 'dist/node'), { recursive: true });
  if (built) writeFileSync(join(directory, 'dist/node/start.js'), 'console.log(process.argv.slice(2).join("|"));');
  return (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
}

test('the console passes its arguments to the built server', () => {
  const run = checkout({ built: true });
  expect(run('--invite-admin', 'first admin')).toEqual({
    status: 0,
    stdout: '--invite-admin|first admin\n',
    stderr: '',
  });
});

test('without a build the console prints one sentence that says so', () => {
  const run = checkout({ built: false });
  const stderr = 'There is no build yet. Run npm run build first.\n';
  expect(run('--invite-admin', 'first admin')).toEqual({ status: 1, stdout: '', stderr });
});

test('without a command the console doesn’t start a server', () => {
  const run = checkout({ built: true });
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('--invite-admin') });
});
