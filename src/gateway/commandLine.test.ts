import { expect, test } from 'vitest';
import { readArguments } from './commandLine.ts';

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
