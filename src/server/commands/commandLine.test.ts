import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endSetBack, readArguments } from './commandLine.ts';
import { openService } from './openService.ts';
import { readSettings } from './settings.ts';

test.each([
  [[], null],
  [['--end-set-back', 'nothing was sent'], 'nothing was sent'],
  [['--end-set-back=nothing was sent'], 'nothing was sent'],
])('%j is understood', (args, endSetBack) => {
  expect(readArguments(args)).toEqual({ endSetBack });
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
])('%j ends the start in one line that names the known argument', (args) => {
  expect(() => readArguments(args)).toThrow(/^[^\n]*--end-set-back "[^\n]+"\.$/);
});

test('ending a set-back says what it means: nothing asks because of it, and unknown keys are called unsent again', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'end-set-back-'));
  const settings = readSettings({ DATA_DIR: directory, PAYMENTS_BASE_URL: 'https://payments.example' });
  const opened = await openService(settings);
  await opened.database.script('update operations.journal set set_back_at = 1, set_back_position = 0');
  await opened.stop();
  expect(await endSetBack(settings, ' ')).toMatchObject({ exitCode: 1, line: expect.stringContaining('Say why') });
  expect(await endSetBack(settings, 'Nothing was sent.')).toEqual({
    exitCode: 0,
    line: 'Noted: withdrawals no longer ask because of it. A payment that isn’t in the journal is called unsent again: your words vouch for those sent in between.',
  });
  expect(await endSetBack(settings, 'Nothing was sent.')).toMatchObject({ exitCode: 1 });
  rmSync(directory, { recursive: true });
}, 60_000);
